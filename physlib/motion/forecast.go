package motion

import (
	"errors"
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// Forecast is a predicted trajectory with its standard errors.
type Forecast struct {
	Times  []float64
	X      [][]float64 // [state][time]; NaN beyond where the system is defined
	StdErr [][]float64 // standard errors of X; nil without a covariance
}

// System is a system of laws with the uncertainty of its constants.
type System struct {
	Rates  []expr.Tree // highest derivative of each measured state; constants start at their values
	Order  int         // 1 or 2
	Extra  []float64   // parameters and known constants, as columns after the states
	Driven bool        // whether the last column is the time
	Cov    []float64   // covariance of all constants in order of the rates, by rows; nil: unknown
}

// Forecast integrates the system from start, which holds a value for each state and, at order 2,
// for each state's derivative. startErr holds the standard errors of start, nil for none. Errors
// are propagated to first order, by central differences over half a standard error.
func (s System) Forecast(start, startErr, times []float64) (Forecast, error) {
	m := len(s.Rates)
	if len(start) != m*s.Order || startErr != nil && len(startErr) != len(start) {
		return Forecast{}, errors.New("motion: a forecast needs a start for each state")
	}
	run := func(start, params []float64) [][]float64 {
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
	var params []float64
	for _, r := range s.Rates {
		params = append(params, r.Params()...)
	}
	f := Forecast{Times: times, X: run(start, params)}
	if len(s.Cov) != len(params)*len(params) {
		return f, nil
	}
	slope := func(v []float64, i int, h float64, along func() [][]float64) [][]float64 {
		old := v[i]
		v[i] = old + h
		up := along()
		v[i] = old - h
		down := along()
		v[i] = old
		for k := range up {
			for j := range up[k] {
				up[k][j] = (up[k][j] - down[k][j]) / (2 * h)
			}
		}
		return up
	}
	var byParam, byStart [][][]float64
	for i := range params {
		h := math.Sqrt(s.Cov[i*len(params)+i]) / 2
		if !(h > 0) || math.IsInf(h, 0) {
			h = 1e-6 * (math.Abs(params[i]) + 1e-6)
		}
		byParam = append(byParam, slope(params, i, h, func() [][]float64 { return run(start, params) }))
	}
	for i, e := range startErr {
		if e > 0 {
			d := slope(start, i, e/2, func() [][]float64 { return run(start, params) })
			for k := range d {
				for j := range d[k] {
					d[k][j] *= e
				}
			}
			byStart = append(byStart, d)
		}
	}
	f.StdErr = spread(byParam, byStart, s.Cov, m, len(times))
	return f, nil
}

// spread returns √(Jᵀ·Cov·J + Σ d²) for each state at each time.
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
