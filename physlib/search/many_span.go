package search

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/search/column"
)

// The span of a set of columns, and the residual of a target.

// span is an orthonormal basis of the added vectors, in rows of n values.
type span struct {
	n, k  int
	rows  []float64
	spare []float64
}

// newSpan returns an empty span with room for up to most rows.
func newSpan(n, most int) span {
	return span{n: n, rows: make([]float64, n*most), spare: make([]float64, n)}
}

// add adds v times g, or v if g is nil, unless it is not finite or is in the span. Adding to a copy
// of s does not change the basis of s.
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

// left returns the share of the norm of t that is not in the span.
func (s *span) left(t []float64) float64 {
	q := make([][]float64, s.k)
	for i := range q {
		q[i] = s.rows[i*s.n : (i+1)*s.n]
	}
	return left(q, append([]float64(nil), t...))
}

// left returns the share of the norm of t that is orthogonal to the orthonormal q, and changes t.
// If t has a NaN, it returns 1.
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
