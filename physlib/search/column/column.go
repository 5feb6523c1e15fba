// Package column calculates with columns of numbers, one number for each row of a table: projections,
// least squares and what says of a column whether it can be used.
package column

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/floats"
)

func Dot(a, b []float64) float64 { return floats.Dot(a, b[:len(a)]) }

// Independent reduces row by the reduced rows and reports whether something is left, which it
// returns normalised.
func Independent(rows [][]float64, row []float64) ([]float64, bool) {
	r := append([]float64(nil), row...)
	for range 2 {
		for _, q := range rows {
			floats.AddScaled(r, -Dot(q, r), q)
		}
	}
	n := math.Sqrt(Dot(r, r))
	if n < 1e-9*math.Sqrt(Dot(row, row)) {
		return nil, false
	}
	floats.Scale(1/n, r)
	return r, true
}

func Ones(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

func Finite(v []float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

func OneSign(v []float64) bool {
	for _, x := range v {
		if x*v[0] < 0 {
			return false
		}
	}
	return true
}

func Within(v []float64, lo, hi float64) bool {
	for _, x := range v {
		if x < lo || x > hi {
			return false
		}
	}
	return true
}

func Constant(v []float64) bool {
	for _, x := range v {
		if x != v[0] {
			return false
		}
	}
	return true
}

func Median(v []float64) float64 {
	u := append([]float64(nil), v...)
	sort.Float64s(u)
	return u[len(u)/2]
}

// SumSquares of v times the number of its values.
func SumSquares(v []float64) float64 {
	mean, sum := 0.0, 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		sum += (x - mean) * (x - mean)
	}
	return sum
}

// Standardize is v of mean zero and mean square one; nil when it is constant.
func Standardize(v []float64) []float64 {
	mean, sq := 0.0, 0.0
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		sq += (x - mean) * (x - mean) / float64(len(v))
	}
	if !(sq > 0) {
		return nil
	}
	u := make([]float64, len(v))
	for i, x := range v {
		u[i] = (x - mean) / math.Sqrt(sq)
	}
	return u
}

func Product(a, b []float64) []float64 {
	r := make([]float64, len(a))
	for i, x := range a {
		r[i] = x * b[i]
	}
	return r
}
