package search

import (
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/polynomial"
	"github.com/physlib/lab/physlib/search/view"
	"github.com/physlib/lab/physlib/unit"
)

// Polynomial relations between the target, under a function, and the variables, with their sines
// and cosines, exponentials or logarithms (package polynomial). The target is a polynomial, a ratio
// of two, or the root of a quadratic equation.

// relationsOf lists the outer functions and the highest power of the target in a relation; 0 means
// a polynomial.
var relationsOf = []struct {
	h     transform
	power int
}{{identity, 0}, {identity, 1}, {squared, 1}, {logarithm, 1}, {identity, 2}, {squared, 2}}

const (
	widestAngle    = 100 // absolute value of a variable whose sine and cosine are coordinates
	widestExponent = 30  // and of an exponent
	mostFunctions  = 4   // exponentials or logarithms that are coordinates at once
)

// sumsOf lists the outer functions under which a law may be a sum of products of powers.
var sumsOf = []transform{identity, reciprocal, squared}

// functionsOf lists by depth which functions of the variables are coordinates, besides these.
var functionsOf = [...][]func(*work, *view.Space, *coordinates){
	{(*work).none, (*work).angles},
	{(*work).exponentials, (*work).logarithms},
}

// relations offers the exact laws that polynomial relations make. At depth 0, these are also sums
// of products of whole powers, negative ones among them.
func (w *work) relations(ctx context.Context, depth int) (exact bool) {
	w.report("polynomial relations")
	at := w.s.Resampled(polynomial.Rows)
	for n, add := range functionsOf[depth] {
		var c coordinates
		if add(w, at, &c); len(c.names) == 0 && n+depth > 0 {
			continue
		}
		for i, x := range at.X {
			c.add(x, expr.X(at.Vars[i]), at.Dims[i])
		}
		if w.relationsOf(ctx, at, c) {
			return true
		}
	}
	if depth > 0 {
		return false
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

// relationsOf offers the laws of polynomial relations between the target and coordinates.
func (w *work) relationsOf(ctx context.Context, at *view.Space, c coordinates) (exact bool) {
	if !at.Units {
		c.dims = nil
	}
	m := polynomial.New(c.columns, c.dims)
	for _, r := range relationsOf {
		if !w.admits(r.h) {
			continue
		}
		terms := m.Find(ctx, column.Map(at.Y, r.h.of), r.h.dim(at.TargetDim), r.power)
		var laws []expr.Tree
		if r.h.name == squared.name && r.power == 1 {
			laws = solvedSquare(terms, c.names)
		}
		for _, target := range solved(terms, c.names) {
			laws = append(laws, r.h.inverse(target))
		}
		if slices.ContainsFunc(laws, w.proved) {
			return true
		}
	}
	return false
}

// coordinates are the variables and functions of a relation, at the points of a space.
type coordinates struct {
	columns [][]float64
	names   []expr.Tree
	dims    []unit.Dim
}

func (c *coordinates) add(v []float64, name expr.Tree, dim unit.Dim) {
	c.columns, c.names, c.dims = append(c.columns, v), append(c.names, name), append(c.dims, dim)
}

// none adds nothing to the variables.
func (w *work) none(*view.Space, *coordinates) {}

// angles adds the sines and cosines of the variables without a dimension.
func (w *work) angles(at *view.Space, c *coordinates) {
	if !w.allowed(expr.Cos) || !w.allowed(expr.Sin) {
		return
	}
	for i, x := range at.X {
		if at.Units && !at.Dims[i].IsZero() || column.Constant(x) || !column.Within(x, -widestAngle, widestAngle) {
			continue
		}
		v := expr.X(at.Vars[i])
		c.add(column.Map(x, math.Cos), expr.Apply(expr.Cos, v), unit.Dim{})
		c.add(column.Map(x, math.Sin), expr.Apply(expr.Sin, v), unit.Dim{})
	}
}

// exponentials adds those of the simplest dimensionless products.
func (w *work) exponentials(at *view.Space, c *coordinates) {
	if !w.allowed(expr.Exp) {
		return
	}
	w.simplestGroups(at, func(v []float64, q expr.Tree) bool {
		if column.Within(v, -widestExponent, widestExponent) {
			c.add(column.Map(v, math.Exp), expr.Apply(expr.Exp, q), unit.Dim{})
		}
		return len(c.names) < mostFunctions
	})
}

// logarithms adds those of the simplest dimensionless products q, and of 1 - q.
func (w *work) logarithms(at *view.Space, c *coordinates) {
	if !w.allowed(expr.Log) {
		return
	}
	var known [][]float64
	w.simplestGroups(at, func(v []float64, q expr.Tree) bool {
		l := column.Map(v, math.Log)
		if u, fresh := column.Independent(known, l); fresh && column.Finite(l) { // no log(a·b)
			known = append(known, u)
			c.add(l, expr.Apply(expr.Log, q), unit.Dim{})
		}
		if l := column.Map(v, func(x float64) float64 { return math.Log1p(-x) }); column.Finite(l) {
			c.add(l, expr.Apply(expr.Log, expr.Apply(expr.Sub, expr.Num(1), q)), unit.Dim{})
		}
		return len(c.names) < mostFunctions
	})
}

// simplestGroups calls yield with the simplest dimensionless products of whole powers, each or its
// inverse, until it returns false.
func (w *work) simplestGroups(at *view.Space, yield func(v []float64, q expr.Tree) bool) {
	one, _ := at.Lattice.Origin(at.Dims, unit.Dim{}, at.Units)
	near, _ := w.nearest(one)
	known := map[string]bool{}
	for _, m := range near {
		if known[m.Plus(m.Monomial, -2, 1).Key()] {
			continue
		}
		known[m.Key()] = true
		v := make([]float64, at.Points())
		if at.Value(v, m.Monomial); m.IsOne() || !column.Finite(v) || column.Constant(v) {
			continue
		}
		p := build.One()
		(&dictionary.Writer{Space: w.s, Pool: w.p}).Monomial(&p, m.Monomial)
		if !yield(v, p.Tree()) {
			return
		}
	}
}
