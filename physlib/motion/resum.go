package motion

import (
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// mostResummed is the largest number of sums that resummed returns.
const mostResummed = 6

// resum tries, for each equation, the sums of library terms that best describe the trajectories
// near those of the chosen law. It reports whether one of them replaces the chosen law.
//
// Under noise, one term can imitate a sum of others, as x^(7/2) imitates a·x + b·x⁴. Changes of one
// term at a time do not lead from one to the other, and integral matching, which depends on
// smoothed states, may rate both alike. But the trajectories of the two laws are close to each
// other. So the effects of all terms on the trajectories of the chosen law are added to first
// order, and the sums are selected by a beam search, as in integral matching.
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
			n, _ := sr.offer(k, t)
			if n != nil && n != c && (n.shot == nil || n.level != sr.level || n.others != sr.others(k)) {
				fresh[k] = append(fresh[k], n)
			}
		}
	}
	if ctx.Err() != nil || !slices.ContainsFunc(fresh, func(l []*candidate) bool { return len(l) > 0 }) {
		return false
	}
	before := slices.Clone(sr.best)
	sr.together(ctx, 1, fresh)
	return !slices.Equal(before, sr.best)
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
	for _, t := range sr.unlike(terms) {
		if ctx.Err() != nil {
			return nil
		}
		v := g.effect(k, t)
		if v == nil {
			continue
		}
		whole := math.Sqrt(dot(v, v))
		g.free(v)
		size := math.Sqrt(dot(v, v))
		if !(size > 1e-9*whole) || math.IsInf(size, 0) {
			continue
		}
		for i := range v {
			v[i] /= size
		}
		m.trees, m.cols, m.size = append(m.trees, t), append(m.cols, v), append(m.size, size)
	}
	rows := float64(len(y))
	b := m.beam(ctx, func(t expr.Tree) float64 {
		return sr.complexity(t) + float64(t.NumParams())*(insideBits+math.Log2(rows)/2) + math.Log2(rows)/2
	})
	b.floor = rows * 0.3 * 0.3 // y is in standard errors
	families := map[uint64]bool{}
	for _, s := range b.sums(ctx) {
		if len(out) == mostResummed {
			break
		}
		if families[s.family] {
			continue
		}
		families[s.family] = true
		if r := m.fitted(s.terms); len(r.terms) > 0 {
			out = append(out, r.tree())
		}
	}
	return out
}
