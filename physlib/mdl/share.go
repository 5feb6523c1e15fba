package mdl

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// shareSteps is the largest number of fits with errors that follow from the fit before.
const shareSteps = 20

// fitShare repeats the fit r, in which the errors were a share of the measured values, until they
// are this share of the values of the law. It returns the last fit and the errors, sigmas. If a fit
// fails, fitShare returns r and nil.
func (s *Scorer) fitShare(t expr.Tree, r fit.Result) (last fit.Result, sigmas []float64) {
	last = r
	for range shareSteps {
		expr.Compile(t).Eval(s.value, s.Cols, last.Params)
		sigmas = dataset.ShareErrors(s.Share, s.value, s.Y)
		for i, sigma := range sigmas {
			s.w[i] = 1 / (sigma * sigma)
		}
		before := last.Params
		var err error
		if last, err = s.fitter.Fit(t.WithStarts(before), s.Cols, s.Y, s.w, fit.Settings{Starts: 1, MaxIter: 25, Done: s.done}); err != nil || math.IsNaN(last.RSS) {
			return r, nil
		}
		if slices.EqualFunc(last.Params, before, func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }) {
			break
		}
	}
	return last, sigmas
}
