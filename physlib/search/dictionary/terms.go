package dictionary

import (
	"iter"
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/view"
)

// powersOfTerms are the powers, times two, of an expression in a term, with their costs.
var powersOfTerms = [...]struct{ half, cost int8 }{{2, 0}, {-2, 0}, {1, 1}, {-1, 1}, {4, 1}, {-4, 1}}

// Terms yields the terms of role r with the dimension of origin, by rising cost. A term is a
// monomial, or a monomial times a power of an expression. The size/4 cheapest monomials come early,
// so that long products do not come after many sums. The term 1 is not yielded for the role Share,
// since 1·target is the target itself.
func (p *Pool) Terms(origin view.Monomial, r Role, size int) iter.Seq[Feature] {
	return func(yield func(Feature) bool) {
		monos := p.Space.Lattice.Cheapest(origin, 6, max(200, min(size/3, 3000)))
		byCost := map[int][]view.Monomial{}
		for _, m := range monos {
			byCost[m.Extra] = append(byCost[m.Extra], m.Monomial)
		}
		binomials := p.binomials(monos, r)
		monomial := func(m view.Monomial, cost int) bool {
			return r == Share && m.IsOne() || yield(Feature{Role: r, Monomial: m, Expr: -1, Cost: cost})
		}
		for total := 0; total <= mostTermCost; total++ {
			for _, m := range byCost[total] {
				if !monomial(m, total) {
					return
				}
			}
			// Long products, such as a Π group of seven variables, come before sums of short ones.
			if total == 3 {
				for _, m := range monos[:min(len(monos), size/4)] {
					if !monomial(m.Monomial, m.Extra) {
						return
					}
				}
			}
			for _, f := range binomials[total] {
				if !yield(f) {
					return
				}
			}
			if !p.powersOf(byCost, r, total, yield) {
				return
			}
		}
	}
}

// mostTermCost is the greatest cost of a term.
const mostTermCost = 24

// powersOf yields the terms that contain an expression and have the given total cost. ok is false
// if yield returned false.
func (p *Pool) powersOf(byCost map[int][]view.Monomial, r Role, total int, yield func(Feature) bool) (ok bool) {
	for ca := 1; ca <= total && ca < len(p.levels); ca++ {
		for _, a := range p.levels[ca] {
			nd := &p.nodes[a]
			if nd.shape == leaf || p.binomial(a) || r == Share && !p.share(a) || nd.shape == times && p.plain(a) {
				continue
			}
			for _, pw := range powersOfTerms {
				if r == Share && pw.half != 2 || nd.shape == apply && repeats(nd.fn, int(pw.half)) {
					continue
				}
				price := int(pw.cost)
				if pw.half == 4 && nd.shape == apply {
					price = 0 // the square of a function, such as sin², has no extra cost
				}
				for _, m := range byCost[total-ca-price] {
					if !yield(Feature{Role: r, Monomial: m, Expr: a, Half: pw.half, Cost: total}) {
						return false
					}
				}
			}
		}
	}
	return true
}

// binomial reports whether an expression is 1 ± q with a short product q.
func (p *Pool) binomial(a int32) bool {
	n := p.nodes[a]
	return n.shape == shift && math.Abs(n.k) == 1 && p.nodes[n.l].shape == leaf && n.cost <= 3
}

// binomials returns the terms M·(1 ± q)^p, grouped by cost. Here q is a ratio n/d of products, so
// the term equals M'·(d ± n)^p for another monomial M'. If this form is shorter, the term has the
// cost of this form. For example, x₁²·(1 - x₂/x₁)² costs as much as (x₁ - x₂)².
func (p *Pool) binomials(monos []view.Priced, r Role) map[int][]Feature {
	out := map[int][]Feature{}
	if r == Share {
		return out
	}
	room := 400_000
	least := monos[0].Monomial.Cost()
	for c := 2; c <= 3 && c < len(p.levels); c++ {
		for _, a := range p.levels[c] {
			if !p.binomial(a) {
				continue
			}
			q := p.monos[p.nodes[p.nodes[a].l].l]
			below := make(view.Monomial, len(q)) // d, the denominator of q
			for i, e := range q {
				below[i] = max(-e, 0)
			}
			for _, pw := range powersOfTerms {
				if !below.Divisible(int(pw.half), 2) {
					continue
				}
				for _, m := range monos {
					if room--; room < 0 {
						return out
					}
					m := m.Monomial
					cost := m.Plus(below, -int(pw.half), 2).Cost() + q.Cost() + int(pw.cost) - least
					cost = max(cost, 0)
					out[cost] = append(out[cost], Feature{Role: r, Monomial: m, Expr: a, Half: pw.half, Cost: cost})
				}
			}
		}
	}
	return out
}

// share reports whether expression a may occur in a term of the denominator. It may if it is a
// product of powers, a transcendental function, or a product of these. Sums and their squares are
// excluded: with them, identities such as y = y·(1+a) - y·a would count as laws.
func (p *Pool) share(a int32) bool {
	n := p.nodes[a]
	switch n.shape {
	case times:
		return p.share(n.l) && p.share(n.r)
	case leaf:
		return true
	case apply:
		return !power(n.fn)
	}
	return false
}

// plain reports whether the product a has a monomial as a factor. Terms do not use such a product,
// since each term has a monomial factor anyway.
func (p *Pool) plain(a int32) bool {
	n := p.nodes[a]
	return p.nodes[n.l].shape == leaf || p.nodes[n.r].shape == leaf
}

// Transcends reports whether an expression is a power with a variable exponent, or a transcendental
// function. The argument of the function must be a product of whole powers, or the sum or
// difference of two variables.
func (p *Pool) Transcends(a int32) bool {
	n := p.nodes[a]
	arg := p.nodes[n.l]
	return n.shape == raised || n.transcendental && n.shape == apply && n.k == 1 && p.plainArgument(n.l) &&
		(arg.shape == sum || p.monos[arg.l].Divisible(1, view.SixthsInOne))
}

// repeats reports whether the power half/2 of a function fn can also be written with a simpler
// expression.
func repeats(fn expr.Op, half int) bool { return half != 2 && (power(fn) || fn == expr.Exp) }

// power reports whether fn is a power of its operand.
func power(fn expr.Op) bool { return fn == expr.Sqrt || fn == expr.Square || fn == expr.Inv }
