package search

import (
	"context"

	"github.com/physlib/lab/physlib/search/pursuit"
)

// termRows is how many rows sums of many terms are sought in.
const termRows = 256

// terms offers sums of many terms with inner constants (package pursuit). It reports whether one
// of them is exact.
func (w *work) terms(ctx context.Context) (exact bool) {
	w.tell("sums of terms")
	prob := w.s.prob
	rows := sampleRows(prob, w.s.keep, termRows)
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
	for l := range pursuit.Laws(ctx, p, pursuit.Settings{}) {
		if !w.yield(l.Tree) {
			return false
		}
		exact = exact || l.Error < eps
	}
	return exact
}
