package column

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/fit/qr"
)

// LeastSquares returns the coefficients for which Σ coefᵢ·colsᵢ is closest to t, and their standard
// errors, which are estimated from the residuals. A column that depends linearly on earlier ones
// gets the coefficient 0. ok is false if there is no solution.
func LeastSquares(cols [][]float64, t []float64) (coef, stderr []float64, ok bool) {
	n := len(cols)
	a := make([][]float64, n+1)
	for i, c := range append(cols[:n:n], t) {
		a[i] = slices.Clone(c)
	}
	f := qr.Triangle{Least: 1e-11}
	f.Factor(a)
	coef, stderr = make([]float64, n), make([]float64, n)
	f.Solve(coef, n, n)
	sigma := qr.Norm(a[n]) / math.Sqrt(float64(max(1, len(t)-f.Rank)))
	for i, c := range coef {
		if f.R[i*f.N+i] != 0 {
			stderr[i] = sigma * inverseRow(&f, i)
			ok = ok || !math.IsNaN(c)
		}
	}
	return coef, stderr, ok
}

// inverseRow returns the norm of row i of the inverse of f.R. Columns that depend linearly on
// others are left out.
func inverseRow(f *qr.Triangle, i int) float64 {
	row := make([]float64, f.N-1)
	for j := i; j < len(row); j++ {
		d := f.R[j*f.N+j]
		if d == 0 {
			continue
		}
		if j == i {
			row[j] = 1 / d
		}
		for k := i; k < j; k++ {
			row[j] -= row[k] * f.R[j*f.N+k] / d
		}
	}
	return qr.Norm(row)
}
