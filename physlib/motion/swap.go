package motion

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

const (
	mostSwaps     = 3   // largest number of laws that swaps returns
	mostPriced    = 20  // largest number of swaps for each term whose laws are priced exactly
	mostSwapTerms = 500 // largest number of library terms of which pairs are tried
)

// swapSearch looks for sums in which two terms of a library replace one term of a law. Under noise,
// one term can imitate the sum of two others, as x^(7/2) imitates a·x + b·x⁴. Changes of one term
// at a time do not lead from one to the other. The effects on the trajectories are calculated to
// first order.
type swapSearch struct {
	g     *tangent
	k     int // index of the equation
	law   sum
	own   [][]float64   // effects of the terms of law, without the effects of starting values
	inner [][][]float64 // for each term of law: effects of the constants inside

	terms   []expr.Tree // terms of the library
	effects [][]float64 // their effects
	gram    []float64   // scalar products of all effects, row by row
	bits    []float64   // complexity of each term of the library
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
// leastGain bits. There are none if g is nil, or if the chosen law is not a sum.
func (sr *searcher) swaps(ctx context.Context, k int, g *tangent) (out []expr.Tree) {
	if g == nil {
		return nil
	}
	s, ok := asSum(sr.best[k].tree, g.cols)
	if !ok {
		return nil
	}
	q := &swapSearch{g: g, k: k, law: s, price: func(t expr.Tree) float64 {
		return sr.complexity(factored(t.AbsorbParams(), len(sr.names), sr.complexity)) - sr.best[k].bits
	}}
	if !q.setOwn() || !q.setTerms(ctx, sr.termsFor(k)) {
		return nil
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

// effect returns the effect of a term without the effects of starting values, or nil if the term is
// not defined in all rows.
func (q *swapSearch) effect(t expr.Tree) []float64 {
	v := q.g.effect(q.k, t)
	if v != nil {
		q.g.free(v)
	}
	return v
}

// setOwn calculates the effects of the terms of the law. ok is false if one is not defined.
func (q *swapSearch) setOwn() (ok bool) {
	for _, t := range q.law.terms {
		v := q.effect(t)
		if v == nil {
			return false
		}
		var inner [][]float64
		for slot := range t.NumParams() {
			if d := q.effect(t.DiffParam(slot).WithStarts(t.Params())); d != nil {
				inner = append(inner, d)
			}
		}
		q.own, q.inner = append(q.own, v), append(q.inner, inner)
	}
	return true
}

// setTerms calculates the effects of the library's terms. ok is false if ctx ends first.
func (q *swapSearch) setTerms(ctx context.Context, library []expr.Tree) (ok bool) {
	for _, t := range library[:min(len(library), mostSwapTerms)] {
		if ctx.Err() != nil {
			return false
		}
		v := q.effect(t)
		if v == nil {
			continue
		}
		size := math.Sqrt(dot(v, v))
		if !(size > 0) || math.IsInf(size, 0) {
			continue
		}
		q.terms, q.effects = append(q.terms, t), append(q.effects, v)
		bits := law.Complexity(t, len(q.g.cols))
		q.bits = append(q.bits, bits+float64(t.NumParams())*(insideBits+math.Log2(float64(len(q.g.rest)))/2))
	}
	n := len(q.effects)
	q.gram = make([]float64, n*n)
	for a, v := range q.effects {
		for b, w := range q.effects[:a+1] {
			c := floats.Dot(v, w)
			q.gram[a*n+b], q.gram[b*n+a] = c, c
		}
	}
	return true
}

// of returns the swaps of term j.
func (q *swapSearch) of(j int) (found []swap) {
	var base [][]float64 // orthonormal effects of the other terms and of the constants inside them
	for i, v := range q.own {
		if i == j {
			continue
		}
		for _, e := range append([][]float64{v}, q.inner[i]...) {
			if u := orthogonal(base, slices.Clone(e), 1e-6); u != nil {
				base = append(base, u)
			}
		}
	}
	rest := q.rest(j)
	for _, u := range base {
		subtract(rest, u, dot(rest, u))
	}
	n, rows := len(q.effects), float64(len(rest))
	total := dot(rest, rest)
	along, within := make([]float64, n), make([][]float64, n) // within: components along base
	for a, v := range q.effects {
		along[a] = floats.Dot(v, rest)
		for _, u := range base {
			within[a] = append(within[a], floats.Dot(v, u))
		}
	}
	free := make([]float64, n) // squared norm of each effect without its components along base
	for a := range free {
		if free[a] = q.gram[a*n+a] - floats.Dot(within[a], within[a]); free[a] < 1e-6*q.gram[a*n+a] {
			free[a] = 0
		}
	}
	for a := range n {
		for b := range a {
			c := q.gram[a*n+b] - floats.Dot(within[a], within[b])
			det := free[a]*free[b] - c*c
			if !(det > 1e-6*free[a]*free[b]) {
				continue // nearly the same effect
			}
			explained := (along[a]*along[a]*free[b] + along[b]*along[b]*free[a] - 2*c*along[a]*along[b]) / det
			bits := rows/2*math.Log2(q.g.cost/max(total-explained, 1e-9*q.g.cost)) - math.Log2(rows)/2
			if bits -= q.bits[a] + q.bits[b]; bits > -law.Complexity(q.law.terms[j], len(q.g.cols)) {
				found = append(found, swap{j, a, b, bits})
			}
		}
	}
	slices.SortStableFunc(found, func(x, y swap) int { return cmp.Compare(y.bits, x.bits) })
	found = found[:min(len(found), mostPriced)]
	for i, f := range found {
		inside := float64(q.terms[f.a].NumParams() + q.terms[f.b].NumParams())
		found[i].bits += q.bits[f.a] + q.bits[f.b] - q.price(q.swapped(f).tree()) - inside*(insideBits+math.Log2(rows)/2)
	}
	return slices.DeleteFunc(found, func(f swap) bool { return f.bits < leastGain })
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
