package column

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
)

// negligible lists the thresholds that Sift tries one after the other. A column does not matter if
// the norm of its term, relative to the norm of the target, is at most the threshold. No single
// threshold suffices, since a column that matters may contribute as little as the rounding errors
// of a column that does not.
var negligible = [...]float64{1e-11, 1e-9, 1e-7, 1e-6}

// Sift writes t as a linear combination of a few columns. It returns their indices and their
// coefficients. most is the largest number of these columns, and eps the largest relative error.
// Sift returns nil if t is no combination of all columns, or if too many columns matter.
func Sift(cols [][]float64, t []float64, most int, eps float64) (kept []int, coef []float64) {
	for i := range cols {
		kept = append(kept, i)
	}
	scale := math.Sqrt(Dot(t, t))
	for _, least := range negligible {
		for fewer := true; fewer; {
			some := dataset.Pick(cols, kept)
			c, _, ok := LeastSquares(some, t)
			res := append([]float64(nil), t...)
			for i, v := range some {
				floats.AddScaled(res, -c[i], v)
			}
			if !ok || !(math.Sqrt(Dot(res, res)) <= eps*scale) {
				return nil, nil
			}
			var next []int
			coef = coef[:0]
			for i, v := range some {
				if math.Abs(c[i])*math.Sqrt(Dot(v, v)) > least*scale {
					next, coef = append(next, kept[i]), append(coef, c[i])
				}
			}
			fewer = len(next) < len(kept)
			kept = next
		}
		if len(kept) <= most {
			return kept, coef
		}
	}
	return nil, nil
}
