package search

import (
	"context"

	"github.com/physlib/lab/physlib/search/view"
	"github.com/physlib/lab/physlib/wave"
)

// waveRows is the largest number of rows that the search for waves uses. With four or more
// variables, it uses half as many.
const waveRows = 1024

// waves offers oscillating laws (package wave) and reports whether one of them is exact. If the
// parameter smooth is true, it offers laws only for a smooth target, otherwise only for a target
// that is not smooth (see wave.Laws).
func (w *work) waves(ctx context.Context, smooth bool) (exact bool) {
	w.report("waves")
	most := waveRows
	if len(w.space.Vars) > 3 {
		most /= 2
	}
	x, y, weights := w.sample(view.SampleRows(w.space.Problem, w.space.Vars, most))
	for l := range wave.Laws(ctx, wave.Problem{X: x, Y: y, Weights: weights, Allowed: w.allowed}, smooth) {
		if !w.yield(w.named(l.Tree)) {
			return false
		}
		exact = exact || l.Exact
	}
	return exact
}
