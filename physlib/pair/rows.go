package pair

import (
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/fit/qr"
)

// lanes is the number of float32 in one AVX-512 register. P is padded to a multiple of it.
const lanes = 16

// Rows holds N features of P numbers each, one after another. P is a positive multiple of 16: the
// number of points, padded with zeros. The zero Rows is an empty set.
type Rows struct {
	N, P int
	Data []float32 // [N, P]
}

// NewRows returns n zero rows for the given number of points.
func NewRows(n, points int) Rows {
	p := (max(points, 1) + lanes - 1) / lanes * lanes
	return Rows{N: n, P: p, Data: make([]float32, n*p)}
}

// Row returns row i, padding included. Writing to it changes f.
func (f Rows) Row(i int) []float32 { return f.Data[i*f.P : (i+1)*f.P : (i+1)*f.P] }

// Slice returns the rows from i up to but not including j. The result shares its memory with f.
func (f Rows) Slice(i, j int) Rows { return Rows{N: j - i, P: f.P, Data: f.Data[i*f.P : j*f.P]} }

// Set scales v to unit norm in float64, writes it to row i, and returns the norm that v had. If the
// norm is zero, NaN or Inf, the row becomes NaN, which no search returns.
func (f Rows) Set(i int, v []float64) float64 {
	norm := qr.Norm(v)
	ok := norm > 0 && norm <= math.MaxFloat64
	row := f.Row(i)
	clear(row[len(v):])
	for k, x := range v {
		row[k] = float32(x / norm)
		if !ok {
			row[k] = float32(math.NaN())
		}
	}
	return norm
}

// Dot returns <f_i,t> for all rows i, summed in float64. t has one number for each point, and needs
// no padding.
func (f Rows) Dot(t []float32) []float32 {
	r := make([]float32, f.N)
	for i := range r {
		r[i] = float32(dot64(f.Row(i)[:len(t)], t))
	}
	return r
}

// check panics with a readable error if a caller's slices do not fit together.
func (f Rows) check(r []float32) {
	if f.N > 0 && (f.P <= 0 || f.P%lanes != 0 || len(f.Data) < f.N*f.P) {
		panic(fmt.Errorf("pair: %d rows of %d points in %d numbers: make rows with NewRows", f.N, f.P, len(f.Data)))
	}
	if len(r) != f.N {
		panic(fmt.Errorf("pair: %d rows but %d correlations with the target", f.N, len(r)))
	}
}

// Along returns <f_i,v>/|v| for all rows i. v has one number for each point.
func (f Rows) Along(v []float64) []float32 {
	t := NewRows(1, len(v))
	t.Set(0, v)
	return f.Dot(t.Row(0)[:len(v)])
}

// Append returns f with one more row: v scaled to unit norm, as in Set.
func (f Rows) Append(v []float64) Rows {
	one := NewRows(1, len(v))
	one.Set(0, v)
	return Rows{N: f.N + 1, P: one.P, Data: append(f.Data, one.Data...)}
}

func dot64(x, y []float32) float64 {
	var sum float64
	for k, v := range x {
		sum += float64(v) * float64(y[k])
	}
	return sum
}
