package discover

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
)

// NewLaw returns a scored form as a law over t's columns and known constants. c is the form with
// its score on the table m; its tree is over m's variables. by is the name of the Proposer.
func NewLaw(t *dataset.Table, m *mdl.Data, c mdl.Score, by string) law.Law {
	l := law.Law{Tree: m.ToColumns(c.Tree).WithStarts(c.Params), Vars: t.InputNames(), Target: t.Target.Name,
		Complexity: c.Complexity(), UnitsOK: c.Balanced, Score: c.Bits, Proposer: by}
	units, _ := ConstantUnits(t, l.Tree)
	setConstants(&l, t, c, units)
	l.RMSE, l.R2 = law.Quality(c.RSS, t.Target.Values)
	setErrors(&l, c, m)
	return l
}

// setConstants sets the constants of the law l, with their errors and the given units. c is a fit
// of the law to the table t.
func setConstants(l *law.Law, t *dataset.Table, c mdl.Score, units []string) {
	l.Constants = law.NewConstants(c.Params, c.StdErr)
	k := len(c.Params)
	conditional := make([]float64, k)
	if len(c.StdErr) == k && len(c.Cov) == k*k {
		conditional = fit.Result{StdErr: c.StdErr, Cov: c.Cov}.Conditional()
	}
	for i := range l.Constants {
		l.Constants[i].Unit = units[i]
		if l.Constants[i].StdErr > 0 {
			l.Constants[i].ConditionalErr = conditional[i]
		}
	}
	keepValues(l, t)
}

// setErrors sets the covariance of l's constants and the size of the errors of the target, from the
// fit of l to m.
func setErrors(l *law.Law, fitted mdl.Score, m *mdl.Data) {
	if k := len(fitted.Params); len(fitted.Cov) == k*k {
		l.Cov = fitted.Cov
	}
	l.Errors, l.Noise, l.Dof = m.Noise(fitted)
}

// Limits of the error that the printed constants of a law cause in its values.
const (
	printedShare = 0.1  // root mean square, relative to that of the residuals
	printedError = 1e-5 // or relative to that of the values
)

// keepValues lowers the ConditionalErr of the constants until the printed law has nearly the values
// of the law. The differences must be small both in absolute terms and relative to each value.
// Lower conditional errors are necessary if a constant is in an exponent, or if large terms nearly
// cancel.
func keepValues(l *law.Law, t *dataset.Table) {
	cols, n := firstRows(t)
	target := t.Target.Values
	values := func(t expr.Tree) []float64 {
		return t.Values(n, cols, nil)
	}
	exact := values(l.Bound())
	before := slices.Clone(l.Constants)
	for range 8 {
		printed, err := expr.Parse(l.Display(0), l.Vars)
		if err != nil {
			break
		}
		var off, residual, size, relativeOff, relativeResidual float64
		for i, v := range values(printed) {
			d, r := v-exact[i], target[i]-exact[i]
			off, residual, size = off+d*d, residual+r*r, size+exact[i]*exact[i]
			if exact[i] != 0 {
				relativeOff += d * d / (exact[i] * exact[i])
				relativeResidual += r * r / (exact[i] * exact[i])
			}
		}
		most := func(residual, size float64) float64 {
			return max(printedShare*printedShare*residual, printedError*printedError*size)
		}
		if off <= most(residual, size) && relativeOff <= most(relativeResidual, float64(n)) {
			return
		}
		for i := range l.Constants {
			k := &l.Constants[i]
			if k.ConditionalErr == 0 {
				k.ConditionalErr = 1e-4 * math.Abs(k.Value) // six digits, as without an error
			}
			k.ConditionalErr /= 10
		}
	}
	l.Constants = before
}
