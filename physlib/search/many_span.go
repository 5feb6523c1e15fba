package search

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/search/column"
)

// What a set of columns spans, and what it leaves of a target.

// span is an orthonormal basis of what was added, in rows of n values.
type span struct {
	n, k  int
	rows  []float64
	spare []float64
}

// newSpan is empty and has room for up to most rows.
func newSpan(n, most int) span {
	return span{n: n, rows: make([]float64, n*most), spare: make([]float64, n)}
}

// add takes in v times g, or v; what is not finite, or in the span, is left out. A copy of s that
// adds leaves the basis of s as it was.
func (s *span) add(v, g []float64) {
	u := s.rows[s.k*s.n : (s.k+1)*s.n]
	copy(u, v)
	if g != nil {
		floats.Mul(u, g)
	}
	whole := column.Dot(u, u)
	if !(whole > 0) || math.IsInf(whole, 0) {
		return
	}
	norm := whole
	for range 2 {
		before := norm
		for i := range s.k {
			q := s.rows[i*s.n : (i+1)*s.n]
			floats.AddScaled(u, -column.Dot(q, u), q)
		}
		if norm = column.Dot(u, u); norm > before/4 {
			break
		}
	}
	if norm < 1e-18*whole {
		return
	}
	floats.Scale(1/math.Sqrt(norm), u)
	s.k++
}

// left is the share of the norm of t that is not in the span.
func (s *span) left(t []float64) float64 {
	q := make([][]float64, s.k)
	for i := range q {
		q[i] = s.rows[i*s.n : (i+1)*s.n]
	}
	return left(q, append([]float64(nil), t...))
}

// left is the share of the norm of t that the orthonormal q leave; t is changed. Not a number
// counts as all.
func left(q [][]float64, t []float64) float64 {
	all := math.Sqrt(column.Dot(t, t))
	if !(all > 0) || math.IsInf(all, 0) {
		return 1
	}
	for _, u := range q {
		floats.AddScaled(t, -column.Dot(u, t), u)
	}
	if part := math.Sqrt(column.Dot(t, t)) / all; part < 1 {
		return part
	}
	return 1
}
