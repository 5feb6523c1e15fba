package motion

import (
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Tables that were calculated by a numerical integrator have errors that are not noise: they are
// smooth over a step of the integrator. Estimated derivatives contain these errors, and laws
// describe them by tiny terms.
const (
	// Largest error of a state, relative to its size, that is ascribed to an integrator.
	integrationError = 1e-6
	tinyShare        = 1e-5 // largest RMS of a tiny term, relative to the RMS of the rate
)

// followed reports whether the fit s follows every state, up to integration errors. The RMS
// residual must be at most integrationError, relative to the size of the state, or within the error
// that the inputs cause. No window may be lost.
func (sr *searcher) followed(s *trajectoryFit) bool {
	for k := range sr.d.numMeasured() {
		if !(s.misfit(sr.d, k) <= max(integrationError*sr.d.scale[k], inputDoubt*sr.inputError(k))) {
			return false
		}
	}
	return s.Lost == 0
}

// prune removes tiny terms from the chosen laws if the system without them still fits all states
// (see followed). First it removes the tiny terms of all laws at once. If that system does not fit,
// prune tries one law after the other. prune also works after the time is up, but not after an
// interrupt.
func (sr *searcher) prune(ctx context.Context) {
	over := sr.polishTimer(ctx)
	pruned, count := make([]*candidate, len(sr.best)), 0
	for k := range sr.numLaws() {
		if c := sr.best[k]; c != nil && ctx.Err() != context.Canceled && !over() {
			if t, tiny := withoutTiny(c.tree, sr.rateColumns(k)); tiny {
				if n, _ := sr.offer(k, t); n != nil && n != c {
					pruned[k] = n
					count++
				}
			}
		}
	}
	if count == 0 || sr.acceptFollowed(pruned, over) || count == 1 {
		return
	}
	for k, n := range pruned {
		if n != nil && !over() {
			one := make([]*candidate, len(pruned))
			one[k] = n
			sr.acceptFollowed(one, over)
		}
	}
}

// acceptFollowed replaces the chosen laws of the equations for which laws is not nil, if all states
// are then followed (see followed). It reports whether the laws were replaced. The fit ends when
// over returns true.
func (sr *searcher) acceptFollowed(laws []*candidate, over func() bool) bool {
	trial := slices.Clone(sr.best)
	for k, n := range laws {
		if n != nil {
			trial[k] = n
		}
	}
	shot, score := sr.evaluate(trial, nil, func(float64, int) bool { return over() })
	if !sr.followed(shot) {
		return false
	}
	for k, n := range laws {
		if n != nil {
			sr.best[k].shot = nil // the replaced law does not become a rival
		}
	}
	sr.best, sr.shot, sr.total = trial, shot, score
	sr.noteBest()
	sr.storeConstants()
	return true
}

// withoutTiny returns t without the terms that are tiny on the rows of cols. tiny reports whether
// there are any.
func withoutTiny(t expr.Tree, cols [][]float64) (rest expr.Tree, tiny bool) {
	s, ok := asSum(t, cols)
	if !ok {
		return t, false
	}
	value := make([]float64, len(cols[0]))
	size := func(t expr.Tree) float64 {
		expr.Compile(t).Eval(value, cols, t.Params())
		return math.Sqrt(dot(value, value))
	}
	all := size(t)
	for i := len(s.terms) - 1; i >= 0; i-- {
		if math.Abs(s.coefs[i])*size(s.terms[i]) < tinyShare*all {
			s, tiny = s.without(i), true
		}
	}
	return s.tree(), tiny
}
