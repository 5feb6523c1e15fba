package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Conditional returns the standard error that each constant would have if the other constants were
// known,
//
//	1/√(C⁻¹)ᵢᵢ,   C = Cov.
//
// It is at most StdErr, and much smaller if constants are correlated. If each constant is changed
// by less than its Conditional error, as by rounding, the law keeps its fitted values. If each is
// changed by its StdErr, the values may change. If the data do not determine some constant, the
// result is StdErr for all constants.
func (r Result) Conditional() []float64 {
	n := len(r.StdErr)
	out := append([]float64(nil), r.StdErr...)
	corr := mat.NewDense(max(n, 1), max(n, 1), nil)
	for i := range n {
		for j := range n {
			c := r.Cov[i*n+j] / (r.StdErr[i] * r.StdErr[j])
			if math.IsNaN(c) || math.IsInf(c, 0) {
				return out
			}
			corr.Set(i, j, c)
		}
	}
	var inv mat.Dense
	if n < 2 || inv.Inverse(corr) != nil && !(mat.Cond(corr, 1) < 1e15) {
		return out
	}
	for i := range out {
		if d := inv.At(i, i); d > 1 {
			out[i] /= math.Sqrt(d)
		}
	}
	return out
}
