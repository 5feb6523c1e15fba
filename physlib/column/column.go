// Package column calculates with columns of numbers, one number for each row of a table. It
// projects columns, and tests properties of columns, such as finite values.
package column

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Dot returns the scalar product of a and the first len(a) values of b.
func Dot(a, b []float64) float64 { return floats.Dot(a, b[:len(a)]) }

// Orthogonalize subtracts from v its projection on the orthonormal rows, twice for precision.
func Orthogonalize(v []float64, rows [][]float64) {
	for range 2 {
		for _, q := range rows {
			floats.AddScaled(v, -Dot(q, v), q)
		}
	}
}

// Independent returns the part of row that is orthogonal to the orthonormal rows, normalised. ok is
// false if that part is no more than rounding errors.
func Independent(rows [][]float64, row []float64) ([]float64, bool) {
	u, norm := Outside(rows, row)
	return u, norm > 1e-9*math.Sqrt(Dot(row, row))
}

// Outside returns the part of row that is orthogonal to the orthonormal rows, scaled to unit norm.
// norm is the norm of that part before scaling.
func Outside(rows [][]float64, row []float64) (u []float64, norm float64) {
	u = slices.Clone(row)
	Orthogonalize(u, rows)
	norm = math.Sqrt(Dot(u, u))
	floats.Scale(1/norm, u)
	return u, norm
}

// Ones returns n ones.
func Ones(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

// InverseSquares returns 1/v² of each value, such as the weights of rows with standard errors v.
func InverseSquares(v []float64) []float64 {
	return Map(v, func(x float64) float64 { return 1 / (x * x) })
}

// Finite reports whether no value of v is NaN or infinite.
func Finite(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// OneSign reports whether no two values of v have opposite signs.
func OneSign(v []float64) bool {
	negative, positive := false, false
	for _, x := range v {
		negative = negative || x < 0
		positive = positive || x > 0
	}
	return !negative || !positive
}

// Within reports whether all values of v lie in [lo, hi].
func Within(v []float64, lo, hi float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return x < lo || x > hi })
}

// Constant reports whether all values of v are equal.
func Constant(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return x != v[0] })
}

// Median returns the median of v. If the number of values is even, it returns the larger of the two
// middle values.
func Median(v []float64) float64 { return slices.Sorted(slices.Values(v))[len(v)/2] }

// SumSquares returns the sum of the squared deviations of v from its mean.
func SumSquares(v []float64) float64 {
	return float64(len(v)) * stat.PopVariance(v, nil)
}

// Standardize returns v shifted and scaled to mean zero and mean square one. It returns nil if v is
// constant.
func Standardize(v []float64) []float64 {
	mean, deviation := stat.PopMeanStdDev(v, nil)
	if !(deviation > 0) {
		return nil
	}
	return Map(v, func(x float64) float64 { return (x - mean) / deviation })
}

// Order returns the indices 0 to n-1, sorted by compare. Indices that compare as equal keep their
// order.
func Order(n int, compare func(a, b int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return order
}

// Product returns a·b, row by row.
func Product(a, b []float64) []float64 { return floats.MulTo(make([]float64, len(a)), a, b) }

// Map returns f of each value of v.
func Map(v []float64, f func(float64) float64) []float64 {
	r := make([]float64, len(v))
	for i, x := range v {
		r[i] = f(x)
	}
	return r
}

// Floats returns whole numbers as floating-point numbers.
func Floats[E int | int16, S ~[]E](whole S) []float64 {
	r := make([]float64, len(whole))
	for i, e := range whole {
		r[i] = float64(e)
	}
	return r
}

// LogAbs returns log|x|.
func LogAbs(x float64) float64 { return math.Log(math.Abs(x)) }
