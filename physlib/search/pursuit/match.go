package pursuit

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/search/each"
	"github.com/physlib/lab/physlib/search/pair"
)

const (
	exchangesKept = 3    // columns that are tried in place of a term
	pairsKept     = 10   // pairs that are tried as two more
	pairedModels  = 5    // sums of a number of terms that are extended by pairs
	pairedTerms   = 3    // most terms of a sum that is
	pairedColumns = 2500 // columns of which all pairs are scored
	pairedLeaders = 500  // further ones of these, the best by themselves
	leastRest     = 1e-9 // share of a column's square outside the span, below which it adds rounding
)

// gains returns for each column of the depth the share of the square of m's residual that it
// explains on top of m's terms.
func (s *Search) gains(m *model) []float64 {
	s.compare(m)
	g := make([]float64, len(m.rest))
	for i, rest := range m.rest {
		if r := m.along[i]; rest > leastRest {
			g[i] = min(1, r*r/(rest*m.rss))
		}
	}
	return g
}

// compare sets rest and along of m, from those of its parent where only the last term is new.
func (s *Search) compare(m *model) {
	if m.rest != nil {
		return
	}
	n := s.ends[s.depth]
	m.rest, m.along = make([]float64, n), make([]float64, n)
	p, from, residual := m.parent, 0, s.target
	if p != nil && p.rest != nil && len(p.rest) == n && len(p.span) < len(m.span) && sameRows(p.span, m.span) {
		from, residual = len(p.span), p.residual
	} else {
		p = nil
	}
	m.parent = nil
	parts := make([]float64, len(m.span))
	for k, q := range m.span {
		parts[k] = floats.Dot(q, residual)
	}
	const block = 256
	each.Do((n+block-1)/block, func(b int) {
		for i := b * block; i < min((b+1)*block, n); i++ {
			row := s.row(i)
			rest, along := 1.0, 0.0
			if p != nil {
				rest, along = p.rest[i], p.along[i]
			} else {
				along = floats.Dot(residual, row)
			}
			for k := from; k < len(m.span); k++ {
				c := floats.Dot(m.span[k], row)
				rest -= c * c
				along -= c * parts[k]
			}
			m.rest[i], m.along[i] = rest, along
		}
	})
}

// sameRows reports whether b begins with the rows of a.
func sameRows(a, b [][]float64) bool {
	for i, row := range a {
		if !slices.Equal(row, b[i]) {
			return false
		}
	}
	return true
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

// couple is two columns and the share of a residual's square that they explain together.
type couple struct {
	i, j int
	gain float64
}

// pairs returns the pairs of columns that explain most of a model's residual together, one of each
// two families: pairs of the cheapest columns and of those that gain most by themselves.
func (s *Search) pairs(m *model, gains []float64) (best []couple) {
	set := make([]int, 0, pairedColumns+pairedLeaders)
	for i := range min(len(gains), pairedColumns) {
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
	rows := pair.NewRows(len(set), len(s.target))
	each.Do(len(set), func(k int) {
		v := slices.Clone(s.row(set[k]))
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
	found := pair.Default().Square(s.ctx, rows, rows.Dot(target), pair.Options{K: 50 * pairsKept, MinDen: 1e-4})
	known := map[[2]uint64]bool{}
	for _, p := range found {
		i, j := set[p.I], set[p.J]
		key := [2]uint64{s.columns[i].family, s.columns[j].family}
		if len(best) < pairsKept && !known[key] {
			known[key] = true
			best = append(best, couple{i, j, min(1, float64(p.R2))})
		}
	}
	return best
}
