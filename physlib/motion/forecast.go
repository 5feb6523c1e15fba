package motion

import (
	"errors"
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// Forecast is a predicted trajectory with its standard errors.
type Forecast struct {
	Times  []float64
	X      [][]float64 // [state][time]; NaN where the system is undefined
	StdErr [][]float64 // standard errors of X; nil without a covariance
}

// System is a system of laws with the uncertainty of its constants. For a [Result] without inputs
// and parameters, rate k is l.Tree.WithStarts(l.Params()) for l = Equations[k].Law, and Cov is
// Result.Cov.
type System struct {
	// Expression of the highest derivative of each measured state. The fitted values of the
	// constants are the starting values of the free constants.
	Rates  []expr.Tree
	Order  int       // 1 or 2
	Extra  []float64 // parameters and known constants, as columns after the states
	Driven bool      // whether the last column is the time
	// Covariance of all constants in the order of the rates, row by row; nil: unknown.
	Cov []float64
}

// Forecast integrates the system from start. start holds a value for each state, followed at order
// 2 by the derivative of each state. startErr holds the standard errors of start; nil means none.
// Errors are propagated to first order, by central differences over half a standard error.
func (s System) Forecast(start, startErr, times []float64) (Forecast, error) {
	m := len(s.Rates)
	if len(start) != m*s.Order || startErr != nil && len(startErr) != len(start) {
		return Forecast{}, errors.New("motion: a forecast needs a starting value for each state, and at order 2 for each derivative")
	}
	var params []float64
	for _, r := range s.Rates {
		params = append(params, r.Params()...)
	}
	run := func() [][]float64 { return s.simulate(start, params, times) }
	f := Forecast{Times: times, X: run()}
	if len(s.Cov) != len(params)*len(params) {
		return f, nil
	}
	var byParam, byStart [][][]float64
	for i, v := range params {
		h := math.Sqrt(s.Cov[i*len(params)+i]) / 2
		if !(h > 0) || math.IsInf(h, 0) {
			h = 1e-6 * (math.Abs(v) + 1e-6)
		}
		byParam = append(byParam, difference(&params[i], h, 1, run))
	}
	for i, e := range startErr {
		if e > 0 {
			byStart = append(byStart, difference(&start[i], e/2, e, run))
		}
	}
	f.StdErr = spread(byParam, byStart, s.Cov, m, len(times))
	return f, nil
}

// simulate integrates the system with the given constants, in order of the rates. It returns the
// measured states at the times.
func (s System) simulate(start, params, times []float64) [][]float64 {
	m := len(s.Rates)
	rates := make([]expr.Tree, 0, m*s.Order)
	if s.Order == 2 {
		for k := range m {
			rates = append(rates, expr.X(m+k))
		}
	}
	at := 0
	for _, r := range s.Rates {
		n := r.NumParams()
		rates = append(rates, r.WithStarts(params[at:at+n]))
		at += n
	}
	return Simulate(NewField(rates, len(s.Extra), s.Driven), start, times, s.Extra)[:m]
}

// difference returns factor times the derivative of run's result with respect to v, by central
// differences of step h.
func difference(v *float64, h, factor float64, run func() [][]float64) [][]float64 {
	old := *v
	*v = old + h
	up := run()
	*v = old - h
	down := run()
	*v = old
	for k := range up {
		for j := range up[k] {
			up[k][j] = (up[k][j] - down[k][j]) / (2 * h) * factor
		}
	}
	return up
}

// spread returns the standard error √(Jᵀ·Cov·J + Σ d²) of each state at each time. J holds the
// derivatives of the states with respect to the constants (byParam). d holds the changes of the
// states if one starting value changes by its standard error (byStart).
func spread(byParam, byStart [][][]float64, cov []float64, states, times int) [][]float64 {
	out := make([][]float64, states)
	n := len(byParam)
	for k := range out {
		out[k] = make([]float64, times)
		for j := range times {
			v := 0.0
			for a := range n {
				for b := range n {
					v += byParam[a][k][j] * cov[a*n+b] * byParam[b][k][j]
				}
			}
			for _, d := range byStart {
				v += d[k][j] * d[k][j]
			}
			out[k][j] = math.Sqrt(max(v, 0))
		}
	}
	return out
}
