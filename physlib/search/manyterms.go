package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/match"
	"github.com/physlib/lab/physlib/search/pursuit"
	"github.com/physlib/lab/physlib/search/view"
)

// termRows is the number of rows used in the search for sums of many terms.
const termRows = 256

// manyTerms offers the sums of many terms that package pursuit finds at the given depth. It reports
// whether one of them is exact.
func (w *work) manyTerms(ctx context.Context, depth int) (exact bool) {
	if ctx.Err() != nil {
		return false
	}
	w.report("sums of terms")
	if w.addends == nil {
		x, y, weights := w.sample(w.spread())
		w.addends = pursuit.New(pursuit.Problem{X: x, Y: y, Weights: weights, Allowed: w.allowed})
		if w.addends == nil {
			return false
		}
	}
	for l := range w.addends.Laws(ctx, depth) {
		if !w.yield(w.named(l.Tree)) {
			return false
		}
		exact = exact || l.Error < match.Exact && (l.Error < strictEps || l.Tree.NumParams() <= fewConstants)
	}
	return exact
}

// sample returns the values of the view's variables, of the target and of the weights in the given
// rows.
func (w *work) sample(rows []int) (x [][]float64, y, weights []float64) {
	prob := w.space.Problem
	for _, v := range w.space.Vars {
		x = append(x, dataset.Pick(prob.Vars[v].Values, rows))
	}
	if prob.Weights != nil {
		weights = dataset.Pick(prob.Weights, rows)
	}
	return x, dataset.Pick(prob.Target.Values, rows), weights
}

// named renames the variables of t, which are columns of sample, to variables of the problem.
func (w *work) named(t expr.Tree) expr.Tree {
	t, _ = t.MapVars(func(v int) (int, bool) { return w.space.Vars[v], true })
	return t
}

// spread returns up to termRows rows: half of them evenly spread over the values of the target, the
// others random. In a decayed oscillation, for example, most rows are alike and the few others
// matter.
func (w *work) spread() []int {
	rows := view.SampleRows(w.space.Problem, w.space.Vars, len(w.space.Problem.Target.Values))
	if len(rows) <= termRows {
		return rows
	}
	y := w.space.Problem.Target.Values
	drawn := view.SampleRows(w.space.Problem, w.space.Vars, termRows/2)
	slices.SortFunc(rows, func(a, b int) int { return cmp.Or(cmp.Compare(y[a], y[b]), cmp.Compare(a, b)) })
	step := (y[rows[len(rows)-1]] - y[rows[0]]) / (termRows / 2)
	next := y[rows[0]]
	for _, r := range rows {
		if len(drawn) < termRows && y[r] >= next && !slices.Contains(drawn, r) {
			drawn = append(drawn, r)
			next = y[r] + step
		}
	}
	slices.Sort(drawn)
	return drawn
}
