package search

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/match"
	"github.com/physlib/lab/physlib/search/view"
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
	mixed := w.s.Mixed()
	if len(mixed) == 0 {
		return nil
	}
	v := make([]float64, w.s.Points())
	expr.Compile(t).Eval(v, w.s.Columns(), t.Params())
	apart := make([]bool, len(v)) // signs of the target and of t differ
	var known []int
	for i, y := range w.s.Y {
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
				if set>>k&1 == 1 && w.s.X[x][i] < 0 {
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
func (w *work) restore(law *factors, j *match.Join, c match.Combo, base int, lost []int) {
	law.m = append(view.Monomial(nil), law.m...)
	for _, x := range lost {
		if !w.absorb(law, j, c, base, x) {
			law.signed = append(law.signed, x)
		}
	}
}

// absorb multiplies the square of variable x into the first factor with a half power that can take
// it, and its power out of the monomial.
func (w *work) absorb(law *factors, j *match.Join, c match.Combo, base, x int) bool {
	for i, f := range c.Features {
		e := law.pick[base+i]
		if j.Features[f].Role != dictionary.Factor || e.free || e.sixths%6 == 0 || e.sixths%3 != 0 || !w.p.Clears(j.Features[f].Expr) {
			continue
		}
		if law.clear[i] == nil {
			law.clear[i] = make(view.Monomial, w.s.Lattice.Vars)
		}
		law.clear[i][x] += 2 * view.Sixth
		law.m[x] -= int16(2 * e.sixths)
		return true
	}
	return false
}
