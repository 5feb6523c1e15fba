package search

import (
	"context"
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
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
	for _, n := range []int{len(at.Vars), len(names)} {
		var of []unit.Dim
		if w.s.Units {
			of = dims[:n]
		}
		m := polynomial.New(columns[:n], of)
		for _, r := range relationsOf {
			if !w.admits(r.h) {
				continue
			}
			terms := m.Find(ctx, column.Map(at.Y, r.h.of), r.h.dim(w.s.TargetDim), r.power)
			for _, law := range solved(terms, names) {
				if w.proved(r.h.inverse(law)) {
					return true
				}
			}
		}
		if n == len(names) {
			break
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

// coordinates returns the variables, and the sines and cosines of those without a dimension, at the
// points of a space, with their dimensions.
func (w *work) coordinates(at *view.Space) (columns [][]float64, names []expr.Tree, dims []unit.Dim) {
	for i, x := range at.X {
		columns, names, dims = append(columns, x), append(names, expr.X(at.Vars[i])), append(dims, at.Dims[i])
	}
	for i, x := range at.X {
		if at.Units && !at.Dims[i].IsZero() || column.Constant(x) || !column.Within(x, -widestAngle, widestAngle) {
			continue
		}
		for _, f := range []expr.Op{expr.Cos, expr.Sin} {
			if w.allowed(f) {
				of := map[expr.Op]func(float64) float64{expr.Cos: math.Cos, expr.Sin: math.Sin}[f]
				columns, names, dims = append(columns, column.Map(x, of)), append(names, expr.Apply(f, expr.X(at.Vars[i]))), append(dims, unit.Dim{})
			}
		}
	}
	return columns, names, dims
}

// equation is a relation that is to be solved for the target.
type equation struct {
	names []expr.Tree         // of the coordinates
	parts [][]polynomial.Term // by the power of the target
	lead  polynomial.Term     // term of the highest power, whose coefficient becomes 1
	b     build.Constants
}

// solved returns the target that a relation gives, or the two solutions of a quadratic one.
func solved(terms []polynomial.Term, names []expr.Tree) []expr.Tree {
	if len(terms) == 0 {
		return nil
	}
	e := &equation{names: names}
	for _, t := range terms {
		for len(e.parts) <= t.Power {
			e.parts = append(e.parts, nil)
		}
		e.parts[t.Power] = append(e.parts[t.Power], t)
	}
	top := len(e.parts) - 1
	e.lead = e.parts[top][0]
	for _, t := range e.parts[top] {
		if math.Abs(t.Coef) < math.Abs(e.lead.Coef) {
			e.lead = t
		}
	}
	rest := e.over(0, -1)
	if top == 1 {
		return []expr.Tree{rest}
	}
	half := e.over(1, -0.5)
	if half.Len() == 0 {
		return []expr.Tree{expr.Apply(expr.Sqrt, rest)}
	}
	under := expr.Apply(expr.Square, half)
	if rest.Len() > 0 {
		under = expr.Apply(expr.Add, under, rest)
	}
	under = expr.Apply(expr.Sqrt, under)
	return []expr.Tree{expr.Apply(expr.Add, half, under), expr.Apply(expr.Sub, half, under)}
}

// over returns factor times the terms with a power of the target, over those with its highest
// power. It returns an empty tree where there are no terms.
func (e *equation) over(power int, factor float64) expr.Tree {
	below := e.parts[len(e.parts)-1]
	if len(below) == 1 {
		return e.sum(power, factor, e.lead.Exponents)
	}
	above := e.sum(power, factor, nil)
	if above.Len() == 0 {
		return above
	}
	return expr.Apply(expr.Div, above, e.sum(len(e.parts)-1, 1, nil))
}

// sum returns factor times the terms with a power of the target, each over the monomial of the
// exponents under.
func (e *equation) sum(power int, factor float64, under []int) (sum expr.Tree) {
	for _, t := range e.parts[power] {
		p := build.One()
		for i, k := range t.Exponents {
			if under != nil {
				k -= under[i]
			}
			p.By(e.names[i], 2*k)
		}
		term := p.Tree()
		if k := factor * t.Coef / e.lead.Coef; k != 1 {
			term = build.Mul(e.b.Free(k), term)
		}
		if sum.Len() == 0 {
			sum = term
		} else {
			sum = expr.Apply(expr.Add, sum, term)
		}
	}
	return sum
}
