package dictionary

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
)

// Functions and peaks with free inner constants. For each, the pool contains several expressions,
// whose constants have values from a grid. Fits start from these values.

// gridSpan lists the starting values of an inner constant k in f(k·a), in units of 1/(mean of |a|).
var gridSpan = []float64{0.05, 0.1, 0.2, 0.4, 0.7, 1, 1.4, 2, 2.8, 4, 8, 16}

// gridFunctions adds f(k·a) at cost c for the monomials a of cost level. The values of k are those
// of gridSpan divided by the mean of |a|.
func (p *Pool) gridFunctions(f fn, c, level int) {
	if level > 2 {
		return
	}
	for _, a := range p.levels[level] {
		n := p.nodes[a]
		if p.full || n.transcendental || n.shape != leaf {
			continue
		}
		scale := floats.Norm(p.Values(a), 1) / float64(p.Space.Points())
		if scale == 0 || math.IsInf(scale, 0) {
			continue
		}
		for _, g := range gridSpan {
			for _, sign := range []float64{1, -1} {
				if sign < 0 && f.op != expr.Exp {
					continue
				}
				k := sign * g / scale
				evaluate(f.op, p.tmp, p.Values(a), k)
				p.add(node{shape: apply, fn: f.op, l: a, k: k, grid: true, cost: int16(c), transcendental: true})
			}
		}
	}
}

// peaks adds Gaussian and Lorentzian peaks along the simplest monomials. Their positions and widths
// come from a grid.
func (p *Pool) peaks(c int) {
	if !p.grid || c != 2 {
		return
	}
	for _, a := range p.levels[1] {
		v := slices.Sorted(slices.Values(p.Values(a)))
		span := v[len(v)-1] - v[0]
		for _, width := range []float64{0.02, 0.05, 0.12, 0.3} {
			for place := 1; place < 20; place++ {
				mid, k := v[place*(len(v)-1)/20], 1/(width*span)
				for _, fn := range []expr.Op{expr.Exp, expr.Inv} {
					for j, x := range p.Values(a) {
						d := k * (x - mid)
						if fn == expr.Exp {
							p.tmp[j] = math.Exp(-d * d)
						} else {
							p.tmp[j] = 1 / (1 + d*d)
						}
					}
					p.add(node{shape: peak, fn: fn, l: a, k: k, mid: mid, grid: true, cost: int16(c), transcendental: true})
				}
			}
		}
	}
}
