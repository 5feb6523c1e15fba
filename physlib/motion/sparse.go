package motion

import (
	"context"
	"iter"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Sparse proposes laws that are short sums of library terms. The terms are products of powers,
// sines, cosines and cotangents of states, their sums and differences, and simple quotients. Many
// laws of motion are of this kind (S. L. Brunton, J. L. Proctor, J. N. Kutz, PNAS 113 (2016) 3932).
//
// Sums are built by orthogonal least squares from several first terms (S. Chen, S. A. Billings, W.
// Luo, Int. J. Control 50 (1989) 1873). Each step adds the term that gives the smallest residual.
// Then terms are removed from the longest sums by the same criterion.
//
// If the time is a column, sines and cosines of it are added to the terms. Their frequencies are
// estimated from the data; see drives.
type Sparse struct {
	Time string // name of the time column; "": none
}

// Limits on the library and its sums.
const (
	mostTerms  = 7  // largest number of terms in a sum
	firstTerms = 20 // number of terms with which a greedy sum may begin
	mostPairs  = 40 // largest number of pairs of terms that are proposed
	// Largest number of atoms, the terms without constants inside (see allAtoms).
	mostAtoms  = 400
	sparseRows = 500 // largest number of rows used
	mostNormed = 6   // largest number of columns for which distances are terms
)

// Propose yields the sums, pairs first.
func (c Sparse) Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		l := newTermMatrix(p, c.Time)
		if l == nil {
			return
		}
		seen := map[uint64]bool{}
		emit := func(terms []int) bool {
			t := l.sum(terms)
			if hash := t.Hash(); seen[hash] {
				return true
			} else {
				seen[hash] = true
			}
			return ctx.Err() == nil && yield(t, nil)
		}
		l.sums(emit)
	}
}

// sums calls visit with sums of terms until visit returns false. Pairs come first. Then a sum is
// grown from each of several first terms: the best next term is added repeatedly, and in the end
// the least important terms are removed.
func (l *termMatrix) sums(visit func(terms []int) bool) {
	for _, pair := range l.pairs() {
		if !visit(pair) {
			return
		}
	}
	for _, first := range l.ranked(nil)[:min(firstTerms, len(l.trees))] {
		chosen := []int{first}
		for len(chosen) <= mostTerms {
			if !visit(chosen) || !visit(l.pruned(chosen)) {
				return
			}
			next := l.ranked(chosen)
			if len(next) == 0 || len(chosen) >= len(l.y)/3 {
				break
			}
			chosen = append(chosen, next[0])
		}
		for len(chosen) > 2 { // backward elimination
			chosen = l.without(chosen)
			if !visit(chosen) {
				return
			}
		}
	}
}

// termMatrix is a library of terms, as weighted columns of length one, together with the weighted
// target.
type termMatrix struct {
	trees []expr.Tree
	cols  [][]float64
	size  []float64 // norm of each term's column before normalization
	// Index of the column that is the slope of each term: the derivative of its normalized column
	// with respect to the logarithm of the constant inside. -1: none; nil: no term has a slope. To
	// first order, the column of a term plus a times its slope is its normalized column with the
	// constant times exp(a). Slopes follow the columns of the terms.
	slopes []int
	growth []float64 // derivative of the logarithm of the norm with respect to that of the constant
	y      []float64
	x      [][]float64 // columns of the problem
	w      []float64   // square roots of the weights
}

// add adds a term with its column v, normalized, unless the norm of v is infinite or negligible
// compared with whole. It overwrites v.
func (l *termMatrix) add(t expr.Tree, v []float64, whole float64) {
	size := math.Sqrt(dot(v, v))
	if !(size > 1e-9*whole) || math.IsInf(size, 0) {
		return
	}
	for i := range v {
		v[i] /= size
	}
	l.trees, l.cols, l.size = append(l.trees, t), append(l.cols, v), append(l.size, size)
}

func newTermMatrix(p *dataset.Problem, time string) *termMatrix {
	n := len(p.Target.Values)
	every := (n-1)/sparseRows + 1
	l := &termMatrix{}
	pick := func(v []float64) (out []float64) {
		for i := 0; i < n; i += every {
			out = append(out, v[i])
		}
		return out
	}
	l.y = pick(p.Target.Values)
	w := slices.Repeat([]float64{1}, len(l.y))
	if p.Weights != nil {
		for i, v := range pick(p.Weights) {
			w[i] = math.Sqrt(v)
		}
	}
	l.w = w
	dims := make([]unit.Dim, len(p.Vars))
	for i, v := range p.Vars {
		l.x, dims[i] = append(l.x, pick(v.Values)), v.Dim
	}
	for i := range l.y {
		l.y[i] *= w[i]
	}
	take := func(terms []expr.Tree) {
		for _, t := range terms {
			if _, _, err := t.Dim(dims); (!p.Units || err == nil) && p.Allows(t) {
				l.take(t)
			}
		}
	}
	take(firstAtoms(len(p.Vars)))
	if k := slices.IndexFunc(p.Vars, func(q dataset.Quantity) bool { return q.Name == time }); k >= 0 && time != "" {
		for _, omega := range l.drives(l.x[k], w) {
			take(waves(len(p.Vars), k, omega))
		}
	}
	if len(l.trees) == 0 || len(l.y) < 8 {
		return nil
	}
	return l
}

// take adds a term to the library, unless it is undefined in some row, zero in all rows, or
// oneSigned.
func (l *termMatrix) take(t expr.Tree) {
	if oneSigned(t, l.x) {
		return
	}
	v := t.Values(len(l.y), l.x, t.Params())
	for i := range v {
		v[i] *= l.w[i]
	}
	size := math.Sqrt(dot(v, v))
	if !(size > 0) || math.IsInf(size, 0) {
		return
	}
	for i := range v {
		v[i] /= size
	}
	l.trees, l.cols, l.size = append(l.trees, t), append(l.cols, v), append(l.size, size)
}

// pairs returns the pairs of terms with the smallest residuals, best first.
func (l *termMatrix) pairs() [][]int {
	type pair struct {
		terms []int
		gain  float64
	}
	var best []pair
	with := make([]float64, len(l.cols))
	for i, v := range l.cols {
		with[i] = dot(v, l.y)
	}
	for i, v := range l.cols {
		for j := range i {
			c := dot(v, l.cols[j])
			left := 1 - c*c
			if left < 1e-9 {
				continue
			}
			gain := (with[i]*with[i] + with[j]*with[j] - 2*c*with[i]*with[j]) / left
			if len(best) == mostPairs && gain <= best[mostPairs-1].gain {
				continue
			}
			at, _ := slices.BinarySearchFunc(best, gain, func(p pair, g float64) int {
				if p.gain > g {
					return -1
				}
				return 1
			})
			best = slices.Insert(best, at, pair{[]int{j, i}, gain})
			best = best[:min(len(best), mostPairs)]
		}
	}
	var out [][]int
	for _, p := range best {
		out = append(out, p.terms)
	}
	return out
}

// ranked returns the terms that are not in chosen, sorted by how much they reduce the residual sum
// of squares, best first.
func (l *termMatrix) ranked(chosen []int) []int {
	q := l.orthonormal(chosen)
	rest := slices.Clone(l.y)
	for _, u := range q {
		d := dot(u, rest)
		for i := range rest {
			rest[i] -= d * u[i]
		}
	}
	gain := make([]float64, len(l.trees))
	var order []int
	for a, v := range l.cols {
		if slices.Contains(chosen, a) {
			continue
		}
		left := 1.0 // squared norm of the component of v orthogonal to q
		for _, u := range q {
			d := dot(u, v)
			left -= d * d
		}
		if left < 1e-9 {
			continue
		}
		d := dot(v, rest)
		gain[a] = d * d / left
		order = append(order, a)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case gain[a] > gain[b]:
			return -1
		case gain[a] < gain[b]:
			return 1
		}
		return 0
	})
	return order
}

// pruned returns chosen without the terms that became redundant when later terms were added.
func (l *termMatrix) pruned(chosen []int) []int {
	for len(chosen) > 1 {
		next := l.without(chosen)
		if l.residualSS(next) > 1.01*l.residualSS(chosen)+1e-16*dot(l.y, l.y) {
			break
		}
		chosen = next
	}
	return chosen
}

// without returns chosen without its least important term.
func (l *termMatrix) without(chosen []int) []int {
	best, least := 0, math.Inf(1)
	for i := range chosen {
		if e := l.residualSS(slices.Delete(slices.Clone(chosen), i, i+1)); e < least {
			best, least = i, e
		}
	}
	return slices.Delete(slices.Clone(chosen), best, best+1)
}

// residualSS returns the residual sum of squares of the target after a fit of the chosen terms.
func (l *termMatrix) residualSS(chosen []int) float64 {
	sum := dot(l.y, l.y)
	for _, u := range l.orthonormal(chosen) {
		d := dot(u, l.y)
		sum -= d * d
	}
	return max(sum, 0)
}

// orthonormal returns an orthonormal basis of the chosen columns.
func (l *termMatrix) orthonormal(chosen []int) [][]float64 {
	columns := make([][]float64, len(chosen))
	for i, a := range chosen {
		columns[i] = slices.Clone(l.cols[a])
	}
	return extended(nil, columns, 1e-6)
}

// fitted returns the sum of columns with least-squares coefficients. The columns are terms,
// followed by slopes. The sum is empty if the columns are linearly dependent.
func (l *termMatrix) fitted(columns []int) (s sum) {
	var list [][]float64
	for _, a := range columns {
		list = append(list, l.cols[a])
	}
	coefs := leastSquares(list, l.y)
	if coefs == nil {
		return s
	}
	for i, a := range columns[:l.numTerms(columns)] {
		t, size := l.trees[a], l.size[a]
		if l.slopes != nil && l.slopes[a] >= 0 {
			if j := slices.Index(columns, l.slopes[a]); j >= 0 {
				shift := max(-mostShift, min(coefs[j]/coefs[i], mostShift))
				t = t.WithStarts([]float64{t.Params()[0] * math.Exp(shift)})
				size *= math.Exp(shift * l.growth[a])
			}
		}
		s.terms, s.coefs = append(s.terms, t), append(s.coefs, coefs[i]/size)
	}
	return s
}

// numTerms returns the number of terms among columns.
func (l *termMatrix) numTerms(columns []int) (n int) {
	for _, a := range columns {
		if a < len(l.trees) {
			n++
		}
	}
	return n
}

// sum returns c0·a + c1·b + … . Free constants inside terms come last; equal constants are merged.
func (l *termMatrix) sum(terms []int) expr.Tree {
	var t expr.Tree
	var inside []float64
	for i, a := range slices.Sorted(slices.Values(terms)) {
		nodes := slices.Clone(l.trees[a].Nodes())
		for k, n := range nodes {
			if n.Op != expr.Param {
				continue
			}
			if !slices.Contains(inside, n.Value) {
				inside = append(inside, n.Value)
			}
			nodes[k].Index = int32(len(terms) + slices.Index(inside, n.Value))
		}
		term, _ := expr.FromNodes(nodes)
		if term.Root() == expr.Number {
			term = expr.C(i, 1)
		} else {
			term = expr.Apply(expr.Mul, expr.C(i, 1), term)
		}
		if i == 0 {
			t = term
		} else {
			t = expr.Apply(expr.Add, t, term)
		}
	}
	return t
}
