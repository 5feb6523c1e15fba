package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/polynomial"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/view"
	"github.com/physlib/lab/physlib/unit"
)

// Polynomial relations (package polynomial) between h(y), where h is an outer function, and
// coordinates. The variables are always coordinates. Further coordinates can be the sines and
// cosines of the variables, exponentials, logarithms, or one expression of the pool. Solved for
// h(y), a relation gives a polynomial, a ratio of two polynomials, or a root of a quadratic
// equation.

// kinds lists the kinds of relations. power is the highest power of the target in the relation. If
// power is 0, the target is a polynomial of the coordinates.
var kinds = []struct {
	use
	power int
}{{asPolynomial, 0}, {asFraction, 1}, {asExpression, 1}, {asRoot, 2}}

const (
	widestAngle = 100 // a variable whose |x| exceeds this gets no sine and cosine as coordinates
	// Largest absolute value of the argument of an exponential that is a coordinate.
	widestExponent = 30
	// Once this many exponentials are coordinates, no further exponentials are added. The same
	// holds for logarithms.
	mostFunctions = 4
	// Largest number of expressions of the pool that are tried as a coordinate, one at a time.
	mostExpressions = 300
	// Largest degree of a monomial in a relation, if an expression of the pool is a coordinate.
	degreeOfRatio = 4
	rowsOfRatio   = 100 // number of rows, if an expression of the pool is a coordinate
	// Largest relative error of an exact law on all rows; stricter than match.Exact.
	provedEps = 1e-11
)

// depthsOfRelations is the number of depths. At depth 0, the coordinates are the variables, and
// their sines and cosines. Depth 1 adds exponentials or logarithms, and depth 2 one expression of
// the pool.
const depthsOfRelations = 3

// relations offers the exact laws that polynomial relations give. At depth 0, it also offers sums
// of products of powers. The powers are whole numbers and may be negative.
func (w *work) relations(ctx context.Context, depth int) (exact bool) {
	w.report("polynomial relations")
	sample := w.space.Resampled(polynomial.Rows)
	const ofVariables = asPolynomial | asFraction | asRoot
	with := func(functions coordinates) bool {
		return len(functions.names) > 0 && w.relationsOf(ctx, sample, functions.and(sample, nil), ofVariables, polynomial.MostDegree)
	}
	switch depth {
	case 0:
		return w.relationsOf(ctx, sample, coordinates{}.and(sample, nil), ofVariables, polynomial.MostDegree) || with(w.angles(sample)) ||
			slices.ContainsFunc(outers, func(h transform) bool {
				return h.uses&asPowers != 0 && w.admits(h) && w.productsOfPowers(ctx, sample, h)
			})
	case 1:
		return with(w.exponentials(sample)) || with(w.logarithms(sample))
	}
	return w.relationsOfExpressions(ctx)
}

// relationsOfExpressions offers the laws of relations in which one transcendental expression of the
// pool is a coordinate. It tries three sets of other coordinates: all variables, those that are not
// in the expression, and the square roots of those.
func (w *work) relationsOfExpressions(ctx context.Context) (exact bool) {
	sample := w.space.Resampled(rowsOfRatio)
	tried := 0
	for a := range int32(w.pool.Len()) {
		if tried == mostExpressions || ctx.Err() != nil {
			return false
		}
		if !w.pool.Transcends(a) {
			continue
		}
		tried++
		name, v := w.writer().Node(a), make([]float64, sample.Points())
		expr.Compile(name).Eval(v, sample.Columns(), nil)
		if !column.Finite(v) {
			continue
		}
		var c coordinates
		c.add(v, name, unit.Dim{})
		others := c.and(sample, name.Vars())
		for _, c := range []coordinates{others, c.and(sample, nil), others.roots()} {
			if w.relationsOf(ctx, sample, c, asExpression, degreeOfRatio) {
				return true
			}
		}
	}
	return false
}

// proved yields law if law is exact at the sampled rows. It reports whether law is exact on all
// rows.
func (w *work) proved(law expr.Tree) bool { return w.holds(law) && w.yield(law) && w.everywhere(law) }

// everywhere reports whether a tree equals the target on all rows, including those not sampled.
func (w *work) everywhere(t expr.Tree) bool {
	y := w.space.Problem.Target.Values
	v := t.Values(len(y), w.space.Problem.Cols(), t.Params())
	off, all := 0.0, 0.0
	for i := range y {
		if !math.IsNaN(v[i]) && !math.IsNaN(y[i]) {
			off += (v[i] - y[i]) * (v[i] - y[i])
			all += y[i] * y[i]
		}
	}
	return off <= provedEps*provedEps*all
}

// productsOfPowers offers laws in which h(y) is a sum of a few products of whole powers. It tries
// only the cheapest products.
func (w *work) productsOfPowers(ctx context.Context, sample *view.Space, h transform) (exact bool) {
	near := w.nearest(w.originOf(h))
	t := column.Map(sample.Y, h.of)
	kept, coef := polynomial.Sum(ctx, t, func(i int) (v []float64) {
		if i < len(near) {
			v = make([]float64, len(t))
			sample.Value(v, near[i].Monomial)
		}
		return v
	})
	var terms []expr.Tree
	for _, k := range kept {
		terms = append(terms, w.writer().Term(dictionary.Feature{Monomial: near[k].Monomial, Expr: -1}))
	}
	return len(kept) > 0 && w.proved(h.inverse(sumOf(coef, terms)))
}

// nearest returns cheap monomials with the dimension of origin. Their exponents differ by whole
// numbers from those of the cheapest one.
func (w *work) nearest(origin view.Monomial) (whole []view.Priced) {
	const limit = 300
	all := w.space.Lattice.Cheapest(origin, 4, 4*limit)
	least := all[0].Monomial
	for _, p := range all {
		if !w.space.Units {
			p.Extra = p.Cost() - least.Cost()
		}
		if p.Plus(least, -1, 1).Divisible(1, view.SixthsInOne) {
			whole = append(whole, p)
		}
	}
	slices.SortStableFunc(whole, func(a, b view.Priced) int { return cmp.Compare(a.Extra, b.Extra) })
	return whole[:min(limit, len(whole))]
}

// relationsOf offers the laws that follow from polynomial relations between the target and the
// coordinates c at the points of sample. The parameter degree limits the degree of the relations,
// and the parameter of selects the kinds of relations.
func (w *work) relationsOf(ctx context.Context, sample *view.Space, c coordinates, of use, degree int) (exact bool) {
	if !sample.Units {
		c.dims = nil
	}
	m := polynomial.New(c.columns, c.dims, degree)
	for _, k := range kinds {
		for _, h := range outers {
			if of&k.use&h.uses == 0 || !w.admits(h) {
				continue
			}
			terms := m.Find(ctx, column.Map(sample.Y, h.of), h.dim(sample.TargetDim), k.power)
			var laws []expr.Tree
			if h.twicePower == 4 && k.power == 1 {
				laws = solvedSquare(terms, c.names)
			}
			for _, target := range solved(terms, c.names) {
				laws = append(laws, h.inverse(target))
			}
			if slices.ContainsFunc(laws, w.proved) {
				return true
			}
		}
	}
	return false
}

// coordinates are variables and functions of them that may occur in a relation, at the points of a
// space.
type coordinates struct {
	columns [][]float64
	names   []expr.Tree
	dims    []unit.Dim
}

func (c *coordinates) add(v []float64, name expr.Tree, dim unit.Dim) {
	c.columns, c.names, c.dims = append(c.columns, v), append(c.names, name), append(c.dims, dim)
}

// and returns c with the variables of sample appended. The variables listed in without are left
// out.
func (c coordinates) and(sample *view.Space, without []int) coordinates {
	c = coordinates{slices.Clip(c.columns), slices.Clip(c.names), slices.Clip(c.dims)}
	for i, x := range sample.X {
		if !slices.Contains(without, sample.Vars[i]) {
			c.add(x, expr.X(sample.Vars[i]), sample.Dims[i])
		}
	}
	return c
}

// roots returns the first coordinate unchanged, followed by the square roots of the remaining ones.
func (c coordinates) roots() (r coordinates) {
	r.add(c.columns[0], c.names[0], c.dims[0])
	for i, v := range c.columns[1:] {
		r.add(column.Map(v, math.Sqrt), expr.Apply(expr.Sqrt, c.names[i+1]), c.dims[i+1].Pow(unit.Rat(1, 2)))
	}
	return r
}

// angles returns the sines and cosines of the dimensionless variables.
func (w *work) angles(sample *view.Space) (c coordinates) {
	if !w.allowed(expr.Cos) || !w.allowed(expr.Sin) {
		return c
	}
	for i, x := range sample.X {
		if sample.Units && !sample.Dims[i].IsZero() || column.Constant(x) || !column.Within(x, -widestAngle, widestAngle) {
			continue
		}
		v := expr.X(sample.Vars[i])
		c.add(column.Map(x, math.Cos), expr.Apply(expr.Cos, v), unit.Dim{})
		c.add(column.Map(x, math.Sin), expr.Apply(expr.Sin, v), unit.Dim{})
	}
	return c
}

// exponentials returns the exponentials of the simplest dimensionless products.
func (w *work) exponentials(sample *view.Space) (c coordinates) {
	if !w.allowed(expr.Exp) {
		return c
	}
	w.simplestGroups(sample, func(v []float64, q expr.Tree) bool {
		if column.Within(v, -widestExponent, widestExponent) {
			c.add(column.Map(v, math.Exp), expr.Apply(expr.Exp, q), unit.Dim{})
		}
		return len(c.names) < mostFunctions
	})
	return c
}

// logarithms returns the logarithms of the simplest dimensionless products q, and of 1 - q.
func (w *work) logarithms(sample *view.Space) (c coordinates) {
	if !w.allowed(expr.Log) {
		return c
	}
	var known [][]float64
	w.simplestGroups(sample, func(v []float64, q expr.Tree) bool {
		l := column.Map(v, math.Log)
		// fresh is false if l is a sum of known logarithms, such as log(a·b) = log(a) + log(b).
		if u, fresh := column.Independent(known, l); fresh && column.Finite(l) {
			known = append(known, u)
			c.add(l, expr.Apply(expr.Log, q), unit.Dim{})
		}
		if l := column.Map(v, func(x float64) float64 { return math.Log1p(-x) }); column.Finite(l) {
			c.add(l, expr.Apply(expr.Log, expr.Apply(expr.Sub, expr.Num(1), q)), unit.Dim{})
		}
		return len(c.names) < mostFunctions
	})
	return c
}

// simplestGroups calls yield with the simplest dimensionless products of whole powers, until yield
// returns false. Of a product and its inverse, only the simpler one is passed to yield.
func (w *work) simplestGroups(sample *view.Space, yield func(v []float64, q expr.Tree) bool) {
	known := map[string]bool{}
	for _, m := range w.nearest(make(view.Monomial, sample.Lattice.Vars)) {
		if known[m.Plus(m.Monomial, -2, 1).Key()] {
			continue
		}
		known[m.Key()] = true
		v := make([]float64, sample.Points())
		sample.Value(v, m.Monomial)
		if m.IsOne() || !column.Finite(v) || column.Constant(v) {
			continue
		}
		if !yield(v, w.writer().Term(dictionary.Feature{Monomial: m.Monomial, Expr: -1})) {
			return
		}
	}
}
