package motion

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// mostSwaps is the largest number of laws that swaps returns.
const mostSwaps = 3

// swapSearch looks for sums in which two terms of a library replace one term of a law. Under noise,
// one term can imitate the sum of two others, as x^(7/2) imitates a·x + b·x⁴. Changes of one term
// at a time do not lead from one to the other. The effects on the trajectories are calculated to
// first order.
type swapSearch struct {
	g       *tangent
	law     sum
	own     [][]float64 // effects of the terms of law, without the effects of starting values
	terms   []expr.Tree // terms of the library
	effects [][]float64 // their effects
	// price returns the complexity of another law, in bits, relative to that of law.
	price func(expr.Tree) float64
}

// swap is a sum in which the terms a and b of the library replace term j of the law.
type swap struct {
	j, a, b int
	bits    float64 // expected reduction of the description length
}

// swaps returns laws in which two terms of the library replace a term of the chosen law of equation
// k. The best are first, and there are at most mostSwaps. Each is expected to save at least
// leastGain bits. There are none if g is nil, or if the chosen law is not a sum of terms without
// inner constants.
func (sr *searcher) swaps(ctx context.Context, k int, g *tangent) (out []expr.Tree) {
	if g == nil {
		return nil
	}
	s, ok := asSum(sr.best[k].tree, g.cols)
	if !ok {
		return nil
	}
	q := swapSearch{g: g, law: s, price: func(t expr.Tree) float64 {
		return sr.complexity(factored(t.AbsorbParams(), len(sr.names), sr.complexity)) - sr.best[k].bits
	}}
	for _, t := range s.terms {
		v := g.effect(k, t)
		if v == nil || t.NumParams() > 0 {
			return nil
		}
		g.free(v)
		q.own = append(q.own, v)
	}
	for _, t := range sr.termsFor(k) {
		if ctx.Err() != nil {
			return nil
		}
		if v := g.effect(k, t); v != nil && t.NumParams() == 0 {
			g.free(v)
			q.terms, q.effects = append(q.terms, t), append(q.effects, v)
		}
	}
	var found []swap
	for j, t := range s.terms {
		if len(t.Vars()) > 0 && ctx.Err() == nil {
			found = append(found, q.of(j)...)
		}
	}
	slices.SortStableFunc(found, func(a, b swap) int { return cmp.Compare(b.bits, a.bits) })
	for _, f := range found[:min(len(found), mostSwaps)] {
		if r := q.sum(f); r.coefs != nil {
			out = append(out, r.tree())
		}
	}
	return out
}

// of returns the swaps of term j.
func (q *swapSearch) of(j int) (found []swap) {
	var base [][]float64 // orthonormal effects of the other terms
	for i, v := range q.own {
		if i == j {
			continue
		}
		if u := orthogonal(base, slices.Clone(v), 1e-6); u != nil {
			base = append(base, u)
		}
	}
	rest := q.rest(j)
	for _, u := range base {
		subtract(rest, u, dot(rest, u))
	}
	units, along := make([][]float64, len(q.effects)), make([]float64, len(q.effects))
	for i, v := range q.effects {
		if units[i] = orthogonal(base, slices.Clone(v), 1e-6); units[i] != nil {
			along[i] = dot(units[i], rest)
		}
	}
	total, n := dot(rest, rest), float64(len(rest))
	for a, u := range units {
		for b, w := range units[:a] {
			if u == nil || w == nil {
				continue
			}
			c := dot(u, w)
			if 1-c*c < 1e-6 { // nearly the same effect
				continue
			}
			explained := (along[a]*along[a] + along[b]*along[b] - 2*c*along[a]*along[b]) / (1 - c*c)
			f := swap{j, a, b, n/2*math.Log2(q.g.cost/max(total-explained, 1e-9*q.g.cost)) - math.Log2(n)/2}
			if f.bits < leastGain {
				continue
			}
			if f.bits -= q.price(q.swapped(f).tree()); f.bits >= leastGain {
				found = append(found, f)
			}
		}
	}
	return found
}

// rest returns the residuals that remain if term j is left out.
func (q *swapSearch) rest(j int) []float64 {
	rest := slices.Clone(q.g.rest)
	subtract(rest, q.own[j], -q.law.coefs[j])
	return rest
}

// swapped returns the sum of f with the coefficients 1 for the new terms.
func (q *swapSearch) swapped(f swap) sum {
	return q.law.without(f.j).with(addition{term: q.terms[f.a], coef: 1}).with(addition{term: q.terms[f.b], coef: 1})
}

// sum returns the sum of f with its coefficients. They are nil if they cannot be calculated.
func (q *swapSearch) sum(f swap) sum {
	r := q.swapped(f)
	effects := append(slices.Delete(slices.Clone(q.own), f.j, f.j+1), q.effects[f.a], q.effects[f.b])
	change := leastSquares(effects, q.rest(f.j))
	if change == nil {
		return sum{}
	}
	for i, v := range change {
		if i < len(r.coefs)-2 {
			v += r.coefs[i]
		}
		r.coefs[i] = v
	}
	return r
}
