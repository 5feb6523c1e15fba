package discover

import (
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/regression"
)

// NewLaw returns a scored form as a law over t's columns and known constants. c is the form with
// its score on the table m; its tree is over m's variables. by is the name of the Proposer.
func NewLaw(t *dataset.Table, m *mdl.Table, c mdl.Score, by string) law.Law {
	l := law.Law{Tree: m.Lower(c.Tree).WithStarts(c.Params), Vars: regression.Columns(t), Target: t.Target.Name,
		Complexity: c.Complexity(), UnitsOK: c.Balanced, Score: c.Bits, Proposer: by, Constants: law.Named(c.Params, c.StdErr)}
	units, _ := ConstantUnits(t, l.Tree)
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
	l.RMSE, l.R2 = law.Quality(c.RSS, t.Target.Values)
	uncertain(&l, c, m)
	return l
}
