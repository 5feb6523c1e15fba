package law

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/physlib/lab/physlib/expr"
)

// String returns the law as an equation for people, such as T = 365.186*a**(3/2).
func (l Law) String() string {
	if l.Tree.Len() == 0 {
		return "no law"
	}
	if l.Target == "" {
		return l.Display(0)
	}
	return l.Target + " = " + l.Display(0)
}

// Inputs returns the indices in Vars of the variables that the law depends on.
func (l Law) Inputs() []int { return l.Tree.Vars() }

// Eval returns the value of the law for the given values of its variables, in the units of the
// table. The values may be those of all Vars, or only those of [Law.Inputs]; Eval panics for any
// other number. It returns NaN if the law is undefined there.
func (l Law) Eval(values ...float64) float64 {
	cols := make([][]float64, len(l.Vars))
	switch in := l.Inputs(); len(values) {
	case len(l.Vars):
		for i, v := range values {
			cols[i] = []float64{v}
		}
	case len(in):
		for i, v := range in {
			cols[v] = []float64{values[i]}
		}
	default:
		panic(fmt.Sprintf("law: %d values for the %d variables of %s", len(values), len(l.Vars), l))
	}
	out := []float64{0}
	expr.Compile(l.Tree).Eval(out, cols, l.Params())
	return out[0]
}

// Bands holds values of a law and the half-widths of their error bands.
type Bands struct {
	Value []float64
	// Half-width of the confidence band. With the probability given by the level, the true law lies
	// within the band.
	Confidence []float64
	// Half-width of the prediction band, in which another measurement lies with the probability
	// given by the level; NaN if the size of the errors is unknown.
	Prediction []float64
}

// Bands evaluates the law at rows, where cols[v] is variable v. The bands have the given level,
// such as 0.95. The half-width of the confidence band follows from the covariance of the constants,
// to first order:
//
//	t·√(gᵀ·Cov·g),   g = ∂f/∂c.
//
// Here t is the quantile of Student's distribution with Dof degrees of freedom, or that of the
// normal distribution if the errors were given. The prediction band adds the error of one
// measurement in quadrature. Bands returns an error if the covariance is unknown.
func (l Law) Bands(cols [][]float64, rows int, level float64) (Bands, error) {
	params := l.Params()
	k := len(params)
	if len(l.Cov) != k*k {
		return Bands{}, fmt.Errorf("law: the covariance of the constants of %s is not known; fit it to a table", l)
	}
	if !(level > 0 && level < 1) {
		return Bands{}, fmt.Errorf("law: level %g of a band is not between 0 and 1; try 0.95", level)
	}
	b := Bands{make([]float64, rows), make([]float64, rows), make([]float64, rows)}
	grad := make([][]float64, k)
	for i := range grad {
		grad[i] = make([]float64, rows)
	}
	expr.Compile(l.Tree).Grad(b.Value, grad, cols, params)
	quantile := l.quantile(level)
	for i, f := range b.Value {
		variance := 0.0
		for a := range k {
			for c := range k {
				if cov := l.Cov[a*k+c]; cov != 0 {
					variance += grad[a][i] * cov * grad[c][i]
				}
			}
		}
		if math.IsNaN(variance) { // the data do not determine a constant
			variance = math.Inf(1)
		}
		b.Confidence[i] = quantile * math.Sqrt(max(variance, 0))
		b.Prediction[i] = math.Hypot(b.Confidence[i], l.noiseQuantile(level)*l.noiseAt(f))
	}
	return b, nil
}

// quantile returns the half-width of a confidence band with the given level, in standard errors.
func (l Law) quantile(level float64) float64 {
	_, t := Interval(0, 1, level, l.Dof)
	return t
}

// heavyTails is the number of degrees of freedom of Student's distribution for heavy-tailed errors,
// as in package mdl.
const heavyTails = 3

// noiseQuantile is like quantile, but for the error of one measurement, in units of the size of
// this error.
func (l Law) noiseQuantile(level float64) float64 {
	if l.Errors == HeavyErrors || l.Errors == HeavyFactorErrors {
		return distuv.StudentsT{Sigma: 1, Nu: heavyTails}.Quantile((1 + level) / 2)
	}
	return l.quantile(level)
}

// noiseAt returns the size of the error of a measurement for which the law has the value f. It is
// NaN if the size is not known.
func (l Law) noiseAt(f float64) float64 {
	if !(l.Noise > 0) {
		return math.NaN()
	}
	switch l.Errors {
	case ProportionalErrors, HeavyFactorErrors:
		return l.Noise * math.Abs(f)
	case CountingErrors:
		return l.Noise * math.Sqrt(max(f, 1))
	}
	return l.Noise
}

// Correlation returns the correlation matrix of the fitted constants, row by row. It returns nil if
// the covariance is unknown. The entries of a constant that the data do not determine are NaN.
func (l Law) Correlation() []float64 {
	k := l.Tree.NumParams()
	if len(l.Cov) != k*k || k == 0 {
		return nil
	}
	out := slices.Clone(l.Cov)
	for i := range k {
		for j := range k {
			out[i*k+j] /= math.Sqrt(l.Cov[i*k+i]) * math.Sqrt(l.Cov[j*k+j])
		}
	}
	return out
}
