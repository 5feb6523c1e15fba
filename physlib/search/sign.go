package search

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// Signs. Logarithms know only sizes, so the product join may find -x/(x² + y²)^(3/2) as x⁻²·(1 +
// y²/x²)^(-3/2), which has no sign. Where a product has another sign than the target at some
// points, the signs of a few variables make the difference: with x² multiplied into the power of
// the factor, the power of x outside becomes odd. Where no factor can take it, |x|/x is written.

// agreeing is the share of the points at which the signs must be those of the target, except for
// noise.
const agreeing = 0.95

// lostSigns are variables of which the product of the signs makes the signs of t those of h's
// target, up to that of the whole; none where t has them already, or no variables do it.
func (w *work) lostSigns(t expr.Tree, h transform) []int {
	mixed := w.s.mixed()
	if len(mixed) == 0 {
		return nil
	}
	v := make([]float64, w.s.points())
	expr.Compile(t).Eval(v, w.s.columns(), t.Params())
	apart := make([]bool, len(v)) // signs of the target and of t differ
	var known []int
	for i, y := range w.s.y {
		if product := h.value(i, y) * v[i]; product != 0 && !math.IsNaN(product) {
			known = append(known, i)
			apart[i] = product < 0
		}
	}
	for set := range 1 << len(mixed) {
		differ := 0
		for _, i := range known {
			d := apart[i]
			for k, x := range mixed {
				if set>>k&1 == 1 && w.s.x[x][i] < 0 {
					d = !d
				}
			}
			if d {
				differ++
			}
		}
		if float64(max(differ, len(known)-differ)) < agreeing*float64(len(known)) {
			continue
		}
		var lost []int
		for k, x := range mixed {
			if set>>k&1 == 1 {
				lost = append(lost, x)
			}
		}
		return lost
	}
	return nil
}

// restore gives law the signs of the variables lost.
func (w *work) restore(law *factors, j *join, c combo, base int, lost []int) {
	law.m = append(mono(nil), law.m...)
	for _, x := range lost {
		if !w.absorb(law, j, c, base, x) {
			law.signed = append(law.signed, x)
		}
	}
}

// absorb multiplies the square of variable x into the first factor with a half power that can take
// it, and its power out of the monomial.
func (w *work) absorb(law *factors, j *join, c combo, base, x int) bool {
	for i, f := range c.feats {
		e := law.pick[base+i]
		if j.feats[f].role != asFactor || e.free || e.sixths%6 == 0 || e.sixths%3 != 0 || !w.p.clears(j.feats[f].atom) {
			continue
		}
		if law.clear[i] == nil {
			law.clear[i] = make(mono, w.s.lat.n)
		}
		law.clear[i][x] += 2 * sixth
		law.m[x] -= int16(2 * e.sixths)
		return true
	}
	return false
}
