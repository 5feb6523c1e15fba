package pursuit

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/search/each"
	"github.com/physlib/lab/physlib/search/pair"
)

const (
	besidePlain = 500  // columns without inner constants, cheapest first
	besideBent  = 1500 // columns with one, cheapest first
	besideKept  = 12   // pairs kept for each of these
	besideRows  = 128  // at most
)

// beside returns sums of one column with an inner constant and two without. All are looked at: to
// first order in the inner constant, the column and its derivative span a plane, outside of which
// the other two explain the target (package pair).
func (s *Search) beside() (all []candidate) {
	plain, bent := min(s.ends[0], besidePlain), min(s.ends[1]-s.ends[0], besideBent)
	at := make([]int, min(len(s.target), besideRows))
	for k := range at {
		at[k] = k * len(s.target) / len(at)
	}
	target, columns := pick(s.target, at), make([][]float64, plain)
	for j := range columns {
		columns[j] = pick(s.row(j), at)
	}
	scale := s.power / floats.Dot(target, target)
	found := make([][]candidate, bent)
	const block = 16
	each.Do((bent+block-1)/block, func(b int) {
		rows := pair.NewRows(plain, len(at))
		for k := b * block; k < min((b+1)*block, bent) && s.ctx.Err() == nil; k++ {
			i := s.ends[0] + k
			span := orthonormalRows(pick(s.row(i), at), pick(s.tiltRow(i), at))
			residual, rest := outside(target, span)
			for j, c := range columns {
				v, _ := outside(c, span)
				rows.Set(j, v)
			}
			for _, p := range pair.Default().Square(s.ctx, rows, rows.Dot(unit32(residual)), pair.Options{K: besideKept, MinDen: 1e-4, Workers: 1}) {
				with := []int{int(p.I), int(p.J), i}
				left := scale * rest * max(0, 1-float64(p.R2))
				found[k] = append(found[k], candidate{of: s.levels[0][0], without: -1, columns: with, rank: s.rank(s.levels[0][0], left, with...)})
			}
		}
	})
	return slices.Concat(found...)
}

// orthonormalRows returns orthonormal rows that span rows, without those that others span.
func orthonormalRows(rows ...[]float64) (span [][]float64) {
	for _, v := range rows {
		if orthonormal(v, span) {
			span = append(span, v)
		}
	}
	return span
}

// outside returns the part of row outside the orthonormal span, and its square.
func outside(row []float64, span [][]float64) (v []float64, square float64) {
	v = slices.Clone(row)
	for _, q := range span {
		floats.AddScaled(v, -floats.Dot(q, v), q)
	}
	return v, floats.Dot(v, v)
}

// unit32 returns v over its norm.
func unit32(v []float64) []float32 {
	out, norm := make([]float32, len(v)), floats.Norm(v, 2)
	for i, x := range v {
		out[i] = float32(x / norm)
	}
	return out
}
