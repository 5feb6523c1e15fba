package motion

import (
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Tables that are integrated numerically have errors that are no noise: they are smooth over a step
// of the integrator. Derivatives follow them, and so do laws, by tiny terms.
const (
	integrationError = 1e-6 // relative error of a state up to which it is one of an integrator
	tinyShare        = 1e-5 // largest RMS of a term, relative to its rate, that describes such errors
)

// followed reports whether a system fits all states up to integrationError.
func (sr *searcher) followed(s *Shot) bool {
	for k := range sr.d.measured() {
		if !(s.misfit(sr.d, k) <= integrationError*sr.d.scale[k]) {
			return false
		}
	}
	return s.Lost == 0
}

// prune leaves tiny terms out of the chosen laws if all states are followed without them. It does
// so if the time is up, too, but not after an interrupt.
func (sr *searcher) prune(ctx context.Context) {
	over := sr.polish(ctx)
	for k := range sr.laws() {
		c := sr.best[k]
		if c == nil || ctx.Err() == context.Canceled || over() {
			continue
		}
		t, tiny := withoutTiny(c.tree, sr.rowsOf(k))
		if !tiny {
			continue
		}
		n, _ := sr.offer(k, t)
		if n == nil || n == c {
			continue
		}
		trial := slices.Clone(sr.best)
		trial[k] = n
		shot, score := sr.evaluate(trial, nil, func(float64, int) bool { return over() })
		if !sr.followed(shot) {
			continue
		}
		sr.note(k, n, shot, score)
		sr.best[k], sr.shot, sr.total = n, shot, score
		sr.storeConstants()
		c.shot = nil // no law to compare others with
	}
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
