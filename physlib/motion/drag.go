package motion

import (
	"context"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Over few rows, linear damping, quadratic damping and damping by a sum of powers of the velocity
// have nearly the same derivatives. Only long windows distinguish them. So each kind of damping is
// tried in place of the others.

// otherDrags returns variants of the chosen law of equation k. In each, a single linear or
// quadratic damping of one velocity replaces two kinds of terms: those that depend on this velocity
// only, and those that are a drag (see isDrag).
func (sr *searcher) otherDrags(k int) (out []expr.Tree) {
	if sr.d.order != 2 {
		return nil
	}
	cols, t := sr.sampledColumns(), sr.best[k].tree
	for j := sr.d.numMeasured(); j < sr.d.numStates(); j++ {
		kinds := sr.drags(j)
		var now []expr.Tree // dampings in the law, without coefficients
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
			for i, v := range valuesOn(bound, cols, nil) {
				value[i] += v
			}
		}
		for _, by := range kinds {
			if len(now) == 0 || len(now) == 1 && sameForm(by)(now[0]) {
				continue
			}
			v := valuesOn(by, cols, nil)
			if c := projection(value, v); c-c == 0 {
				out = append(out, rest.with(by, c, true))
			}
		}
	}
	return out
}

// sameForm returns a function that reports whether a term has the same form as t.
func sameForm(t expr.Tree) func(expr.Tree) bool {
	hash := t.Hash()
	return func(o expr.Tree) bool { return o.Hash() == hash }
}

// drags returns the possible dampings of velocity v, which is column j. These are v, v·|v| and, if
// there are several directions, v times the speed.
func (sr *searcher) drags(j int) []expr.Tree {
	ap, v := expr.Apply, expr.X(j)
	out := []expr.Tree{v, ap(expr.Mul, v, ap(expr.Abs, v))}
	if _, velocities := sr.directions(); len(velocities) > 1 && slices.Contains(velocities, j) {
		out = append(out, ap(expr.Mul, v, ap(expr.Sqrt, squares(velocities))))
	}
	return out
}

// squares returns the sum of the squares of columns.
func squares(columns []int) expr.Tree {
	var list []expr.Tree
	for _, j := range columns {
		list = append(list, expr.Apply(expr.Square, expr.X(j)))
	}
	return total(list)
}

// exchangeDrags replaces the dampings in all directions at once by dampings of another kind, or
// removes them, if this improves the chosen system. It reports whether the system changed. A weak
// drag cannot be seen in a single direction, because of the noise, but it has the same form in all
// directions.
func (sr *searcher) exchangeDrags(ctx context.Context) bool {
	_, velocities := sr.directions()
	if len(velocities) < 2 || sr.shot == nil || slices.Contains(sr.best[:sr.numLaws()], nil) {
		return false
	}
	var lists [][]*candidate
	for kind := range 1 + len(sr.drags(velocities[0])) {
		laws, complete := make([]*candidate, len(sr.best)), true
		for _, j := range velocities {
			k := j
			if sr.d.order == 2 {
				k -= sr.d.numMeasured()
			}
			if t := sr.withDrag(k, j, kind, velocities); t.Len() > 0 {
				laws[k], _ = sr.offer(k, t)
			}
			complete = complete && laws[k] != nil
		}
		if complete {
			lists = append(lists, laws)
		}
	}
	return sr.exchangeSeveral(ctx, lists)
}

// withDrag returns the chosen law of equation k with another damping of velocity j. kind is the
// index of the new damping in drags(j). If kind is beyond the end of this list, the law gets no
// damping. The law is empty if no term is left.
func (sr *searcher) withDrag(k, j, kind int, velocities []int) expr.Tree {
	kinds, t := sr.drags(j), sr.best[k].tree
	var rest split
	for _, a := range terms(t) {
		if !sr.isDrag(bare(a.Bind(t.Params())), j, velocities) {
			rest.addends = append(rest.addends, a)
		}
	}
	switch {
	case kind < len(kinds):
	case len(rest.addends) == 0:
		return expr.Tree{}
	default:
		return total(rest.addends)
	}
	out := rest.with(kinds[kind], -smallStart, true).AbsorbParams()
	if form := sr.integralForm(k, sr.wins); form != nil {
		params, _, _ := form.fit(out, editSteps, nil)
		out = out.WithStarts(params)
	}
	return out
}

// isDrag reports whether t depends only on velocities, and has the sign of velocity j everywhere or
// the opposite sign everywhere. t is a term without a coefficient.
func (sr *searcher) isDrag(t expr.Tree, j int, velocities []int) bool {
	if !slices.Contains(t.Vars(), j) {
		return false
	}
	for _, v := range t.Vars() {
		if !slices.Contains(velocities, v) {
			return false
		}
	}
	cols := sr.sampledColumns()
	low, high := 0.0, 0.0
	for i, v := range valuesOn(t, cols, nil) {
		low, high = min(low, v*cols[j][i]), max(high, v*cols[j][i])
	}
	return low == 0 || high == 0
}
