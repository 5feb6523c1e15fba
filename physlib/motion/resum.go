package motion

import (
	"context"
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// mostResummed is the largest number of sums that resummed returns.
const mostResummed = 6

// resum tries, for each equation, the sums of library terms that best describe the trajectories
// near those of the chosen law. It reports whether one of them replaces the chosen law.
//
// Under noise, one term can imitate a sum of others, as x^(7/2) imitates a·x + b·x⁴. Changes of one
// term at a time do not lead from one to the other. Integral matching depends on smoothed states,
// and may rate both alike. But the trajectories of the two laws are close to each other. So the
// effects of all terms on the trajectories of the chosen law are calculated to first order. As in
// integral matching, a beam search selects the sums.
func (sr *searcher) resum(ctx context.Context) (changed bool) {
	if sr.shot == nil || sr.shot.Rows > mostTested || ctx.Err() != nil {
		return false
	}
	g := sr.newTangent(ctx, sr.field(sr.trees()), sr.shot, sr.wins)
	if g == nil {
		return false
	}
	fresh := make([][]*candidate, len(sr.best))
	for k, c := range sr.best {
		if c == nil {
			continue
		}
		for _, t := range sr.resummed(ctx, k, g) {
			if n := sr.unscored(k, t); n != nil {
				fresh[k] = append(fresh[k], n)
			}
		}
	}
	return sr.replaceBy(ctx, fresh)
}

// resummed returns the sums of terms for the rate of equation k that have the shortest description
// to first order, the best first. The terms are those of the library, of the chosen law and of the
// laws of the other equations. g is the linearization of the chosen system.
func (sr *searcher) resummed(ctx context.Context, k int, g *tangent) (out []expr.Tree) {
	law := sr.best[k].tree
	y := g.effect(k, law)
	if y == nil {
		return nil
	}
	g.free(y)
	subtract(y, g.rest, -1)
	terms := append(sr.termsFor(k), sr.recurring(k)...)
	if s, ok := asSum(law, g.cols); ok {
		terms = append(terms, s.terms...)
	}
	m := termMatrix{y: y}
	column := func(t expr.Tree) (v []float64, whole float64) {
		if v = g.effect(k, t); v != nil {
			whole = math.Sqrt(dot(v, v))
			g.free(v)
		}
		return v, whole
	}
	for _, t := range distinctTerms(terms) {
		if ctx.Err() != nil {
			return nil
		}
		if v, whole := column(t); v != nil {
			m.add(t, v, whole)
		}
	}
	m.addSlopes(column)
	rows := float64(len(y))
	b := m.beam(ctx, sr.termPrice(rows, rows))
	b.floor = rows * 0.3 * 0.3 // y is in standard errors
	for s := range firstOfFamilies(b.sums(ctx)) {
		if len(out) == mostResummed {
			break
		}
		if r := m.fitted(s.terms); len(r.terms) > 0 {
			out = append(out, r.tree())
		}
	}
	return out
}
