package pursuit

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/search/each"
	"github.com/physlib/lab/physlib/search/pair"
)

const (
	singlesKept   = 10   // columns that are tried as one more term
	exchangesKept = 2    // and in place of one
	pairsKept     = 8    // pairs that are tried as two more
	pairedModels  = 2    // models that are extended by pairs
	pairedColumns = 2500 // columns of which all pairs are scored
	pairedLeaders = 500  // further ones of these, the best by themselves
	leastRest     = 1e-9 // share of a column's square outside the span, below which it adds rounding
)

// gains returns for each column the share of the residual's square that it explains on top of the
// orthonormal rows of span.
func (d *dictionary) gains(span [][]float64, residual []float64) []float64 {
	g := make([]float64, len(d.columns))
	all := floats.Dot(residual, residual)
	const block = 256
	each.Do((len(g)+block-1)/block, func(k int) {
		for i := k * block; i < min((k+1)*block, len(g)); i++ {
			row, rest := d.row(i), 1.0
			for _, q := range span {
				c := floats.Dot(q, row)
				rest -= c * c
			}
			if r := floats.Dot(residual, row); rest > leastRest {
				g[i] = r * r / (rest * all)
			}
		}
	})
	return g
}

// leading returns the columns of most gain, one of each family.
func (d *dictionary) leading(gains []float64, most int) (columns []int) {
	order := ranked(gains)
	known := map[uint64]bool{}
	for _, i := range order {
		if len(columns) == most || gains[i] == 0 {
			break
		}
		if f := d.columns[i].family; !known[f] {
			known[f] = true
			columns = append(columns, i)
		}
	}
	return columns
}

// ranked returns the indices of v by falling value.
func ranked(v []float64) []int {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(v[b], v[a]) })
	return order
}

// pairs returns the pairs of columns that explain most of a model's residual together, one of each
// two families: pairs of the cheapest columns and of those that gain most by themselves.
func (b *beam) pairs(m *model, gains []float64) (best [][2]int) {
	set := make([]int, 0, pairedColumns+pairedLeaders)
	for i := range min(len(b.columns), pairedColumns) {
		set = append(set, i)
	}
	for _, i := range ranked(gains) {
		if len(set) == cap(set) {
			break
		}
		if i >= pairedColumns {
			set = append(set, i)
		}
	}
	rows := pair.NewRows(len(set), len(b.target))
	each.Do(len(set), func(k int) {
		v := slices.Clone(b.row(set[k]))
		for _, q := range m.span {
			floats.AddScaled(v, -floats.Dot(q, v), q)
		}
		rows.Set(k, v)
	})
	target := make([]float32, len(m.residual))
	norm := floats.Norm(m.residual, 2)
	for i, r := range m.residual {
		target[i] = float32(r / norm)
	}
	found := pair.Default().Square(b.ctx, rows, rows.Dot(target), pair.Options{K: 50 * pairsKept, MinDen: 1e-4})
	known := map[[2]uint64]bool{}
	for _, p := range found {
		i, j := set[p.I], set[p.J]
		key := [2]uint64{b.columns[i].family, b.columns[j].family}
		if len(best) < pairsKept && !known[key] {
			known[key] = true
			best = append(best, [2]int{i, j})
		}
	}
	return best
}
