package motion

import (
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// A law can imitate a polynomial by large terms that nearly cancel, such as v + log(1 - c*v)/c for
// a small c. Such terms need constants of many digits. In the limit, the law is a sum of library
// terms, which is shorter. A law whose numerator and denominator have nearly the same zero between
// the data is also a shorter one (see reducedDenominators).
const (
	// Least ratio of the ranges of two terms to the range of their sum for which they nearly
	// cancel.
	nearlyCancelled = 5
	limitSums       = 3 // number of sums that are tried in the place of such a law
)

// replaceCancelling replaces chosen laws whose terms or factors nearly cancel by sums of library
// terms with nearly the same rates, if this shortens the description. Like prune, it also works
// after the time is up.
func (sr *searcher) replaceCancelling(ctx context.Context) {
	over := sr.polishTimer(ctx)
	for k := range sr.numLaws() {
		c := sr.best[k]
		if c == nil || sr.shot == nil {
			continue
		}
		rows := sr.rateColumns(k)
		reduced := reducedTerms(c.tree, rows)
		if len(reduced) == 0 && !cancelling(c.tree, rows) {
			continue
		}
		for _, t := range sr.limitSums(ctx, k, reduced) {
			c, _ := sr.offer(k, t)
			if c == nil || over() || ctx.Err() == context.Canceled {
				continue
			}
			trial := slices.Clone(sr.best)
			trial[k] = c
			shot, score := sr.evaluate(trial, nil, func(float64, int) bool { return over() })
			if shot.Lost == 0 && score < sr.total {
				sr.best[k].shot = nil // the replaced law does not become a rival
				sr.best, sr.shot, sr.total = trial, shot, score
				sr.noteBest()
				sr.storeConstants()
			}
		}
	}
}

// cancelling reports whether t has a sum or difference of two terms with free constants that nearly
// cancel on the rows of cols.
func cancelling(t expr.Tree, cols [][]float64) bool {
	v := make([]float64, len(cols[0]))
	spread := func(part expr.Tree) float64 {
		expr.Compile(part).Eval(v, cols, t.Params())
		return slices.Max(v) - slices.Min(v)
	}
	for i, n := range t.Nodes() {
		if n.Op != expr.Add && n.Op != expr.Sub {
			continue
		}
		args := t.Subtree(i).Args()
		if args[0].NumParams() > 0 && args[1].NumParams() > 0 &&
			min(spread(args[0]), spread(args[1])) > nearlyCancelled*spread(t.Subtree(i)) {
			return true
		}
	}
	return false
}

// limitSums returns the sums of library terms without constants inside that best describe the rates
// of the chosen law of equation k. The terms more are added to the library.
func (sr *searcher) limitSums(ctx context.Context, k int, more []expr.Tree) (out []expr.Tree) {
	cols := sr.rateColumns(k)
	l := &termMatrix{x: cols, y: make([]float64, len(cols[0])), w: slices.Repeat([]float64{1}, len(cols[0]))}
	expr.Compile(sr.best[k].tree).Eval(l.y, cols, sr.best[k].tree.Params())
	for _, t := range sr.termsFor(k) {
		if t.NumParams() == 0 {
			l.take(t)
		}
	}
	for _, t := range more {
		l.take(t)
	}
	if len(l.trees) == 0 || slices.ContainsFunc(l.y, func(v float64) bool { return v-v != 0 }) {
		return nil
	}
	always := context.WithoutCancel(ctx)
	b := l.beam(always, func(t expr.Tree) float64 { return sr.complexity(t) + coefBits })
	b.floor = math.Pow(nearly, 2) * b.cost
	for _, s := range b.sums(always) {
		if fitted := l.fitted(s.terms); fitted.terms != nil {
			if out = append(out, fitted.tree()); len(out) == limitSums {
				break
			}
		}
	}
	return out
}
