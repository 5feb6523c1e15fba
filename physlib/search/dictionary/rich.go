package dictionary

import (
	"iter"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/view"
)

// powersOfRich are the powers of rich terms, in halves, with their price.
var powersOfRich = [...]struct{ half, cost int8 }{{2, 0}, {-2, 1}, {1, 1}, {4, 1}, {-1, 2}, {-4, 2}}

// Rich yields terms that are no sums of products of the variables, by rising cost: the monomials of
// near times a power of an expression.
func (p *Pool) Rich(near []view.Priced) iter.Seq[Feature] {
	byCost := map[int][]view.Monomial{}
	for _, m := range near {
		byCost[m.Extra] = append(byCost[m.Extra], m.Monomial)
	}
	return func(yield func(Feature) bool) {
		for total := 1; total <= 16; total++ {
			for ca := 1; ca <= total && ca < len(p.levels); ca++ {
				for _, a := range p.levels[ca] {
					if !p.richOf(a, ca, total, byCost, yield) {
						return
					}
				}
			}
		}
	}
}

// richOf yields the rich terms of expression a and of a total cost; ok is false when yield is.
func (p *Pool) richOf(a int32, cost, total int, byCost map[int][]view.Monomial, yield func(Feature) bool) (ok bool) {
	nd := &p.nodes[a]
	if p.Polynomial(a) && nd.shape != shift || nd.shape == times && p.plain(a) {
		return true
	}
	for _, pw := range powersOfRich {
		if pw.half > 0 && pw.half%2 == 0 && nd.shape == shift || p.Repeats(a, int(pw.half)) {
			continue
		}
		for _, m := range byCost[total-cost-int(pw.cost)] {
			if !yield(Feature{Role: Term, Monomial: m, Expr: a, Half: pw.half, Cost: total}) {
				return false
			}
		}
	}
	return true
}

// Polynomial reports whether expression i is a sum of products of the variables.
func (p *Pool) Polynomial(i int32) bool {
	switch n := p.nodes[i]; n.shape {
	case leaf:
		return true
	case shift:
		return p.Polynomial(n.l)
	case sum, times:
		return p.Polynomial(n.l) && p.Polynomial(n.r)
	}
	return false
}

// Repeats reports whether a simpler expression is i^(half/2).
func (p *Pool) Repeats(i int32, half int) bool {
	return p.nodes[i].shape == apply && repeats(p.nodes[i].fn, half)
}

// IsMonomial reports whether expression i is a monomial.
func (p *Pool) IsMonomial(i int32) bool { return p.nodes[i].shape == leaf }

// IsFunction reports whether expression i is a function of another one.
func (p *Pool) IsFunction(i int32) bool { return p.nodes[i].shape == apply }

// Transcends reports whether sums of products of the variables and of expression i give new ratios.
// That is if i is not a polynomial, nor simply related to another expression.
func (p *Pool) Transcends(i int32) bool {
	n := &p.nodes[i]
	switch n.shape {
	case shift:
		return false
	case times:
		return !p.plain(i) && !p.Polynomial(i)
	case apply:
		return n.fn != expr.Inv && n.fn != expr.Square
	}
	return !p.Polynomial(i)
}

// Variables returns the mask of the variables that expression i holds.
func (p *Pool) Variables(i int32) uint64 {
	n := p.nodes[i]
	switch n.shape {
	case leaf:
		return p.monos[n.l].Variables()
	case sum, times, raised:
		return p.Variables(n.l) | p.Variables(n.r)
	}
	return p.Variables(n.l)
}
