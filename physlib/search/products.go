package search

import (
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/match"
	"github.com/physlib/lab/physlib/search/view"
)

// The product join. Its target is t = log|h(y)/M₀|, where M₀ is a monomial with the dimension of
// h(y). Its base, the columns that belong to every combination, consists of the logarithms of the
// generators xᵢ (see view.Lattice). So one pass over all pairs of features finds laws of the forms
//
//	h(y) = C · ∏ xᵢ^aᵢ · g₁^p₁ · g₂^p₂
//	h(y) = C · ∏ xᵢ^aᵢ · g₁^p₁ · exp(k·d)
//
// with C, k and all exponents free. Here g₁, g₂ and d are expressions of the pool. Since the base
// covers all monomials, expressions that differ by a monomial factor, or that are powers of each
// other, are the same feature.

// productJoin returns the product join for h(y), with up to size features. ok is false if log|h(y)|
// is undefined at some point of exact data.
func (w *work) productJoin(h transform, size int) (j *match.Join, ok bool) {
	t, omega, ok := w.target(h, true)
	if !ok {
		return nil, false
	}
	return w.factorJoin(t, omega, size)
}

// target returns h(y) at the points, or log|h(y)/M₀| if logs is true. For noisy data, it also
// returns a weight for each point, which is proportional to 1/(standard error of t). In noisy data,
// points at which t is undefined get the weight 0. In exact data, ok is false if there is such a
// point.
func (w *work) target(h transform, logs bool) (t, omega []float64, ok bool) {
	t, lm := w.valuesOf(h), make([]float64, w.space.Points())
	if w.inexact {
		omega = make([]float64, len(t))
	}
	if logs {
		w.space.LogValue(lm, w.originOf(h))
	}
	for i, v := range t {
		if logs {
			t[i] = column.LogAbs(v) - lm[i]
		}
		if !w.inexact {
			continue
		}
		slope := h.slope(w.space.Y[i])
		if logs { // σ of log v is σ_y·|h'|/|v|
			slope /= v
		}
		if omega[i] = w.space.RootWeights[i] / math.Abs(slope); !column.Finite([]float64{omega[i], t[i]}) {
			t[i], omega[i] = 0, 0
		}
	}
	if logs || h.name != identity.name {
		clip(omega)
	}
	return t, omega, column.Finite(t)
}

// valuesOf returns h(y) at the points.
func (w *work) valuesOf(h transform) []float64 {
	if h.values != nil {
		return slices.Clone(h.values)
	}
	return column.Map(w.space.Y, h.of)
}

// originOf returns a monomial with the dimension of h(y).
func (w *work) originOf(h transform) view.Monomial {
	return make(view.Monomial, w.space.Lattice.Vars).Plus(w.space.Origin, h.twicePower, 2)
}

// factorJoin returns a join of up to size factors for a target whose logarithm is t. ok is false if
// the base is not finite, or if it has too many columns for a fit: as many as there are points, or
// one less.
func (w *work) factorJoin(t, omega []float64, size int) (*match.Join, bool) {
	s, n := w.space, w.space.Points()
	base := [][]float64{column.Ones(n)}
	for _, b := range s.Lattice.Basis {
		lb := make([]float64, n)
		s.LogValue(lb, b)
		if !column.Finite(lb) {
			return nil, false
		}
		base = append(base, lb)
	}
	j := w.join(t, base, omega)
	if len(j.Basis)+1 >= n {
		return nil, false
	}
	for f := range w.pool.Factors(w.allowed(expr.Exp)) {
		if len(j.Features) >= size {
			break
		}
		j.Add(f)
	}
	j.Factors = true
	if w.allowed(expr.Exp) {
		for _, f := range w.pool.DeepRates() {
			j.Add(f)
		}
	}
	return j, true
}

// clip limits weights to five times their median, so that no single point dominates.
func clip(w []float64) {
	if w == nil {
		return
	}
	m := column.Median(w)
	for i := range w {
		w[i] = min(w[i], 5*m)
	}
}

// products runs the product join for h(y) and yields the laws found.
func (w *work) products(ctx context.Context, h transform, size int) (exact bool) {
	j, ok := w.productJoin(h, size)
	return ok && w.tiers(ctx, j, h, w.queries(ctx, j), true)
}

// product returns the law that a combination of factors represents, and variants of it that are
// worth a fit. Exponents near a multiple of 1/2 or 1/3 are rounded to that multiple. All other
// exponents stay free.
func (w *work) product(j *match.Join, h transform, c match.Combo) (variants []expr.Tree) {
	coef, se, ok := j.Solve(c.Features)
	if !ok {
		return nil
	}
	nb := len(j.Base)
	// Coefficient 0 is that of the constant column. Then come the generators, then the features.
	// choices and pick have the same order.
	choices := make([][]exponent, len(coef))
	for i := 1; i < len(coef); i++ {
		if i >= nb && j.Features[c.Features[i-nb]].Role == dictionary.Rate {
			continue
		}
		choices[i] = w.snapExponent(coef[i], se[i])
	}
	pick := make([]exponent, len(coef))
	add := func() {
		if t, ok := w.writeProduct(j, h, c, coef, pick); ok {
			variants = append(variants, t)
		}
	}
	for i, likely := range choices {
		if len(likely) > 0 {
			pick[i] = likely[0]
		}
	}
	add()
	// Each variant differs from the first law in one exponent.
	for i, likely := range slices.Backward(choices) {
		for n := 1; n < len(likely); n++ {
			pick[i] = likely[n]
			add()
			pick[i] = likely[0]
		}
	}
	return variants
}

// maxLoose is the largest number of free exponents of a law. A law with more free exponents would
// only be an approximation.
const maxLoose = 4

// exponent is either a fixed multiple of 1/6, or a free constant with the start value start.
type exponent struct {
	sixths int
	free   bool
	start  float64
}

// snapExponent returns the possible values of an exponent, the most likely first. p is the fitted
// value and se its standard error.
func (w *work) snapExponent(p, se float64) []exponent {
	tol := 1e-4
	if w.inexact {
		tol = max(0.02, min(2.5*se, 0.3))
	}
	var out []exponent
	add := func(sixths int) {
		e := exponent{sixths: sixths}
		if math.Abs(p-float64(sixths)/view.SixthsInOne) <= tol && math.Abs(float64(sixths)) <= 60 && !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	add(view.SixthsInOne * int(math.Round(p)))
	add(view.SixthsInOne / 2 * int(math.Round(2*p)))
	if !w.inexact || se < 0.03 {
		add(view.SixthsInOne / 3 * int(math.Round(3*p)))
	}
	if w.inexact && se > 0.1 {
		add(view.SixthsInOne * int(math.Floor(p)))
		add(view.SixthsInOne * int(math.Ceil(p)))
	}
	if len(out) == 0 || w.inexact && w.space.Problem.Noise != 0 && !w.space.Units && math.Abs(p-float64(out[0].sixths)/view.SixthsInOne) > se {
		out = append(out, exponent{free: true, start: p})
	}
	return out
}

// writeProduct returns the product with the exponents in pick as a law. ok is false if an exponent
// is impossible, if too many exponents are free, or if the law is undefined at some point.
func (w *work) writeProduct(j *match.Join, h transform, c match.Combo, coef []float64, pick []exponent) (expr.Tree, bool) {
	law := factors{m: w.originOf(h), pick: pick, clear: make([]view.Monomial, len(c.Features))}
	loose := 0
	for i, g := range w.space.Lattice.Basis {
		e := pick[1+i]
		switch {
		case e.free:
			loose++
		case !g.Divisible(e.sixths, view.SixthsInOne):
			return expr.Tree{}, false
		default:
			law.m = law.m.Plus(g, e.sixths, view.SixthsInOne)
		}
	}
	if loose > maxLoose || slices.ContainsFunc(law.m, func(e int16) bool { return e > 60 || e < -60 }) {
		return expr.Tree{}, false
	}
	t := w.writeFactors(j, c, coef, law)
	if lost := w.lostSigns(t, h); len(lost) > 0 {
		w.restore(&law, j, c, lost)
		t = w.writeFactors(j, c, coef, law)
	}
	return w.start(t, h)
}

// factors describes a product: its monomial, its further factors and their exponents.
type factors struct {
	m view.Monomial
	// Exponents of the constant (unused), of the generators and of the factors. Those of generators
	// that are not free are contained in m.
	pick []exponent
	// For each factor, a monomial by which the factor's base is multiplied; nil: none.
	clear  []view.Monomial
	signed []int // variables x for which sign(x) = |x|/x is a factor
}

// writeFactors returns the product that law describes as a tree. The features of the combination c
// are further factors. Free constant 0 of the tree is the constant factor of the product.
func (w *work) writeFactors(j *match.Join, c match.Combo, coef []float64, law factors) expr.Tree {
	b, nb := w.writer(), len(j.Base)
	p := build.Product{Above: b.Free(1), Below: expr.Num(1)}
	b.Monomial(&p, law.m)
	for _, i := range law.signed {
		x := expr.X(w.space.Vars[i])
		p.Above, p.Below = build.Mul(p.Above, expr.Apply(expr.Abs, x)), build.Mul(p.Below, x)
	}
	for i, g := range w.space.Lattice.Basis {
		if e := law.pick[1+i]; e.free {
			base := b.Term(dictionary.Feature{Monomial: g, Expr: -1})
			p.Above = build.Mul(p.Above, expr.Apply(expr.Pow, base, b.Free(e.start)))
		}
	}
	for i, f := range c.Features {
		ft := j.Features[f]
		if ft.Role == dictionary.Rate {
			p.Above = build.Mul(p.Above, expr.Apply(expr.Exp, expr.Apply(expr.Mul, b.Free(coef[nb+i]), b.Node(ft.Expr))))
			continue
		}
		e := law.pick[nb+i]
		halves := e.sixths / (view.SixthsInOne / 2)
		switch {
		case e.free:
			p.Above = build.Mul(p.Above, expr.Apply(expr.Pow, b.Factor(ft.Expr), b.Free(e.start)))
		case e.sixths%view.SixthsInOne == 0:
			p.By(b.Node(ft.Expr), halves)
		case law.clear[i] != nil:
			p.By(b.Cleared(ft.Expr, law.clear[i]), halves)
		case e.sixths%(view.SixthsInOne/2) == 0:
			p.By(b.Factor(ft.Expr), halves)
		default:
			p.Above = build.Mul(p.Above, expr.Apply(expr.Pow, b.Factor(ft.Expr), expr.Num(float64(e.sixths)/view.SixthsInOne)))
		}
	}
	return p.Tree()
}

// start sets constant 0 of inner, which is its factor C, to the least-squares value at the points.
// It returns the law for y that follows from h(y) = inner. ok is false if inner is undefined at
// some point.
func (w *work) start(inner expr.Tree, h transform) (law expr.Tree, ok bool) {
	v := w.evaluated(inner)
	if !column.Finite(v) {
		return inner, false
	}
	vh, vv := 0.0, 0.0
	for i, hy := range w.valuesOf(h) {
		wt := w.space.RootWeights[i] * w.space.RootWeights[i]
		if !math.IsNaN(hy) && !math.IsInf(hy, 0) {
			vh += wt * v[i] * hy
			vv += wt * v[i] * v[i]
		}
	}
	params := inner.Params()
	params[0] = vh / vv
	return h.inverse(inner.WithStarts(params)), params[0] != 0 && column.Finite(params[:1])
}

// evaluated returns the values of t at the points.
func (w *work) evaluated(t expr.Tree) []float64 {
	return t.Values(w.space.Points(), w.space.Columns(), t.Params())
}
