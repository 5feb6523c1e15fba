package motion

import (
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// exponents are the changes of an exponent between the least and the greatest value of its column,
// at which fits of its constant start. They differ by a factor so small that an exponential is a
// good approximation of the next one times a constant.
var exponents = []float64{0.5, 0.8, 1.2, 1.8, 2.7, 4, 6, 9, 14}

const mostExponential = 4 // largest number of columns for which exponentials are sought

// exponentials returns libraries that each contain one exponential with a constant inside, alone
// and multiplied by products of other columns, besides products of columns. The exponentials are
// those of a column, as in a diode, and of its reciprocal, as in the rate constant of Arrhenius.
func (l *termMatrix) exponentials() (out []*termMatrix) {
	if len(l.x) > mostExponential {
		return nil
	}
	ap := expr.Apply
	products := monomials(l.x, 2)
	for j, x := range l.x {
		low, high := slices.Min(x), slices.Max(x)
		for _, e := range exponents {
			inside := []expr.Tree{
				ap(expr.Mul, expr.C(0, e/(high-low)), expr.X(j)),
				ap(expr.Mul, expr.C(0, -e/(high-low)), expr.X(j)),
			}
			if low > 0 {
				inside = append(inside, ap(expr.Div, expr.C(0, -e/(1/low-1/high)), expr.X(j)))
			}
			for _, u := range inside {
				r := &termMatrix{y: l.y, x: l.x, w: l.w}
				for _, m := range products {
					r.take(m.tree)
					if !slices.Contains(m.tree.Vars(), j) {
						r.take(ap(expr.Mul, m.tree, ap(expr.Exp, u)).Simplify())
					}
				}
				out = append(out, r)
			}
		}
	}
	return out
}
