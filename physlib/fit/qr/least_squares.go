package qr

import (
	"math"
	"slices"
)

// LeastSquares returns the coefficients for which Σ coefᵢ·colsᵢ is closest to t, and their standard
// errors, which are estimated from the residuals. A column that depends linearly on earlier ones
// gets the coefficient 0. The standard errors of dependent columns are infinite. ok is false if
// there is no solution.
func LeastSquares(cols [][]float64, t []float64) (coef, stderr []float64, ok bool) {
	n := len(cols)
	a := make([][]float64, n+1)
	for i, c := range append(cols[:n:n], t) {
		a[i] = slices.Clone(c)
	}
	f := Triangle{Least: 1e-11}
	f.Factor(a)
	coef, stderr = make([]float64, n), make([]float64, n)
	f.Solve(coef, n, n)
	cov := make([]float64, 2*n*n)
	f.Covariance(cov, cov[n*n:], n)
	sigma := Norm(a[n]) / math.Sqrt(float64(max(1, len(t)-f.Rank)))
	for i, c := range coef {
		stderr[i] = sigma * math.Sqrt(cov[i*n+i])
		ok = ok || f.R[i*f.N+i] != 0 && !math.IsNaN(c)
	}
	return coef, stderr, ok
}
