package qr

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
)

// Triangle is the factor R of an orthogonal factorization A = QR of a tall matrix with n columns. A
// least-squares problem needs only R, not A. To add a block of rows to A, factor the rows of R
// together with the new rows. The zero value is ready to use.
//
// The factorization is modified Gram–Schmidt with the right-hand side as the last column. It solves
// least-squares problems as stably as Householder reflections (Å. Björck, BIT 7 (1967) 1), whatever
// the scales of the columns.
type Triangle struct {
	N    int       // number of columns, including the right-hand side
	R    []float64 // R by columns: R[j*N+i] is row i of column j
	Rank int       // number of independent columns, without the right-hand side
	// A column counts as dependent if the part orthogonal to the earlier columns is shorter than
	// this fraction of the column's length; 0: 3e-14.
	Least float64
}

// reset sets t to the factor of a matrix with n columns and no rows.
func (t *Triangle) reset(n int) {
	t.N, t.Rank = n, 0
	if cap(t.R) < n*n {
		t.R = make([]float64, n*n)
	}
	t.R = t.R[:n*n]
	clear(t.R)
}

// Factor sets t to the factor of the columns a, the last of which is the right-hand side. It
// overwrites a with the orthonormal columns of Q and the residual. A column that depends on earlier
// columns gets a zero on the diagonal of R, and has no column in Q.
func (t *Triangle) Factor(a [][]float64) {
	n := len(a)
	t.reset(n)
	least := cmp.Or(t.Least, 3e-14)
	for j, col := range a {
		before := Norm(col)
		rj := t.R[j*n : j*n+n]
		for i := range j {
			if t.R[i*n+i] == 0 {
				continue
			}
			d := dot(a[i], col)
			rj[i] = d
			axpy(-d, a[i], col)
		}
		after := Norm(col)
		if !(after > least*before) && j < n-1 {
			continue
		}
		rj[j] = after
		if after > 0 && j < n-1 {
			scale(1/after, col)
			t.Rank++
		}
	}
}

// Solve sets x to the coefficients of the first k columns whose linear combination is closest to
// column rhs in the sense of least squares. Dependent columns get the coefficient zero.
func (t *Triangle) Solve(x []float64, k, rhs int) {
	n := t.N
	for i := k - 1; i >= 0; i-- {
		d := t.R[i*n+i]
		if d == 0 {
			x[i] = 0
			continue
		}
		s := t.R[rhs*n+i]
		for j := i + 1; j < k; j++ {
			s -= t.R[j*n+i] * x[j]
		}
		x[i] = s / d
	}
}

// Covariance sets cov (k×k) to (RᵀR)⁻¹ of the first k columns. For a constant that is not
// determined, it contains +Inf on the diagonal and zeros elsewhere in the row and column. scratch
// needs k*k elements.
func (t *Triangle) Covariance(cov, scratch []float64, k int) {
	n := t.N
	free := make([]bool, k)
	inv := scratch[:k*k] // R⁻¹ of the independent columns, by rows
	clear(inv)
	for j := range k {
		if t.R[j*n+j] == 0 {
			free[j] = true
			t.markNull(free, j)
			continue
		}
		inv[j*k+j] = 1 / t.R[j*n+j]
		for i := j - 1; i >= 0; i-- {
			if t.R[i*n+i] == 0 {
				continue
			}
			s := 0.0
			for l := i + 1; l <= j; l++ {
				s -= t.R[l*n+i] * inv[l*k+j]
			}
			inv[i*k+j] = s / t.R[i*n+i]
		}
	}
	for i := range k {
		for j := range i + 1 {
			s := 0.0
			for l := i; l < k; l++ {
				s += inv[i*k+l] * inv[j*k+l]
			}
			if free[i] || free[j] {
				s = 0
				if i == j {
					s = math.Inf(1)
				}
			}
			cov[i*k+j], cov[j*k+i] = s, s
		}
	}
}

// markNull sets free[i] to true for each earlier column i on which column j depends linearly. Such
// columns have constants that are not determined.
func (t *Triangle) markNull(free []bool, j int) {
	n := t.N
	v := make([]float64, j) // column j = Σ v[i]·column i
	for i := j - 1; i >= 0; i-- {
		d := t.R[i*n+i]
		if d == 0 {
			continue
		}
		s := t.R[j*n+i]
		for l := i + 1; l < j; l++ {
			s -= t.R[l*n+i] * v[l]
		}
		v[i] = s / d
	}
	size := 0.0
	for i, c := range v {
		size = max(size, math.Abs(c)*t.columnNorm(i))
	}
	for i, c := range v {
		if math.Abs(c)*t.columnNorm(i) > 1e-6*size {
			free[i] = true
		}
	}
}

// columnNorm returns the length of column j of A.
func (t *Triangle) columnNorm(j int) float64 { return Norm(t.R[j*t.N : j*t.N+j+1]) }

func dot(a, b []float64) float64 { return blas64.Implementation().Ddot(len(a), a, 1, b, 1) }

func axpy(alpha float64, x, y []float64) { blas64.Implementation().Daxpy(len(x), alpha, x, 1, y, 1) }

func scale(alpha float64, x []float64) { blas64.Implementation().Dscal(len(x), alpha, x, 1) }

// Norm returns the Euclidean length of x without overflow or underflow.
func Norm(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	if s := dot(x, x); s > 1e-280 && s < 1e280 {
		return math.Sqrt(s)
	}
	return blas64.Implementation().Dnrm2(len(x), x, 1)
}
