package motion

import (
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Over few rows a damping that grows with the velocity, one that grows with its square and a sum of
// powers have nearly the same derivatives, and only long windows decide between them. So each is
// tried in the place of the others.

// otherDrags returns the chosen law of equation k with its terms in one velocity alone replaced by
// a single damping, which is linear or quadratic.
func (sr *searcher) otherDrags(k int) (out []expr.Tree) {
	if sr.d.order != 2 {
		return nil
	}
	cols, t := sr.some(), sr.best[k].tree
	for j := sr.d.measured(); j < sr.d.states(); j++ {
		kinds := sr.drags(j)
		var now []expr.Tree // without coefficients
		var rest split
		value := make([]float64, len(cols[0]))
		for _, a := range terms(t) {
			bound := a.Bind(t.Params())
			b := bare(bound)
			if !slices.Equal(b.Vars(), []int{j}) && !slices.ContainsFunc(kinds, sameForm(b)) {
				rest.addends = append(rest.addends, a)
				continue
			}
			now = append(now, b)
			for i, v := range on(bound, nil, cols) {
				value[i] += v
			}
		}
		for _, by := range kinds {
			if len(now) == 0 || len(now) == 1 && sameForm(by)(now[0]) {
				continue
			}
			v := on(by, nil, cols)
			if c := projection(value, v); c-c == 0 {
				out = append(out, rest.with(by, c, true))
			}
		}
	}
	return out
}

// sameForm returns a function that reports whether a term is t.
func sameForm(t expr.Tree) func(expr.Tree) bool {
	hash := t.Hash()
	return func(o expr.Tree) bool { return o.Hash() == hash }
}

// drags returns the terms of a damping of velocity j: v, v·|v| and, with several directions, v
// times the speed.
func (sr *searcher) drags(j int) []expr.Tree {
	ap, v, first := expr.Apply, expr.X(j), sr.d.measured()
	out := []expr.Tree{v, ap(expr.Mul, v, ap(expr.Abs, v))}
	if sr.laws() > 1 && j-first < sr.laws() {
		all := sr.squaredNorms(first, 0, 1)
		out = append(out, ap(expr.Mul, v, ap(expr.Sqrt, all[len(all)-1])))
	}
	return out
}
