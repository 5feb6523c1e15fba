package search

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/match"
	"github.com/physlib/lab/physlib/search/view"
)

// Signs. Logarithms lose the sign, so the product join finds x⁻²·(1 + y²/x²)^(-3/2) where the law
// is -x/(x² + y²)^(3/2). If the sign of a product differs from that of the target at some points,
// the product is multiplied by the signs of a few variables x. For this, x² is multiplied into a
// factor that has a half-integer power, so that an odd power of x remains outside. If there is no
// such factor, the law is multiplied by |x|/x.

// agreeing is the least fraction of the points at which a product with corrected signs must have
// the sign of the target. Different signs at the remaining points are attributed to noise.
const agreeing = 0.95

// lostSigns returns the variables by whose signs t must be multiplied so that it has the signs of
// h(y), up to an overall sign. It returns none if t has these signs already, or if no set of
// variables gives them.
func (w *work) lostSigns(t expr.Tree, h transform) []int {
	mixed := w.space.Mixed()
	if len(mixed) == 0 {
		return nil
	}
	v, n := w.evaluated(t), 0.0
	signs := w.valuesOf(h) // signs of h(y)/t; 0 where unknown
	for i, hy := range signs {
		signs[i] = 0
		if hy*v[i] < 0 || hy*v[i] > 0 {
			signs[i] = math.Copysign(1, hy*v[i])
			n++
		}
	}
	for set := range 1 << len(mixed) {
		var lost []int
		product := slices.Clone(signs)
		for k, x := range mixed {
			if set>>k&1 == 1 {
				lost = append(lost, x)
				floats.Mul(product, column.Map(w.space.X[x], func(x float64) float64 { return math.Copysign(1, x) }))
			}
		}
		if math.Abs(floats.Sum(product)) >= (2*agreeing-1)*n {
			return lost
		}
	}
	return nil
}

// restore multiplies law by the signs of the variables in lost.
func (w *work) restore(law *factors, j *match.Join, c match.Combo, lost []int) {
	for _, x := range lost {
		if !w.absorb(law, j, c, x) {
			law.signed = append(law.signed, x)
		}
	}
}

// absorb multiplies the square of variable x into the first suitable factor with a half-integer
// power, and divides the monomial by the corresponding power of x. It reports whether there is such
// a factor.
func (w *work) absorb(law *factors, j *match.Join, c match.Combo, x int) bool {
	for i, f := range c.Features {
		e := law.pick[len(j.Base)+i]
		if j.Features[f].Role != dictionary.Factor || e.free || e.sixths%6 == 0 || e.sixths%3 != 0 || !w.pool.Clears(j.Features[f].Expr) {
			continue
		}
		if law.clear[i] == nil {
			law.clear[i] = make(view.Monomial, w.space.Lattice.Vars)
		}
		law.clear[i][x] += 2 * view.SixthsInOne
		law.m[x] -= int16(2 * e.sixths)
		return true
	}
	return false
}
