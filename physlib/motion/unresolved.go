package motion

import (
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// dropUnresolved removes constants that are zero within their standard errors from the chosen laws,
// as long as this shortens the description. First it removes one constant of each law at once,
// since a term that two laws share is described only once. Then it removes a constant of a single
// law. Like prune, dropUnresolved also works after the time is up, but not after an interrupt.
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
		if count == 0 || !sr.acceptShorter(dropped, over) && (count == 1 || !sr.acceptOneShorter(dropped, over)) {
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
	t = c.tree.SubstituteParam(slot, expr.Num(0)).Simplify()
	return t, len(t.Vars()) > 0
}

// acceptShorter replaces the chosen laws of the equations for which laws is not nil, if this
// shortens the description. It reports whether the laws were replaced. The fit ends when over
// returns true.
func (sr *searcher) acceptShorter(laws []*candidate, over func() bool) bool {
	trial := slices.Clone(sr.best)
	for k, n := range laws {
		if n != nil {
			trial[k] = n
		}
	}
	shot, score := sr.evaluate(trial, nil, func(float64, int) bool { return over() })
	if shot.Lost > sr.shot.Lost || !(score < sr.total) {
		return false
	}
	sr.best, sr.shot, sr.total = trial, shot, score
	sr.noteBest()
	sr.storeConstants()
	return true
}

// acceptOneShorter is like acceptShorter, but replaces only the first law that shortens the
// description.
func (sr *searcher) acceptOneShorter(laws []*candidate, over func() bool) bool {
	for k, n := range laws {
		if n == nil || over() {
			continue
		}
		one := make([]*candidate, len(laws))
		one[k] = n
		if sr.acceptShorter(one, over) {
			return true
		}
	}
	return false
}
