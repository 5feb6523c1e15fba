package motion

import (
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Trajectories often visit only a small part of the possible states. In that part, one column may
// be nearly a function of the others, for instance near a slow manifold. Laws of different forms
// then have nearly the same rates on the trajectories. So a law that contains such a column is
// fitted again with the column replaced by a function of the other columns.
const (
	// A column counts as a linear function of the other columns if a fit leaves residuals with a
	// variance below this fraction of the column's variance.
	alignedShare = 0.02
	// A term of the linear function that replaces a column is dropped if its spread is below this
	// fraction of the spread of the column.
	leastPart   = 0.1
	mostAligned = 12 // largest number of rewritten laws that are fitted
)

// replaceable reports whether the law of equation k is ambiguous: a column can be replaced by a
// function of the other columns, and the resulting law fits the trajectories about as well.
func (sr *searcher) replaceable(ctx context.Context, k int) bool {
	data := func(s *trajectoryFit) (bits float64) {
		for j, rss := range s.RSS {
			if sr.best[j] != nil {
				bits += s.Rows / 2 * math.Log2(rss)
			}
		}
		return bits
	}
	least := data(sr.shot) + alignedBits
	list := sr.rewritten(k)
	for _, t := range list[:min(len(list), mostAligned)] {
		if ctx.Err() != nil {
			break
		}
		trial := slices.Clone(sr.best)
		trial[k] = sr.newCandidate(k, t, stepwiseName)
		s, _ := sr.evaluate(trial, nil, func(float64, int) bool { return ctx.Err() != nil })
		if s.Lost == 0 && data(s) < least {
			return true
		}
	}
	return false
}

// rewritten returns variants of the law of equation k. In each variant, one column is replaced by a
// linear function of other columns that has nearly the same values. The column is replaced wherever
// it occurs, or at a single position.
func (sr *searcher) rewritten(k int) (out []expr.Tree) {
	t := sr.best[k].tree
	nodes, free := t.Nodes(), t.NumParams()
	cols := sr.rateColumns(k)
	for i := range cols {
		var places []int
		for at, n := range nodes {
			if n.Op == expr.Var && int(n.Index) == i {
				places = append(places, at)
			}
		}
		if len(places) == 0 {
			continue
		}
		by, ok := follows(cols, i, free)
		if !ok {
			continue
		}
		if len(places) > 1 {
			out = append(out, substituted(t, places, by))
		}
		for _, at := range places {
			out = append(out, substituted(t, []int{at}, by))
		}
	}
	return slices.DeleteFunc(out, func(t expr.Tree) bool { return !sr.admits(k, t) })
}

// substituted returns t with some of its leaves replaced by the tree by. places holds the node
// indices of these leaves.
func substituted(t expr.Tree, places []int, by expr.Tree) expr.Tree {
	var nodes []expr.Node
	for i, n := range t.Nodes() {
		if slices.Contains(places, i) {
			nodes = append(nodes, by.Nodes()...)
			continue
		}
		nodes = append(nodes, n)
	}
	out, ok := expr.FromNodes(nodes)
	if !ok {
		return t
	}
	return out.AbsorbParams()
}

// follows returns a linear function of the other columns that has nearly the values of column i.
// Its constants are numbered from first. ok reports whether there is such a function.
func follows(cols [][]float64, i, first int) (by expr.Tree, ok bool) {
	target := centred(cols[i])
	size := dot(target, target)
	if !(size > 0) {
		return by, false
	}
	var names []int
	var base, whole [][]float64
	for j, c := range cols {
		v := centred(c)
		if j == i || !(dot(v, v) > 0) {
			continue
		}
		if u := orthogonal(base, slices.Clone(v), 1e-9); u != nil {
			base, whole, names = append(base, u), append(whole, v), append(names, j)
		}
	}
	rest := slices.Clone(target)
	for _, u := range base {
		subtract(rest, u, dot(u, rest))
	}
	coefs := leastSquares(whole, target)
	if coefs == nil || !(dot(rest, rest) < alignedShare*size) {
		return by, false
	}
	offset := mean(cols[i])
	terms := []expr.Tree{{}}
	for n, c := range coefs {
		if part := c * c * dot(whole[n], whole[n]); part < leastPart*leastPart*size {
			continue
		}
		offset -= c * mean(cols[names[n]])
		terms = append(terms, expr.Apply(expr.Mul, expr.C(first+len(terms), c), expr.X(names[n])))
	}
	terms[0] = expr.C(first, offset)
	return total(terms), true
}

// centred returns v less its mean.
func centred(v []float64) []float64 {
	m := mean(v)
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = x - m
	}
	return out
}
