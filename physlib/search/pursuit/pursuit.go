package pursuit

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/each"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// Law is a sum that was found.
type Law struct {
	Tree  expr.Tree // with fitted constants
	Error float64   // root mean square residual, relative to the root mean square of the target
}

// Depths is the number of depths of a pursuit; see the package comment.
const Depths = 5

// stages describes each depth. It states the largest number of inner constants of a column, and
// whether sums start with a polynomial.
var stages = [Depths]struct {
	inner  int
	extend bool
}{{0, false}, {2, true}, {1, false}, {2, false}, {1, true}}

// kinds is the number of kinds of columns: with no inner constant, with one, and with two.
const kinds = 3

// Exact is the relative error below which a residual consists only of rounding errors.
const Exact = 1e-9

const (
	fewestRows = 20 // least number of rows; with fewer, some sum fits any data
	mostTerms  = 9  // largest number of terms of a sum
	// A depth ends after this many further terms in succession that do not shorten the description.
	patience  = 2
	leastGain = 2 // least number of bits that counts as a shorter description
	offered   = 2 // number of sums that are yielded for each number of terms
	// A sum of more than longSum terms approximates any curve, so its error must be below
	// longSumError.
	longSum      = 5
	longSumError = 1e-5 // largest relative error of a sum of more than longSum terms
	// Relative error below which the residual of a sum consists mostly of rounding errors.
	roundingError = 1e-6
	// If the error is below roundingError, a further term must reduce the RSS to less than this
	// fraction.
	leastDrop = 1. / 16
)

// sizes holds the bounds of the beam search. sizes[i] applies if columns have up to i inner
// constants.
var sizes = [kinds]struct {
	beam    int // number of sums of k > 1 terms that are extended by a term
	singles int // number of columns that are scored as a further term of each sum
	refined int // number of new sums whose inner constants are fitted on all rows
	// Number of new sums whose inner constants are first fitted on few rows, for a ranking.
	quick int
	first int // number of sums of one term that are extended
}{{80, 20, 80, 0, 80}, {100, 400, 16, 40_000, 400}, {20, 12, 14, 4_000, 20}}

// beam returns how many sums of k terms are extended.
func (s *Search) beam(k int) int {
	if k == 1 {
		return sizes[s.inner].first
	}
	return sizes[s.inner].beam
}

// Search is a pursuit for one problem. It runs one depth after the other.
type Search struct {
	*dictionary
	ctx   context.Context
	power float64 // Σ w·y²
	// Largest number of inner constants of a column at the current depth.
	inner    int
	levels   [mostTerms + 1][]*model // levels[k] holds the best sums of k terms
	unpruned bool                    // superfluous terms are not dropped from sums
	// Keys of the sums that were fitted; a key consists of the families of the terms.
	seen   map[string]bool
	fitter fit.Fitter

	quicks sync.Pool // of *quick
}

// New prepares a pursuit. It returns nil if the problem has too few rows, no variables, or a target
// that is zero or not finite.
func New(p Problem) *Search {
	if len(p.Y) < fewestRows || len(p.X) == 0 {
		return nil
	}
	s := &Search{dictionary: newDictionary(p)}
	if s.power = floats.Dot(s.target, s.target); !(s.power > 0) || math.IsInf(s.power, 0) {
		return nil
	}
	s.quicks.New = func() any { return s.newQuick() }
	return s
}

// Laws returns sums found at a depth from 0 to Depths-1, by rising number of terms. It ends when
// ctx ends, when a sum is exact, or when further terms no longer shorten the description. Equal
// problems give equal sums unless ctx ends.
func (s *Search) Laws(ctx context.Context, depth int) iter.Seq[Law] {
	return func(yield func(Law) bool) {
		s.ctx, s.inner, s.seen = ctx, stages[depth].inner, map[string]bool{}
		empty := &model{residual: s.target, rss: s.power}
		s.describe(empty)
		s.levels = [mostTerms + 1][]*model{{empty}}
		if stages[depth].extend {
			s.extendPolynomial(yield)
		} else {
			s.run(empty.bits, yield)
		}
	}
}

// run extends the best sums of each number of terms until further terms no longer shorten the
// description. best is the description length of the empty sum.
func (s *Search) run(best float64, yield func(Law) bool) {
	vain := 0
	var shortest *model
	for k := 0; k < mostTerms && vain < patience && s.ctx.Err() == nil; k++ {
		s.extend(k)
		s.exchange(k + 1)
		vain++
		level := slices.SortedStableFunc(slices.Values(s.levels[k+1]), shorter)
		if len(level) == 0 {
			continue
		}
		if !s.offer(level[:min(len(level), offered)], best+leastGain, yield) {
			return
		}
		near := shortest != nil && shortest.rss <= roundingError*roundingError*s.power
		if level[0].bits < best-leastGain && !(near && level[0].rss > leastDrop*shortest.rss) {
			best, vain, shortest = level[0].bits, 0, level[0]
		} else if near {
			break
		}
		if level[0].rss <= Exact*Exact*s.power {
			break
		}
	}
}

// offer yields the models with a description length below the bound most, in bits. It returns false
// once yield returns false.
func (s *Search) offer(models []*model, most float64, yield func(Law) bool) bool {
	for _, m := range models {
		if len(m.terms) > longSum && m.rss > longSumError*longSumError*s.power {
			continue
		}
		if m.bits < most && !yield(Law{s.tree(m), math.Sqrt(m.rss / s.power)}) {
			return false
		}
	}
	return true
}

// candidate is a sum that is not fitted yet: terms of a model and further columns.
type candidate struct {
	of      *model
	without int    // index of the term of the model that is left out; -1: none
	columns []int  // the further columns
	rank    ranks  // calculated with the inner constants of the grid, or with those of a quick fit
	key     string // see keyOfCandidate
	terms   []term // with the inner constants of a quick fit; nil: not fitted
}

// extend extends the best sums of k terms by one column or two, and fits the best of the results.
func (s *Search) extend(k int) {
	var singles, pairs []candidate
	size := sizes[s.inner]
	most := max(size.singles, 2*s.beam(k+1)/max(1, len(s.levels[k])))
	for i, m := range s.levels[k] {
		gains := s.gains(m)
		for _, i := range s.leading(gains, most) {
			singles = append(singles, candidate{of: m, without: -1, columns: []int{i}, rank: s.rank(m, m.rss*(1-gains[i]), i)})
		}
		if i < pairedModels && k <= pairedTerms {
			pairs = append(pairs, s.pairs(m, gains)...)
		}
	}
	s.fitBest(singles, s.beam(k+1))
	s.fitBest(pairs, size.beam/2)
}

// exchange makes further sums of k terms by replacing one term of the best sum of k terms by
// another column. It tries the best columns for each term.
func (s *Search) exchange(k int) {
	if k < 2 || len(s.levels[k]) == 0 {
		return
	}
	var all []candidate
	m := s.levels[k][0]
	for out := range m.terms {
		rest := &model{terms: slices.Delete(slices.Clone(m.terms), out, out+1)}
		s.project(rest)
		gains := s.gains(rest)
		for _, i := range s.leading(gains, exchangesKept) {
			all = append(all, candidate{of: m, without: out, columns: []int{i}, rank: s.rank(rest, rest.rss*(1-gains[i]), i)})
		}
	}
	s.fitBest(all, sizes[s.inner].refined)
}

// fitBest fits the best candidates. The parameter most limits their number. It adds the fitted sums
// to s.levels, by number of terms, and keeps only the best sums in each level. A pruned sum has
// fewer terms, so it enters a lower level.
func (s *Search) fitBest(all []candidate, most int) {
	all = s.unseen(all)
	s.fitQuickly(all[:min(len(all), sizes[s.inner].quick)])
	for taken, c := range leaders(all, most, func(c candidate) ranks { return c.rank }) {
		if s.ctx.Err() != nil {
			break
		}
		s.seen[c.key] = true
		terms := c.terms
		if terms == nil {
			terms = s.termsOf(c)
		}
		if m := s.fitted(terms, taken < sizes[s.inner].refined); m != nil {
			if c.without < 0 && c.terms == nil {
				m.parent = c.of
			}
			if !s.unpruned {
				m = s.pruned(m)
			}
			k := len(m.terms)
			s.levels[k] = append(s.levels[k], m)
		}
	}
	for k, l := range s.levels {
		slices.SortStableFunc(l, func(a, b *model) int { return cmp.Compare(a.rank[0], b.rank[0]) })
		s.levels[k] = leaders(distinct(l), s.beam(k), func(m *model) ranks { return m.rank })
	}
}

// distinct removes the models that have the same families as an earlier one.
func distinct(models []*model) []*model {
	known := map[string]bool{}
	return slices.DeleteFunc(models, func(m *model) bool {
		key := keyOfTerms(m.terms)
		again := known[key]
		known[key] = true
		return again
	})
}

// unseen returns the candidates whose families were not fitted yet, ordered by rank. If several
// have the same families, it returns only the best of them. It sorts all.
func (s *Search) unseen(all []candidate) (fresh []candidate) {
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.rank[0], b.rank[0]) })
	known := map[string]bool{}
	for _, c := range all {
		if c.key = s.keyOfCandidate(c); !s.seen[c.key] && !known[c.key] {
			known[c.key] = true
			fresh = append(fresh, c)
		}
	}
	return fresh
}

// keyOfCandidate returns keyOfTerms(s.termsOf(c)) without making the terms.
func (s *Search) keyOfCandidate(c candidate) string {
	families := make([]uint64, 0, len(c.of.terms)+len(c.columns))
	for i, t := range c.of.terms {
		if i != c.without {
			families = append(families, t.family)
		}
	}
	for _, i := range c.columns {
		families = append(families, s.columns[i].family)
	}
	return keyOf(families)
}

// fitQuickly fits the inner constants of candidates quickly and updates their ranks.
func (s *Search) fitQuickly(all []candidate) {
	each.Do(len(all), func(i int) {
		if s.ctx.Err() == nil {
			q := s.quicks.Get().(*quick)
			s.fitOneQuickly(q, &all[i])
			s.quicks.Put(q)
		}
	})
}

// fitOneQuickly fits the inner constants of c quickly, if it has any.
func (s *Search) fitOneQuickly(q *quick, c *candidate) {
	terms := s.termsOf(*c)
	if !slices.ContainsFunc(terms, term.bent) {
		return
	}
	left, at := q.fit(terms)
	if !(left < 1) {
		c.rank = ranks{math.Inf(1), math.Inf(1)}
		return
	}
	slot := 0
	for i, t := range terms {
		if k := t.tree.NumParams(); k > 0 {
			terms[i].tree = t.tree.WithStarts(at[slot : slot+k])
			slot += k
		}
	}
	c.terms = terms
	c.rank = s.rank(&model{terms: terms}, left*s.power)
}

// termsOf returns the terms of a candidate.
func (s *Search) termsOf(c candidate) []term {
	terms := slices.Clone(c.of.terms)
	if c.without >= 0 {
		terms = slices.Delete(terms, c.without, c.without+1)
	}
	for _, i := range c.columns {
		terms = append(terms, s.term(i))
	}
	return terms
}
