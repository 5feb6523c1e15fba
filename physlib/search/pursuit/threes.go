package pursuit

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/each"
	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/search/pair"
)

const (
	threePlain = 500  // columns without inner constants, cheapest first
	threeBent  = 1500 // columns with one or two, cheapest first
	threeKept  = 12   // pairs kept for each first column
	threeRows  = 128  // at most
)

// threes returns sums of three columns. Two are of the cheapest without inner constants. The third
// is one more of these or, at the next depth, one with an inner constant. All are tested. Outside
// of the span of the one column, and of its derivative by the inner constant, the other two explain
// the target (package pair).
func (s *Search) threes() []candidate {
	at := make([]int, min(len(s.target), threeRows))
	for k := range at {
		at[k] = k * len(s.target) / len(at)
	}
	target, columns := dataset.Pick(s.target, at), make([][]float64, min(s.ends[0], threePlain))
	for j := range columns {
		columns[j] = dataset.Pick(s.row(j), at)
	}
	scale := s.power / floats.Dot(target, target)
	from, firsts := 0, len(columns)
	if s.inner > 0 {
		from = s.ends[s.inner-1]
		firsts = min(s.ends[s.inner]-from, threeBent)
	}
	found := make([][]candidate, firsts)
	const block = 16
	each.Do((firsts+block-1)/block, func(b int) {
		all := pair.NewRows(len(columns), len(at))
		for k := b * block; k < min((b+1)*block, firsts) && s.ctx.Err() == nil; k++ {
			i := from + k
			vectors, rest := [][]float64{dataset.Pick(s.row(i), at)}, columns
			if s.inner == 0 {
				rest = columns[:i]
			}
			for _, tilt := range s.tilts(i) {
				vectors = append(vectors, dataset.Pick(tilt, at))
			}
			var span [][]float64
			for _, v := range vectors {
				if u, ok := column.Independent(span, v); ok {
					span = append(span, u)
				}
			}
			residual, norm := column.Outside(span, target)
			rows := all.Slice(0, len(rest))
			for j, c := range rest {
				v, _ := column.Outside(span, c)
				rows.Set(j, v)
			}
			for _, p := range pair.Default().Square(s.ctx, rows, rows.Dot(unit32(residual)), pair.Options{K: threeKept, MinDen: 1e-4, Workers: 1}) {
				with := []int{int(p.I), int(p.J), i}
				left := scale * norm * norm * max(0, 1-float64(p.R2))
				found[k] = append(found[k], candidate{of: s.levels[0][0], without: -1, columns: with, rank: s.rank(s.levels[0][0], left, with...)})
			}
		}
	})
	return slices.Concat(found...)
}

// unit32 returns v over its norm.
func unit32(v []float64) []float32 {
	out, norm := make([]float32, len(v)), floats.Norm(v, 2)
	for i, x := range v {
		out[i] = float32(x / norm)
	}
	return out
}
