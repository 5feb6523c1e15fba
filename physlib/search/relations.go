package search

import (
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/polynomial"
	"github.com/physlib/lab/physlib/search/view"
	"github.com/physlib/lab/physlib/unit"
)

// Polynomial relations between the target, under a function, and the variables, or these with
// their sines and cosines (package polynomial). The target is a polynomial, a ratio of two, or the
// root of a quadratic equation.

// relationsOf lists the outer functions and the highest power of the target in a relation.
var relationsOf = []struct {
	h     transform
	power int
}{{identity, 1}, {squared, 1}, {logarithm, 1}, {identity, 2}, {squared, 2}}

// widestAngle is the largest absolute value of a variable whose sine and cosine are coordinates.
const widestAngle = 100

// sumsOf lists the outer functions under which a law may be a sum of products of powers.
var sumsOf = []transform{identity, reciprocal, squared}

// relations offers the exact laws that polynomial relations make, and sums of products of whole
// powers, negative ones among them.
func (w *work) relations(ctx context.Context) (exact bool) {
	w.report("polynomial relations")
	at := w.s.Resampled(polynomial.Rows)
	columns, names, dims := w.coordinates(at)
	angular := len(names) - len(at.Vars)
	for _, from := range slices.Compact([]int{angular, 0}) {
		var of []unit.Dim
		if w.s.Units {
			of = dims[from:]
		}
		m := polynomial.New(columns[from:], of)
		for _, r := range relationsOf {
			if !w.admits(r.h) {
				continue
			}
			terms := m.Find(ctx, column.Map(at.Y, r.h.of), r.h.dim(w.s.TargetDim), r.power)
			for _, law := range solved(terms, names[from:]) {
				if w.proved(r.h.inverse(law)) {
					return true
				}
			}
		}
	}
	for _, h := range sumsOf {
		if w.admits(h) && w.productsOfPowers(ctx, at, h) {
			return true
		}
	}
	return false
}

// proved yields a law if it is exact, and reports whether it is so on all rows.
func (w *work) proved(law expr.Tree) bool { return w.holds(law) && w.yield(law) && w.everywhere(law) }

// productsOfPowers offers h(y) as a sum of a few of the cheapest products of whole powers.
func (w *work) productsOfPowers(ctx context.Context, at *view.Space, h transform) (exact bool) {
	origin, ok := at.Lattice.Origin(at.Dims, h.dim(at.TargetDim), at.Units)
	if !ok {
		return false
	}
	near, _ := w.nearest(origin)
	t := column.Map(at.Y, h.of)
	kept, coef := polynomial.Sum(ctx, t, func(i int) (v []float64) {
		if i < len(near) {
			v = make([]float64, len(t))
			at.Value(v, near[i].Monomial)
		}
		return v
	})
	if len(kept) == 0 {
		return false
	}
	b := &dictionary.Writer{Space: w.s, Pool: w.p}
	var sum parts
	for i, k := range kept {
		sum.add(b, dictionary.Feature{Monomial: near[k].Monomial, Expr: -1}, coef[i])
	}
	return w.proved(h.inverse(sum.tree(b)))
}

// coordinates returns the variables at the points of a space, after the sines and cosines of those
// without a dimension, with their dimensions.
func (w *work) coordinates(at *view.Space) (columns [][]float64, names []expr.Tree, dims []unit.Dim) {
	add := func(v []float64, name expr.Tree, dim unit.Dim) {
		columns, names, dims = append(columns, v), append(names, name), append(dims, dim)
	}
	for i, x := range at.X {
		if at.Units && !at.Dims[i].IsZero() || column.Constant(x) || !column.Within(x, -widestAngle, widestAngle) {
			continue
		}
		if v := expr.X(at.Vars[i]); w.allowed(expr.Cos) && w.allowed(expr.Sin) {
			add(column.Map(x, math.Cos), expr.Apply(expr.Cos, v), unit.Dim{})
			add(column.Map(x, math.Sin), expr.Apply(expr.Sin, v), unit.Dim{})
		}
	}
	for i, x := range at.X {
		add(x, expr.X(at.Vars[i]), at.Dims[i])
	}
	return columns, names, dims
}
