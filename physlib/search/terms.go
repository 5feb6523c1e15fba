package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/physlib/lab/physlib/search/pursuit"
)

// termRows is how many rows sums of many terms are sought in.
const termRows = 256

// terms offers sums of many terms with up to depth inner constants each (package pursuit). It
// reports whether one of them is exact.
func (w *work) terms(ctx context.Context, depth int) (exact bool) {
	w.tell("sums of terms")
	if w.addends == nil {
		if w.addends = pursuit.New(w.summed()); w.addends == nil {
			return false
		}
	}
	for l := range w.addends.Laws(ctx, depth) {
		if !w.yield(l.Tree) {
			return false
		}
		exact = exact || l.Error < eps
	}
	return exact
}

// summed is the problem at some of its rows.
func (w *work) summed() pursuit.Problem {
	prob := w.s.prob
	rows := w.spreadRows()
	pick := func(v []float64) []float64 {
		out := make([]float64, len(rows))
		for i, r := range rows {
			out[i] = v[r]
		}
		return out
	}
	p := pursuit.Problem{Y: pick(prob.Target.Values), Vars: w.s.keep, Allowed: w.allowed}
	for _, v := range w.s.keep {
		p.X = append(p.X, pick(prob.Vars[v].Values))
	}
	if prob.Weights != nil {
		p.Weights = pick(prob.Weights)
	}
	return p
}

// spreadRows returns termRows rows: half of them spread over the values of the target, the others
// drawn. Where most rows tell the same, such as those of an oscillation that has come to rest, the
// few others count.
func (w *work) spreadRows() []int {
	rows := sampleRows(w.s.prob, w.s.keep, len(w.s.prob.Target.Values))
	if len(rows) <= termRows {
		return rows
	}
	y := w.s.prob.Target.Values
	drawn := sampleRows(w.s.prob, w.s.keep, termRows/2)
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(y[a], y[b]) })
	step := (y[rows[len(rows)-1]] - y[rows[0]]) / (termRows / 2)
	next := y[rows[0]]
	for _, r := range rows {
		if y[r] >= next && !slices.Contains(drawn, r) {
			drawn = append(drawn, r)
			next = y[r] + step
		}
	}
	slices.Sort(drawn)
	return drawn
}
