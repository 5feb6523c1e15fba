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

// sums adds a + k·b for the pairs whose costs sum to c with that of k.
func (p *Pool) sums(ctx context.Context, c int) {
	for _, extra := range []int{1, 3} {
		ks := addends[:2]
		if extra == 3 {
			ks = addends[2:]
		}
		for ca := 1; ca < c-extra; ca++ {
			cb := c - extra - ca
			if cb < 1 || extra == 1 && cb < ca {
				continue
			}
			for _, a := range p.levels[ca] {
				if ctx.Err() != nil {
					return
				}
				for _, b := range p.levels[cb] {
					if p.full {
						return
					}
					if a == b || extra == 1 && ca == cb && b < a || p.nodes[a].shape == shift && p.nodes[b].shape == shift {
						continue
					}
					for _, k := range ks {
						p.plus(a, b, k, c)
					}
				}
			}
		}
	}
}

// plus adds a + k·b at cost c, as add does.
func (p *Pool) plus(a, b int32, k float64, c int) (id int32, ok bool) {
	floats.AddScaledTo(p.tmp, p.Values(a), k, p.Values(b))
	return p.add(node{shape: sum, l: a, r: b, k: k, cost: int16(c), trans: p.nodes[a].trans || p.nodes[b].trans})
}

// products adds a·b for the pairs whose costs sum to c.
func (p *Pool) products(ctx context.Context, c int) {
	for ca := 1; ca <= c-1; ca++ {
		cb := c - ca
		if cb < ca {
			break
		}
		for _, a := range p.levels[ca] {
			if ctx.Err() != nil {
				return
			}
			for _, b := range p.levels[cb] {
				if p.full {
					return
				}
				if p.nodes[a].shape == leaf && p.nodes[b].shape == leaf || ca == cb && b < a {
					continue
				}
				floats.MulTo(p.tmp, p.Values(a), p.Values(b))
				p.add(node{shape: times, l: a, r: b, cost: int16(c), trans: p.nodes[a].trans || p.nodes[b].trans})
			}
		}
	}
}

// variablePowers adds a**e for products and binomials a, where e is a dimensionless variable within
// the range of exponents. Examples are γ of a gas and the order of a growth law.
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
