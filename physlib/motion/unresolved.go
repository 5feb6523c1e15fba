package motion

import (
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// spareBits is the number of bits by which a description may grow for each constant that is zero
// within its error and is left out. The data lose at most 0.72 bits on average. But a constant near
// zero costs few bits, since the data hardly determine it, so the description may be longer without
// it.
const spareBits = 6

// dropUnresolved removes constants that are zero within their standard errors from the chosen laws,
// unless the description grows by more than spareBits for each. First it removes one constant of
// each law at once, since a term that two laws share is described only once. Then it removes a
// constant of a single law. Like prune, dropUnresolved also works after the time is up, but not
// after an interrupt.
func (sr *searcher) dropUnresolved(ctx context.Context) {
	over := sr.polishTimer(ctx)
	for ctx.Err() != context.Canceled && !over() {
		dropped := make([]*candidate, len(sr.best))
		count := 0
		for k := range sr.numLaws() {
			if t, ok := sr.withoutUnresolved(k); ok {
				if c, _ := sr.offer(k, t); c != nil && c != sr.best[k] {
					dropped[k] = c
					count++
				}
			}
		}
		if count == 0 || !sr.acceptWithout(dropped, over) && (count == 1 || !sr.acceptOneWithout(dropped, over)) {
			return
		}
	}
}

// withoutUnresolved returns the chosen law of equation k with zero in place of the constant that is
// smallest compared with its error. ok reports whether there is a constant that is not larger than
// its error.
func (sr *searcher) withoutUnresolved(k int) (t expr.Tree, ok bool) {
	c := sr.best[k]
	if c == nil || sr.shot == nil {
		return t, false
	}
	at, slot, least := sr.before(k), 0, math.Inf(1)
	for i := range c.tree.NumParams() {
		if size := math.Abs(sr.shot.Params[at+i]) / sr.shot.StdErr[at+i]; size < least {
			slot, least = i, size
		}
	}
	if !(least <= 1) {
		return t, false
	}
	return withoutConstant(c.tree, slot)
}

// withoutConstant returns t with zero in place of the constant in a slot. ok is false if the result
// depends on no column.
func withoutConstant(t expr.Tree, slot int) (without expr.Tree, ok bool) {
	without = t.SubstituteParam(slot, expr.Num(0)).Simplify()
	return without, len(without.Vars()) > 0
}

// acceptWithout replaces the chosen laws of the equations for which laws is not nil, unless the
// description grows by more than spareBits for each of them. It reports whether the laws were
// replaced. The fit ends when over returns true.
func (sr *searcher) acceptWithout(laws []*candidate, over func() bool) bool {
	trial, growth := slices.Clone(sr.best), 0.0
	for k, n := range laws {
		if n != nil {
			trial[k] = n
			growth += spareBits
		}
	}
	shot, score := sr.evaluate(trial, nil, func(float64, int) bool { return over() })
	if shot.Lost > sr.shot.Lost || !(score < sr.total+growth) {
		return false
	}
	sr.best, sr.shot, sr.total = trial, shot, score
	sr.noteBest()
	sr.storeConstants()
	return true
}

// acceptOneWithout is like acceptWithout, but replaces only the first law for which the description
// does not grow by more than spareBits.
func (sr *searcher) acceptOneWithout(laws []*candidate, over func() bool) bool {
	for k, n := range laws {
		if n == nil || over() {
			continue
		}
		one := make([]*candidate, len(laws))
		one[k] = n
		if sr.acceptWithout(one, over) {
			return true
		}
	}
	return false
}
