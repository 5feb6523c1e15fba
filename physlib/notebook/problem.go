package notebook

import (
	"context"
	"fmt"
	"iter"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// Problem returns the table in the form that Proposers get: columns in coherent units and of order
// one, with their dimensions. Use it to examine a single Proposer. Discover makes its own problem.
func Problem(t *dataset.Table, s discover.Settings) *dataset.Problem {
	var seen *dataset.Problem
	s.Extra = []discover.NamedProposer{{Name: "look", Proposer: look(func(p *dataset.Problem) { seen = p })}}
	s.Proposers, s.Resume, s.Progress = []string{"look"}, nil, nil
	_, err := discover.Discover(Context(), t, s)
	Check(err)
	if seen == nil {
		Check(fmt.Errorf("%s: no column varies, so there is no law to find", t.Name))
	}
	seen.Settled = nil
	return seen
}

// look is a Proposer that only passes the problem to a function.
type look func(p *dataset.Problem)

// Propose implements discover.Proposer.
func (l look) Propose(_ context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(func(expr.Tree, error) bool) { l(p) }
}

// Unexplained returns 1 − R² of a law after a fit of its constants to the problem, or 1 if the fit
// fails.
func Unexplained(p *dataset.Problem, t expr.Tree) float64 {
	y := p.Target.Values
	mean, spread := 0.0, 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for _, v := range y {
		spread += (v - mean) * (v - mean)
	}
	r, err := fit.Fit(t, p.Cols(), y, nil, fit.Settings{Starts: 2, MaxIter: 50})
	if err != nil || !(r.RSS < spread) {
		return 1
	}
	return r.RSS / spread
}

// Names returns the names of the table's columns, for formatting laws.
func Names(t *dataset.Table) []string {
	names := make([]string, len(t.Vars))
	for i, v := range t.Vars {
		names[i] = v.Name
	}
	return names
}
