package pursuit

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/each"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/pair"
)

const (
	exchangesKept = 3  // number of columns that are scored as replacements of each term of a sum
	pairsKept     = 10 // number of pairs of columns that are scored as an extension of a sum
	// Number of sums, for each number of terms, that are extended by pairs of columns.
	pairedModels  = 5
	pairedTerms   = 3    // a sum is extended by pairs if it has at most this many terms
	pairedColumns = 2500 // number of the cheapest columns, of which all pairs are compared
	// Number of further columns of which pairs are compared: the columns with the largest gains.
	pairedLeaders = 500
	// Least squared norm of the part of a unit column outside a span. If the norm is less, the part
	// is only rounding errors.
	leastRest = 1e-9
)

// gains returns, for each column, the fraction of m.rss that the column explains as a further term.
// The fraction is calculated to first order in the inner constants of the column and of the terms.
func (s *Search) gains(m *model) []float64 {
	s.compare(m)
	g := make([]float64, len(m.rest))
	for i, p := range m.rest {
		if p.rest > leastRest {
			g[i] = min(1, p.gain(s.reach(i))/m.rss)
		}
	}
	return g
}

// reach returns how far the inner constant of column i may move from its starting value. It is 0
// unless the column has exactly one inner constant.
func (d *dictionary) reach(i int) float64 {
	if i < d.ends[0] || i >= d.ends[1] {
		return 0
	}
	a := d.atoms[d.columns[i].atoms[0]]
	if a.reach > 0 {
		return a.reach
	}
	return math.Abs(a.tree.Params()[0])
}

// part holds scalar products for a column. u is the component of the column that is orthogonal to
// the span and the tangents of a sum. v is the same component of the derivative of the column with
// respect to its inner constant. r is the residual of the sum.
type part struct {
	rest, along     float64 // u·u and u·r
	tilt, tiltAlong float64 // v·v and v·r
	cross           float64 // u·v
	whole           float64 // squared norm of the derivative itself, of which v is a component
}

// gain returns by how much the column reduces the sum of squares, to first order, if its inner
// constant may change by up to reach.
func (p part) gain(reach float64) float64 {
	best := p.along * p.along / p.rest
	if reach == 0 || !(p.tilt > leastRest*p.whole) {
		return best
	}
	// The gain (along + δ·tiltAlong)² / (rest + 2δ·cross + δ²·tilt) is greatest for this δ.
	step := (p.tiltAlong*p.rest - p.along*p.cross) / (p.along*p.tilt - p.tiltAlong*p.cross)
	at := func(d float64) float64 {
		if square := p.rest + d*(2*p.cross+d*p.tilt); square > leastRest*(1+d*d*p.whole) {
			return (p.along + d*p.tiltAlong) * (p.along + d*p.tiltAlong) / square
		}
		return 0
	}
	if math.Abs(step) <= reach {
		return max(best, at(step))
	}
	return max(best, at(reach), at(-reach))
}

// compare sets m.rest. If m has no tangents and only its last term is new, the calculation
// continues from m.parent.rest.
func (s *Search) compare(m *model) {
	if m.rest != nil {
		return
	}
	n := s.ends[s.inner]
	m.rest = make([]part, n)
	span := append(slices.Clip(m.span), s.tangents(m)...)
	p, from, residual := m.parent, 0, s.target
	if p != nil && p.rest != nil && len(p.rest) == n && len(p.span) < len(m.span) && len(span) == len(m.span) &&
		slices.EqualFunc(p.span, m.span[:len(p.span)], slices.Equal[[]float64]) {
		from, residual = len(p.span), p.residual
	} else {
		p = nil
	}
	m.parent = nil
	parts := make([]float64, len(span))
	for k, q := range span {
		parts[k] = floats.Dot(q, residual)
	}
	each.Do(n, func(i int) {
		row, tilt := s.row(i), s.tiltRow(i)
		var a part
		if p != nil {
			a = p.rest[i]
		} else {
			a.rest, a.along = 1, floats.Dot(residual, row)
			if tilt != nil {
				a.whole, a.tiltAlong, a.cross = floats.Dot(tilt, tilt), floats.Dot(residual, tilt), floats.Dot(row, tilt)
				a.tilt = a.whole
			}
		}
		for k := from; k < len(span); k++ {
			c := floats.Dot(span[k], row)
			a.rest -= c * c
			a.along -= c * parts[k]
			if tilt != nil {
				t := floats.Dot(span[k], tilt)
				a.tilt -= t * t
				a.tiltAlong -= t * parts[k]
				a.cross -= c * t
			}
		}
		m.rest[i] = a
	})
}

// tangents returns an orthonormal basis of the derivatives of m with respect to its inner
// constants, orthogonal to m's span.
func (s *Search) tangents(m *model) (rows [][]float64) {
	span := slices.Clip(m.span)
	for _, t := range m.terms {
		k := t.tree.NumParams()
		if k == 0 {
			continue
		}
		value, slopes := make([]float64, len(s.Y)), make([][]float64, k)
		for j := range slopes {
			slopes[j] = make([]float64, len(s.Y))
		}
		expr.Compile(t.tree).Grad(value, slopes, s.X, t.tree.Params())
		for _, d := range slopes {
			norm := floats.Norm(s.weigh(d), 2)
			if !(norm > 0) || math.IsInf(norm, 0) {
				continue
			}
			floats.Scale(1/norm, d)
			if u, rest := column.Outside(span, d); rest > 1e-6 {
				span, rows = append(span, u), append(rows, u)
			}
		}
	}
	return rows
}

// leading returns the columns with the largest gains, only one of each family. The parameter most
// limits their number.
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

// ranked returns the indices of v, sorted by falling value.
func ranked(v []float64) []int {
	return column.Order(len(v), func(a, b int) int { return cmp.Compare(v[b], v[a]) })
}

// pairs returns m extended by pairs of columns that together explain most of its residual. It
// returns only one pair for each pair of families. The pairs consist of the cheapest columns, and
// of the columns with the largest gains.
func (s *Search) pairs(m *model, gains []float64) (best []candidate) {
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
		v, _ := column.Outside(m.span, s.row(set[k]))
		rows.Set(k, v)
	})
	found := pair.Default().Square(s.ctx, rows, rows.Along(m.residual), pair.Options{K: 50 * pairsKept, MinDen: 1e-4})
	known := map[[2]uint64]bool{}
	for _, p := range found {
		i, j := set[p.I], set[p.J]
		key := [2]uint64{s.columns[i].family, s.columns[j].family}
		if len(best) < pairsKept && !known[key] {
			known[key] = true
			rank := s.rank(m, m.rss*(1-min(1, float64(p.R2))), i, j)
			best = append(best, candidate{of: m, without: -1, columns: []int{i, j}, rank: rank})
		}
	}
	return best
}
