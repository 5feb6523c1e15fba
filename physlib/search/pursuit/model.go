package pursuit

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/fit"
)

// model is a sum of terms with fitted constants.
type model struct {
	terms     []term
	rss, bits float64     // weighted residual sum of squares, and description length in bits
	rank      ranks       // used to compare m with other sums of the same number of terms
	span      [][]float64 // orthonormal rows that span the terms
	residual  []float64   // weighted residual of the target

	parent *model // the sum from which this one was extended; nil: none, or no longer needed
	// For each column of the dictionary, the scalar products that give its gain as a further term;
	// nil: not calculated yet.
	rest []part
}

func shorter(a, b *model) int { return cmp.Compare(a.bits, b.bits) }

// keyOfTerms returns a key for a set of terms. The key depends neither on their order nor on the
// values of their inner constants.
func keyOfTerms(terms []term) string {
	fs := make([]uint64, len(terms))
	for i, t := range terms {
		fs[i] = t.family
	}
	return keyOf(fs)
}

// keyOf returns a key for a set of families. It sorts the set.
func keyOf(families []uint64) string {
	slices.Sort(families)
	var key []byte
	for _, f := range families {
		key = binary.LittleEndian.AppendUint64(key, f)
	}
	return string(key)
}

// fitted returns a model of the terms with fitted coefficients and, if refine is true, fitted inner
// constants. It returns nil if the fit fails or the terms are linearly dependent.
func (s *Search) fitted(terms []term, refine bool) *model {
	m := &model{terms: slices.Clone(terms)}
	if refine && !s.refine(m) || !s.project(m) {
		return nil
	}
	s.describe(m)
	return m
}

// describe sets the description length of m and its ranks.
func (s *Search) describe(m *model) {
	m.bits, m.rank = s.length(m, m.rss, float64(len(s.target))), s.rank(m, m.rss)
}

// ranks are description lengths of a sum in bits, one for each element of rankRows.
type ranks [2]float64

// rankRows are two values of N in the description length ½·N·log₂ RSS + … of the package comment.
// They take the place of the number of rows. The larger one prefers sums with a small residual, the
// smaller one prefers sums of simple terms. Both are needed: as long as terms of the law are
// missing, the residual is a poor guide.
var rankRows = ranks{40, 8}

// rank returns the ranks of m extended by columns. rss is the residual sum of squares of the
// extended sum.
func (s *Search) rank(m *model, rss float64, columns ...int) (r ranks) {
	for i, rows := range rankRows {
		r[i] = s.length(m, rss, rows, columns...)
	}
	return r
}

// leaders returns at most n elements of all: the best by the first rank, the best by the second
// rank, the second best by the first rank, and so on.
func leaders[T any](all []T, n int, rank func(T) ranks) []T {
	if len(all) <= n {
		return all
	}
	var orders [len(rankRows)][]int
	for k := range orders {
		orders[k] = column.Order(len(all), func(a, b int) int { return cmp.Compare(rank(all[a])[k], rank(all[b])[k]) })
	}
	chosen := make([]bool, len(all))
	best := make([]T, 0, n)
	for i := 0; len(best) < n; i++ {
		for _, order := range orders {
			if at := order[i]; !chosen[at] && len(best) < n {
				chosen[at] = true
				best = append(best, all[at])
			}
		}
	}
	return best
}

// length returns the description length of m extended by columns, in bits. rss is the residual sum
// of squares of the extended sum. n is the number of rows, or an element of rankRows in its place.
func (s *Search) length(m *model, rss, n float64, columns ...int) float64 {
	constant := math.Log2(n) / 2
	b := n / 2 * math.Log2(max(rss, Exact*Exact*s.power))
	for _, t := range m.terms {
		b += t.price + constant*float64(1+t.tree.NumParams())
	}
	for _, i := range columns {
		b += s.columns[i].price + constant*float64(1+s.columns[i].inner)
	}
	return b
}

// fitIterations is the number of iterations of the fit of inner constants.
const fitIterations = 25

// refine fits the inner constants of m's terms together. It reports whether the fit succeeded.
func (s *Search) refine(m *model) bool {
	law := sum(m.terms, column.Ones(len(m.terms)))
	if law.NumParams() == len(m.terms) {
		return true
	}
	r, err := s.fitter.Fit(law, s.X, s.Y, s.Weights, fit.Settings{Starts: 1, MaxIter: fitIterations})
	if err != nil {
		return false
	}
	slot := 0
	for i, t := range m.terms {
		k := t.tree.NumParams()
		at := r.Params[slot+1 : slot+1+k]
		slot += 1 + k
		if k > 0 && !s.move(&m.terms[i], at) {
			return false
		}
	}
	return true
}

// move sets the inner constants of t to the values in the argument at. It reports whether t then
// has finite values.
func (s *Search) move(t *term, at []float64) bool {
	t.tree = t.tree.WithStarts(at)
	t.row = make([]float64, len(s.Y))
	expr.Compile(t.tree).Eval(t.row, s.X, at)
	s.weigh(t.row)
	t.norm = floats.Norm(t.row, 2)
	if !(t.norm > 0) || math.IsInf(t.norm, 0) {
		return false
	}
	floats.Scale(1/t.norm, t.row)
	return true
}

// tree returns m as an expression with its coefficients.
func (s *Search) tree(m *model) expr.Tree {
	coef := make([]float64, len(m.terms))
	for i := len(coef) - 1; i >= 0; i-- {
		coef[i] = floats.Dot(m.span[i], s.target)
		for k := i + 1; k < len(coef); k++ {
			coef[i] -= coef[k] * floats.Dot(m.span[i], m.terms[k].row)
		}
		coef[i] /= floats.Dot(m.span[i], m.terms[i].row)
	}
	for i, t := range m.terms {
		coef[i] /= t.norm
	}
	return sum(m.terms, coef)
}

// sum returns Σ coefₖ·termₖ. The coefficient of each term precedes the constants of the term.
func sum(terms []term, coef []float64) (t expr.Tree) {
	slot := 0
	for i, part := range terms {
		k := expr.C(slot, coef[i])
		p := part.tree.ShiftParams(slot + 1)
		slot += 1 + part.tree.NumParams()
		switch nodes := p.Nodes(); {
		case len(nodes) == 1 && nodes[0].Op == expr.Number: // the term is the constant 1
			p = k
		case nodes[len(nodes)-1].Op == expr.Inv: // c/(K+x)
			inner, _ := expr.FromNodes(slices.Clone(nodes[:len(nodes)-1]))
			p = expr.Apply(expr.Div, k, inner)
		default:
			p = expr.Apply(expr.Mul, k, p)
		}
		t = rewrite.Plus(t, p)
	}
	return t
}

// leastPart is the least norm of the part of a unit term that is orthogonal to the earlier terms.
// If the norm is less, the term counts as linearly dependent.
const leastPart = 1e-10

// project calculates the span, residual and rss of m from its terms. It reports whether the terms
// are linearly independent.
func (s *Search) project(m *model) bool {
	m.span, m.residual = nil, slices.Clone(s.target)
	independent := true
	for _, t := range m.terms {
		u, norm := column.Outside(m.span, t.row)
		if !(norm > leastPart) {
			independent = false
			continue
		}
		m.span = append(m.span, u)
	}
	column.Orthogonalize(m.residual, m.span)
	m.rss = floats.Dot(m.residual, m.residual)
	return independent && !math.IsNaN(m.rss)
}

// pruned drops terms from m as long as this shortens the description length.
func (s *Search) pruned(m *model) *model {
	for len(m.terms) > 1 {
		var best *model
		for out := range m.terms {
			rest := slices.Delete(slices.Clone(m.terms), out, out+1)
			r := s.fitted(rest, false)
			if r != nil && r.bits > m.bits && r.bits < m.bits+s.possibleGain(rest) {
				r = s.fitted(rest, true)
			}
			if r != nil && r.bits < m.bits && (best == nil || r.bits < best.bits) {
				best = r
			}
		}
		if best == nil {
			return m
		}
		m = best
		s.seen[keyOfTerms(m.terms)] = true
	}
	return m
}

// possibleGain returns by how many bits a refit of the inner constants of terms would shorten the
// description if it reduced the error to a tenth. It is 0 if there are no inner constants.
func (s *Search) possibleGain(terms []term) float64 {
	if slices.ContainsFunc(terms, term.bent) {
		return float64(len(s.target)) * math.Log2(10)
	}
	return 0
}
