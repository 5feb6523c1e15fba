package dictionary

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/search/column"
)

// Sums, products, quotients and powers of what the pool holds.

// shifts are the k of 1 + k·a; the first two cost less.
var shifts = []float64{1, -1, 2, -2, 0.5, -0.5, 3, -3, 4, -4, 1. / 3, -1. / 3, 0.25, -0.25}

// shifts adds 1 + k·a.
func (p *Pool) shifts(c int) {
	for extra := 1; extra <= 2; extra++ {
		if c-extra < 1 {
			continue
		}
		ks := shifts[:2]
		if extra == 2 {
			ks = shifts[2:]
		}
		for _, a := range p.levels[c-extra] {
			if p.nodes[a].shape == shift || p.full {
				continue
			}
			v := p.Values(a)
			for _, k := range ks {
				for j, x := range v {
					p.tmp[j] = 1 + k*x
				}
				p.add(node{shape: shift, l: a, k: k, cost: int16(c), trans: p.nodes[a].trans})
				v = p.Values(a)
			}
		}
	}
}

// addends are the k of a + k·b; the first two cost less.
var addends = []float64{1, -1, 2, -2, 0.5, -0.5}

// pairsOf calls do with the pairs of expressions whose costs sum to c, until the pool is full or
// ctx ends. If the order does not matter, each pair comes once.
func (p *Pool) pairsOf(ctx context.Context, c int, ordered bool, do func(a, b int32)) {
	for ca := 1; ca < c; ca++ {
		cb := c - ca
		if !ordered && cb < ca {
			return
		}
		for _, a := range p.levels[ca] {
			if ctx.Err() != nil {
				return
			}
			for _, b := range p.levels[cb] {
				if p.full {
					return
				}
				if ordered || ca != cb || a <= b {
					do(a, b)
				}
			}
		}
	}
}

// sums adds a + k·b for all pairs such that the costs of a, b and k sum to c.
func (p *Pool) sums(ctx context.Context, c int) {
	for _, of := range []struct {
		price int
		ks    []float64
	}{{1, addends[:2]}, {3, addends[2:]}} {
		p.pairsOf(ctx, c-of.price, of.price > 1, func(a, b int32) {
			if a == b || p.nodes[a].shape == shift && p.nodes[b].shape == shift {
				return
			}
			for _, k := range of.ks {
				p.plus(a, b, k, c)
			}
		})
	}
}

// plus adds a + k·b at cost c. It returns the results of add.
func (p *Pool) plus(a, b int32, k float64, c int) (id int32, ok bool) {
	floats.AddScaledTo(p.tmp, p.Values(a), k, p.Values(b))
	return p.add(node{shape: sum, l: a, r: b, k: k, cost: int16(c), trans: p.nodes[a].trans || p.nodes[b].trans})
}

// products adds a·b for all pairs whose costs sum to c, except those of two monomials.
func (p *Pool) products(ctx context.Context, c int) {
	p.pairsOf(ctx, c, false, func(a, b int32) {
		if p.nodes[a].shape == leaf && p.nodes[b].shape == leaf {
			return
		}
		floats.MulTo(p.tmp, p.Values(a), p.Values(b))
		p.add(node{shape: times, l: a, r: b, cost: int16(c), trans: p.nodes[a].trans || p.nodes[b].trans})
	})
}

// variablePowers adds a**e for monomials a and for a = 1 + k·m with a monomial m. The exponent e is
// a dimensionless variable between -12 and 12, such as γ of a gas or the order of a growth law.
func (p *Pool) variablePowers(c int) {
	if !p.powers || p.grid || c < 4 || c > 6 {
		return
	}
	bases := append([]int32(nil), p.levels[c-3]...)
	for _, a := range p.levels[c-2] {
		if p.nodes[a].shape == shift {
			bases = append(bases, a)
		}
	}
	for _, e := range p.levels[1] {
		n := p.nodes[e]
		if n.shape != leaf || !p.Space.Units && !p.monos[n.l].IsVariable() || !column.Within(p.Values(e), -12, 12) {
			continue
		}
		for _, a := range bases {
			if p.full {
				return
			}
			switch b := p.nodes[a]; {
			case a == e || b.shape != leaf && (b.shape != shift || int(b.cost) == c-3) || b.shape == shift && p.nodes[b.l].shape != leaf:
				continue
			}
			positive := true
			ve, va := p.Values(e), p.Values(a)
			for j, x := range va {
				positive = positive && x > 0
				p.tmp[j] = math.Pow(x, ve[j])
			}
			if positive {
				p.add(node{shape: raised, l: a, r: e, cost: int16(c), trans: true})
			}
		}
	}
}
