package discover

import (
	"math"

	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/mdl"
)

// precision returns the number of bits needed for the values of a fit's constants:
//
//	½ log₂ det(1 + M⁻¹),   M = Cov(ln |constants|).
//
// For one constant this is about log₂(|value|/stderr), the price of its precision (Wallace and
// Freeman, J. R. Stat. Soc. B 49, 240, 1987). If constants compensate for one another, only the
// combinations that the data determine cost bits. The sum is at least one bit and at most 40 bits
// for each constant. A constant without a finite error costs log₂(1 + √rows/rest), where rest is
// the residual relative to the target.
func precision(r fit.Result, rest float64) float64 {
	n := len(r.Params)
	bits, most := 0.0, 40*float64(n)
	var rel []float64 // relative errors of the constants with a finite error
	var at []int
	for i, v := range r.Params {
		switch s := r.StdErr[i] / math.Abs(v); {
		case s == 0:
			bits += 40
		case v == 0 || math.IsNaN(s):
			bits++
		case math.IsInf(s, 1):
			bits += min(math.Log2(1+math.Sqrt(float64(r.Rows))/rest), 40)
		default:
			rel, at = append(rel, s), append(at, i)
		}
	}
	k := len(at)
	corr, open := make([]float64, k*k), make([]float64, k*k)
	for a, i := range at {
		for b, j := range at {
			c := r.Cov[i*n+j] / math.Sqrt(r.Cov[i*n+i]*r.Cov[j*n+j])
			if a == b || math.IsNaN(c) {
				c = float64(max(0, 1-max(a-b, b-a)))
			}
			corr[a*k+b] = c
			open[a*k+b] = c * min(rel[a], 1e9) * min(rel[b], 1e9)
		}
		open[a*k+a]++
		bits -= math.Log2(min(rel[a], 1e9))
	}
	bits += mdl.LogDet(open, k, 1e-24) - mdl.LogDet(corr, k, 1e-24)
	return min(max(bits, float64(n)), most)
}
