package dictionary

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
)

// Sums, products, quotients and powers of the expressions in the pool.

// shifts are the values of k in 1 + k·a; the first two cost less.
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
				p.add(node{shape: shift, l: a, k: k, cost: int16(c), transcendental: p.nodes[a].transcendental})
				v = p.Values(a)
			}
		}
	}
}

// addends are the values of k in a + k·b; the first two cost less.
var addends = []float64{1, -1, 2, -2, 0.5, -0.5}

// pairsOf calls do with each pair of expressions whose costs sum to c, until the pool is full or
// ctx ends. If ordered is false, each pair comes in one order only.
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

// plus adds a + k·b at cost c and returns the results of add.
func (p *Pool) plus(a, b int32, k float64, c int) (id int32, ok bool) {
	floats.AddScaledTo(p.tmp, p.Values(a), k, p.Values(b))
	return p.add(node{shape: sum, l: a, r: b, k: k, cost: int16(c), transcendental: p.nodes[a].transcendental || p.nodes[b].transcendental})
}

// products adds a·b for all pairs whose costs sum to c, except pairs of two monomials.
func (p *Pool) products(ctx context.Context, c int) {
	p.pairsOf(ctx, c, false, func(a, b int32) {
		if p.nodes[a].shape == leaf && p.nodes[b].shape == leaf {
			return
		}
		floats.MulTo(p.tmp, p.Values(a), p.Values(b))
		p.add(node{shape: times, l: a, r: b, cost: int16(c), transcendental: p.nodes[a].transcendental || p.nodes[b].transcendental})
	})
}

// variablePowers adds a**e, where a is a monomial m or 1 + k·m. The exponent e is a dimensionless
// variable with values between -12 and 12, such as the heat capacity ratio γ of a gas.
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
			ve, va := p.Values(e), p.Values(a)
			for j, x := range va {
				p.tmp[j] = math.Pow(x, ve[j])
			}
			if slices.Min(va) > 0 {
				p.add(node{shape: raised, l: a, r: e, cost: int16(c), transcendental: true})
			}
		}
	}
}
