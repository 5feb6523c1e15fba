package search

import (
	"context"
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// The product join. With t = log|h(y)/M₀|, M₀ a monomial of the target's dimension, and the
// logarithms of the lattice's generators as base, one pass over all pairs of features answers
//
//	h(y) = C · ∏ xᵢ^aᵢ · g₁^p₁ · g₂^p₂ · exp(k·d)
//
// with C, k and all exponents free. Monomials cost nothing, so the features are the pool modulo
// monomials and powers.

// productJoin prepares it for the transformed target h; ok is false when the target has no
// logarithm there.
func (w *work) productJoin(h transform, size int) (*join, bool) {
	s := w.s
	origin := w.originOf(h)
	n := s.points()
	t, lm := make([]float64, n), make([]float64, n)
	s.logValue(lm, origin)
	var omega []float64
	if w.noisy {
		omega = make([]float64, n)
	}
	for i, y := range s.y {
		v := h.value(i, y)
		t[i] = math.Log(math.Abs(v)) - lm[i]
		if math.IsNaN(t[i]) || math.IsInf(t[i], 0) {
			if !w.noisy {
				return nil, false
			}
			t[i], omega[i] = 0, 0
			continue
		}
		if w.noisy { // σ of log v is σ_y·|h'|/|v|
			omega[i] = s.sw[i] * math.Abs(v/h.slope(y))
		}
	}
	clip(omega)
	return w.factorJoin(t, omega, size)
}

// originOf is a monomial of the dimension of h(y).
func (w *work) originOf(h transform) mono {
	switch {
	case h.origin != nil:
		return h.origin
	case h.shifted:
		return make(mono, w.s.lat.n)
	}
	return w.origin
}

// factorJoin asks for the factors of a target whose logarithm is t.
func (w *work) factorJoin(t, omega []float64, size int) (*join, bool) {
	s, n := w.s, w.s.points()
	base := [][]float64{ones(n)}
	for _, b := range s.lat.basis {
		lb := make([]float64, n)
		s.logValue(lb, b)
		if !finite(lb) {
			return nil, false
		}
		base = append(base, lb)
	}
	j := newJoin(s, w.p, t, base, omega)
	if w.Joins != nil {
		j.kernel = w.Joins
	}
	if len(j.q)+1 >= n {
		return nil, false
	}
	for f := range w.p.factors(w.allowed(expr.Exp)) {
		if len(j.feats) >= size {
			break
		}
		j.add(f)
	}
	j.factors = true
	if w.allowed(expr.Exp) {
		for _, f := range w.p.deepRates() {
			j.add(f)
		}
	}
	return j, true
}

// clip bounds weights at five times their median, so that no point rules.
func clip(w []float64) {
	if w == nil {
		return
	}
	m := median(w)
	for i := range w {
		w[i] = min(w[i], 5*m)
	}
}

// products runs the join for h and yields what it finds.
func (w *work) products(ctx context.Context, h transform, size int) (exact bool) {
	j, ok := w.productJoin(h, size)
	if !ok {
		return false
	}
	bare := combo{nil, 0, 1}
	if w.offer(j, h, bare, w.product) {
		return true
	}
	if len(j.feats) == 0 {
		return false
	}
	return w.tiers(ctx, j, h, w.product)
}

// product writes the law that a combination of factors stands for. Exponents that lie near a
// multiple of 1/2 are set to it; the others stay free. variants are further trees worth a fit.
func (w *work) product(j *join, h transform, c combo) (variants []expr.Tree) {
	coef, se, ok := j.solve(c.feats)
	if !ok {
		return nil
	}
	nb := len(j.base)
	choices := make([][]exponent, len(coef))
	for i := 1; i < len(coef); i++ {
		if i >= nb && j.feats[c.feats[i-nb]].role == asRate {
			continue
		}
		choices[i] = w.snapExponent(coef[i], se[i])
	}
	pick := make([]exponent, len(coef))
	var all func(i, left int)
	all = func(i, left int) {
		if i == len(coef) {
			if t, ok := w.writeProduct(j, h, c, coef, pick); ok {
				variants = append(variants, t)
			}
			return
		}
		if i == 0 || len(choices[i]) == 0 {
			all(i+1, left)
			return
		}
		for n, e := range choices[i] {
			if n > 0 && left == 0 {
				break
			}
			pick[i] = e
			if n > 0 {
				all(i+1, left-1)
			} else {
				all(i+1, left)
			}
		}
	}
	all(1, 1)
	return variants
}

// maxLoose is how many free exponents a law may have: with more it is a fit, and no law.
const maxLoose = 4

// exponent is a number of sixths, or free.
type exponent struct {
	sixths int
	free   bool
	start  float64
}

// snapExponent lists what the fitted exponent p ± se may be, likeliest first.
func (w *work) snapExponent(p, se float64) []exponent {
	tol := 1e-4
	if w.noisy {
		tol = max(0.02, min(2.5*se, 0.3))
	}
	var out []exponent
	add := func(sixths int) {
		if math.Abs(p-float64(sixths)/sixth) > tol || math.Abs(float64(sixths)) > 60 {
			return
		}
		for _, e := range out {
			if e.sixths == sixths {
				return
			}
		}
		out = append(out, exponent{sixths: sixths})
	}
	add(6 * int(math.Round(p)))
	add(3 * int(math.Round(2*p)))
	if !w.noisy || se < 0.03 {
		add(2 * int(math.Round(3*p)))
	}
	if w.noisy && se > 0.1 {
		add(6 * int(math.Floor(p)))
		add(6 * int(math.Ceil(p)))
	}
	if len(out) == 0 || w.noisy && w.s.prob.Noise != 0 && !w.s.units && math.Abs(p-float64(out[0].sixths)/sixth) > se {
		out = append(out, exponent{free: true, start: p})
	}
	return out
}

// writeProduct is the tree of the product with the exponents picked.
func (w *work) writeProduct(j *join, h transform, c combo, coef []float64, pick []exponent) (expr.Tree, bool) {
	b := &builder{s: w.s, p: w.p, freed: w.freed}
	nb := len(j.base)
	m := append(mono(nil), w.originOf(h)...)
	var loose []int
	for i, g := range w.s.lat.basis {
		e := pick[1+i]
		if e.free {
			loose = append(loose, i)
			continue
		}
		if !g.divisible(e.sixths, sixth) {
			return expr.Tree{}, false
		}
		m = m.plus(g, e.sixths, sixth)
	}
	for _, e := range m {
		if e > 60 || e < -60 {
			return expr.Tree{}, false
		}
	}
	if len(loose) > maxLoose {
		return expr.Tree{}, false
	}
	law := factors{m: m, loose: loose, pick: pick, clear: make([]mono, len(c.feats))}
	t := w.writeFactors(b, j, c, coef, law)
	if lost := w.lostSigns(t, h); len(lost) > 0 {
		w.restore(&law, j, c, nb, lost)
		b.constants = constants{}
		t = w.writeFactors(b, j, c, coef, law)
	}
	return w.start(t, h)
}

// factors are what a product is written from.
type factors struct {
	m      mono
	loose  []int      // generators with a free exponent
	pick   []exponent // of the constant, the generators and the factors
	clear  []mono     // what each factor is multiplied by within its power
	signed []int      // variables of which the sign is a factor
}

// writeFactors is C · m · ∏ gᵢ^pᵢ · …, C being the constant in slot 0.
func (w *work) writeFactors(b *builder, j *join, c combo, coef []float64, law factors) expr.Tree {
	nb := len(j.base)
	p := one1()
	p.above = mul(p.above, b.free(1))
	b.monomial(&p, law.m)
	for _, i := range law.signed {
		x := expr.X(w.s.keep[i])
		p.above, p.below = mul(p.above, expr.Apply(expr.Abs, x)), mul(p.below, x)
	}
	for _, i := range law.loose {
		g := one1()
		b.monomial(&g, w.s.lat.basis[i])
		p.above = mul(p.above, expr.Apply(expr.Pow, g.tree(), b.free(law.pick[1+i].start)))
	}
	for i, f := range c.feats {
		ft := j.feats[f]
		if ft.role == asRate {
			p.above = mul(p.above, expr.Apply(expr.Exp, expr.Apply(expr.Mul, b.free(coef[nb+i]), b.node(ft.atom))))
			continue
		}
		e := law.pick[nb+i]
		switch {
		case e.free:
			p.above = mul(p.above, expr.Apply(expr.Pow, b.factor(ft.atom), b.free(e.start)))
		case e.sixths%6 == 0:
			p.by(b.node(ft.atom), e.sixths/3)
		case law.clear[i] != nil:
			p.by(b.cleared(ft.atom, law.clear[i]), e.sixths/3)
		case e.sixths%3 == 0:
			p.by(b.factor(ft.atom), e.sixths/3)
		default:
			p.above = mul(p.above, expr.Apply(expr.Pow, b.factor(ft.atom), expr.Num(float64(e.sixths)/sixth)))
		}
	}
	return p.tree()
}

// start puts the factor C, slot 0, where least squares has it at the points, and refuses laws that
// are undefined there.
func (w *work) start(inner expr.Tree, h transform) (expr.Tree, bool) {
	v := make([]float64, w.s.points())
	expr.Compile(inner).Eval(v, w.s.columns(), inner.Params())
	var vh, vv, hh float64
	for i, y := range w.s.y {
		hy, wt := h.value(i, y), w.s.sw[i]*w.s.sw[i]
		if math.IsNaN(v[i]) || math.IsInf(v[i], 0) {
			return inner, false
		}
		if math.IsNaN(hy) || math.IsInf(hy, 0) {
			continue
		}
		vh += wt * v[i] * hy
		vv += wt * v[i] * v[i]
		hh += wt * hy * hy
	}
	c := vh / vv
	if !(vv > 0) || c == 0 || math.IsNaN(c) || math.IsInf(c, 0) {
		return inner, false
	}
	nodes := append([]expr.Node(nil), inner.Nodes()...)
	for i, n := range nodes {
		if n.Op == expr.Param && n.Index == 0 {
			nodes[i].Value = c
		}
	}
	t, ok := expr.FromNodes(nodes)
	return h.inverse(t), ok
}
