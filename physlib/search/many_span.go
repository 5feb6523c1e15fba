package search

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/search/dictionary"
)

// The span of a set of columns, and the residual of a target.

// span is an orthonormal basis of the added vectors: the first k of rows, which have n values.
type span struct {
	n, k  int
	rows  [][]float64
	spare []float64
}

// newSpan returns an empty span with room for up to most rows.
func newSpan(n, most int) span {
	s := span{n: n, rows: make([][]float64, most), spare: make([]float64, n)}
	for i := range s.rows {
		s.rows[i] = make([]float64, n)
	}
	return s
}

// span returns the span of features. ok is false if one of them is not finite.
func (m *many) span(fs []dictionary.Feature) (s span, ok bool) {
	s = newSpan(len(m.Target), len(fs))
	for _, f := range fs {
		v, ok := m.column(f)
		if !ok {
			return s, false
		}
		s.add(v, nil)
	}
	return s, true
}

// add adds v times g, or v if g is nil, unless it is not finite or is in the span. Adding to a copy
// of s does not change the basis of s.
func (s *span) add(v, g []float64) {
	u := s.rows[s.k]
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
		for _, q := range s.rows[:s.k] {
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

// left returns the share of the norm of t that is not in the span; it is 1 if t has a NaN.
func (s *span) left(t []float64) float64 {
	all := math.Sqrt(column.Dot(t, t))
	if !(all > 0) || math.IsInf(all, 0) {
		return 1
	}
	rest := s.spare
	copy(rest, t)
	for _, u := range s.rows[:s.k] {
		floats.AddScaled(rest, -column.Dot(u, rest), u)
	}
	if part := math.Sqrt(column.Dot(rest, rest)) / all; part < 1 {
		return part
	}
	return 1
}
