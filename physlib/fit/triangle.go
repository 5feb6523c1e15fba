package fit

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
)

// triangle is the factor R of an orthogonal factorization A = QR of a tall matrix with n columns.
// It is kept by columns: r[j*n+i] is row i of column j. Least squares needs nothing else of A, and
// blocks of rows can be added to it.
//
// The factorization is modified Gram–Schmidt with the right hand side as last column, which solves
// least squares as stably as Householder reflections do (Å. Björck, BIT 7 (1967) 1), and whatever
// the scales of the columns.
type triangle struct {
	n    int
	r    []float64
	rank int
}

// dependence is the part of a column that must be new for it to count as independent of those
// before.
const dependence = 3e-14

// reset makes t the factor of a matrix without rows.
func (t *triangle) reset(n int) {
	t.n, t.rank = n, 0
	if cap(t.r) < n*n {
		t.r = make([]float64, n*n)
	}
	t.r = t.r[:n*n]
	clear(t.r)
}

// factor sets t to the factor of the columns a, which it destroys. A column that depends on those
// before gets a diagonal of zero, as the last one may.
func (t *triangle) factor(a [][]float64) {
	n := len(a)
	t.reset(n)
	for j, col := range a {
		before := norm(col)
		rj := t.r[j*n : j*n+n]
		for i := range j {
			if t.r[i*n+i] == 0 {
				continue
			}
			d := dot(a[i], col)
			rj[i] = d
			axpy(-d, a[i], col)
		}
		after := norm(col)
		if !(after > dependence*before) && j < n-1 {
			continue
		}
		rj[j] = after
		if after > 0 && j < n-1 {
			scale(1/after, col)
			t.rank++
		}
	}
}

// solve sets x to the least squares solution of the first k columns against column rhs, zero where
// a column is dependent.
func (t *triangle) solve(x []float64, k, rhs int) {
	n := t.n
	for i := k - 1; i >= 0; i-- {
		d := t.r[i*n+i]
		if d == 0 {
			x[i] = 0
			continue
		}
		s := t.r[rhs*n+i]
		for j := i + 1; j < k; j++ {
			s -= t.r[j*n+i] * x[j]
		}
		x[i] = s / d
	}
}

// covariance sets cov (k×k) to (RᵀR)⁻¹ of the first k columns. Rows and columns of undetermined
// constants get +Inf on the diagonal and zeros elsewhere. scratch has k*k elements.
func (t *triangle) covariance(cov, scratch []float64, k int) {
	n := t.n
	free := make([]bool, k)
	inv := scratch[:k*k] // R⁻¹ of the independent columns, by rows
	clear(inv)
	for j := range k {
		if t.r[j*n+j] == 0 {
			free[j] = true
			t.markNull(free, j)
			continue
		}
		inv[j*k+j] = 1 / t.r[j*n+j]
		for i := j - 1; i >= 0; i-- {
			if t.r[i*n+i] == 0 {
				continue
			}
			s := 0.0
			for l := i + 1; l <= j; l++ {
				s -= t.r[l*n+i] * inv[l*k+j]
			}
			inv[i*k+j] = s / t.r[i*n+i]
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

// markNull marks the columns that take part in the dependence of column j on those before it.
func (t *triangle) markNull(free []bool, j int) {
	n := t.n
	v := make([]float64, j) // column j = Σ v[i]·column i
	for i := j - 1; i >= 0; i-- {
		d := t.r[i*n+i]
		if d == 0 {
			continue
		}
		s := t.r[j*n+i]
		for l := i + 1; l < j; l++ {
			s -= t.r[l*n+i] * v[l]
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
func (t *triangle) columnNorm(j int) float64 { return norm(t.r[j*t.n : j*t.n+j+1]) }

func dot(a, b []float64) float64 { return blas64.Implementation().Ddot(len(a), a, 1, b, 1) }

func axpy(alpha float64, x, y []float64) { blas64.Implementation().Daxpy(len(x), alpha, x, 1, y, 1) }

func scale(alpha float64, x []float64) { blas64.Implementation().Dscal(len(x), alpha, x, 1) }

// norm returns the Euclidean length, safe from overflow and underflow.
func norm(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	if s := dot(x, x); s > 1e-280 && s < 1e280 {
		return math.Sqrt(s)
	}
	return blas64.Implementation().Dnrm2(len(x), x, 1)
}
