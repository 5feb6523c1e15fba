package column

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// The coefficients of a combination and their standard errors.

// LeastSquares solves Σ coefᵢ·colsᵢ ≈ t by modified Gram–Schmidt. Columns in the span of earlier
// ones get 0. The standard errors are scaled by the residuals. ok is false where no column is of
// use.
func LeastSquares(cols [][]float64, t []float64) (coef, stderr []float64, ok bool) {
	n := len(cols)
	q, r, used := gramSchmidt(cols)
	res := append([]float64(nil), t...)
	rhs := make([]float64, len(q))
	for range 2 {
		for i, u := range q {
			d := Dot(u, res)
			rhs[i] += d
			floats.AddScaled(res, -d, u)
		}
	}
	sigma := math.Sqrt(Dot(res, res) / float64(max(1, len(t)-len(q))))
	coef, stderr = make([]float64, n), make([]float64, n)
	m := len(q)
	inv := triangularInverse(r)
	for i := range m {
		x, v := 0.0, 0.0
		for c := i; c < m; c++ {
			x += inv[c][i] * rhs[c]
			v += inv[c][i] * inv[c][i]
		}
		coef[used[i]], stderr[used[i]] = x, sigma*math.Sqrt(v)
		ok = ok || !math.IsNaN(x)
	}
	return coef, stderr, ok
}

// gramSchmidt makes the columns orthonormal in their order, twice for precision. Column used[c] is
// Σ r[c][i]·q[i]; columns in the span of earlier ones are left out.
func gramSchmidt(cols [][]float64) (q, r [][]float64, used []int) {
	n := len(cols)
	q = make([][]float64, 0, n)
	used = make([]int, 0, n)
	r = make([][]float64, 0, n)
	for c, col := range cols {
		v := append([]float64(nil), col...)
		norm0 := math.Sqrt(Dot(v, v))
		comp := make([]float64, len(q), len(q)+1)
		for range 2 {
			for i, u := range q {
				d := Dot(u, v)
				comp[i] += d
				floats.AddScaled(v, -d, u)
			}
		}
		norm := math.Sqrt(Dot(v, v))
		if !(norm > 1e-11*norm0) || math.IsInf(norm, 0) {
			continue
		}
		for k := range v {
			v[k] /= norm
		}
		q = append(q, v)
		r = append(r, append(comp, norm))
		used = append(used, c)
	}
	return q, r, used
}

// triangularInverse gives the columns of the inverse of the upper triangular matrix with the
// columns r.
func triangularInverse(r [][]float64) [][]float64 {
	m := len(r)
	inv := make([][]float64, m)
	for c := range m {
		inv[c] = make([]float64, m)
		inv[c][c] = 1 / r[c][c]
		for i := c - 1; i >= 0; i-- {
			s := 0.0
			for k := i + 1; k <= c; k++ {
				s += r[k][i] * inv[c][k]
			}
			inv[c][i] = -s / r[i][i]
		}
	}
	return inv
}
