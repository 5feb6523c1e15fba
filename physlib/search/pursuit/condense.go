package pursuit

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/search/column"
)

const (
	nearColumns = 60   // columns near the span of a sum among which fewer terms are sought
	nearError   = 1000 // how near, in relative errors of the sum
	nearBeam    = 40   // sums of them that are extended
)

// condensed returns sums of no more terms than m that describe the target shorter. A sum of many
// terms often stands for one of few: then the terms of the latter lie near the span of m's.
func (s *Search) condensed(m *model) (found []*model) {
	if len(m.terms) < 3 {
		return nil
	}
	pool := s.near(m)
	models := []*model{{residual: s.target, rss: s.power}}
	for k := 1; k <= len(m.terms) && s.ctx.Err() == nil; k++ {
		models = s.widened(models, pool)
		best := slices.SortedStableFunc(slices.Values(models), shorter)
		for _, c := range best[:min(len(best), 2)] {
			if c.bits > m.bits+s.hope(c.terms) {
				continue
			}
			if r := s.fitted(c.terms, true); r != nil && r.bits < m.bits {
				found = append(found, s.pruned(r))
			}
		}
	}
	slices.SortStableFunc(found, shorter)
	return found
}

// near returns the terms of m and those of the dictionary nearest to their span, cheapest first.
func (s *Search) near(m *model) []term {
	pool := slices.Clone(m.terms)
	s.compare(m)
	least := nearError * nearError * m.rss / s.power
	least = min(max(least, 1e-10), 1e-4)
	for i, p := range m.rest {
		if len(pool) == nearColumns+len(m.terms) {
			break
		}
		if p.rest < least {
			pool = append(pool, s.term(i))
		}
	}
	slices.SortStableFunc(pool, func(a, b term) int { return cmp.Compare(a.price, b.price) })
	return pool
}

// choice is a sum and the term of a pool that it may be extended by.
type choice struct {
	of   *model
	with term
	rank float64
}

// widened returns the best sums of one of models and one more term of the pool.
func (s *Search) widened(models []*model, pool []term) (out []*model) {
	var all []choice
	for _, m := range models {
		for _, t := range pool {
			u, norm := column.Outside(m.span, t.row)
			if !(norm > 1e-8) {
				continue
			}
			r := floats.Dot(u, m.residual)
			sum := &model{terms: append(slices.Clip(m.terms), t)}
			all = append(all, choice{m, t, s.rank(sum, m.rss-r*r)[0]})
		}
	}
	slices.SortStableFunc(all, func(a, b choice) int { return cmp.Compare(a.rank, b.rank) })
	seen := map[string]bool{}
	for _, c := range all {
		if len(out) == nearBeam {
			break
		}
		terms := append(slices.Clone(c.of.terms), c.with)
		key := familiesOf(terms)
		if seen[key] {
			continue
		}
		seen[key] = true
		if m := s.fitted(terms, false); m != nil {
			out = append(out, m)
		}
	}
	return out
}
