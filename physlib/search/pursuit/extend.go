package pursuit

import "slices"

const (
	mostBase  = 6 // largest number of terms of the polynomial with which sums start
	mostAdded = 3 // largest number of terms added to the polynomial
	// Degree of the polynomial with which sums start; it is lower if that polynomial has more than
	// mostBase terms.
	baseDegree  = 2
	shortenings = 8 // number of best sums, for each number of terms, that are pruned
)

// extendPolynomial finds sums of a polynomial of the second degree and a few terms with inner
// constants. An example is P·exp(-a·t) + P·exp(-b·P) + P + P² in the variables P and t. As long as
// an exponential is missing, the powers in the law cannot be identified. So the sum starts with all
// terms of the polynomial, and superfluous terms are dropped at the end.
func (s *Search) extendPolynomial(yield func(Law) bool) {
	base := &model{terms: s.polynomial(baseDegree)}
	for degree := baseDegree - 1; len(base.terms) > mostBase && degree > 0; degree-- {
		base.terms = s.polynomial(degree)
	}
	n := len(base.terms)
	if n == 0 || n > mostBase || !s.project(base) {
		return
	}
	s.describe(base)
	s.seen, s.unpruned = map[string]bool{}, true
	defer func() { s.unpruned = false }()
	s.levels = [mostTerms + 1][]*model{}
	s.levels[n] = []*model{base}
	for k := n; k < n+mostAdded && s.ctx.Err() == nil; k++ {
		s.extend(k)
		var short []*model
		for i, m := range s.levels[k+1] {
			if i == shortenings || s.ctx.Err() != nil {
				break
			}
			short = append(short, s.pruned(m))
		}
		slices.SortStableFunc(short, shorter)
		short = distinct(short)
		if len(short) == 0 || !s.offer(short[:min(len(short), 2*offered)], base.bits, yield) ||
			short[0].rss <= roundingError*roundingError*s.power {
			return
		}
	}
}

// polynomial returns the terms of the dictionary that are products of whole powers. The parameter
// most is the largest total degree.
func (s *Search) polynomial(most int) (terms []term) {
	for i, c := range s.columns[:s.ends[0]] {
		degree := 0
		for _, a := range c.atoms {
			if d := s.atoms[a].degree; d > 0 {
				degree += d
			} else {
				degree = most + 1
			}
		}
		if degree <= most {
			terms = append(terms, s.term(i))
		}
	}
	return terms
}
