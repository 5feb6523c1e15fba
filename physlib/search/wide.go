package search

import (
	"context"
	"math"
	"sort"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Laws of many terms. Where the cheapest products of the variables are all free to enter, whatever
// their number, one pass asks
//
//	h(y) = S + f₁ + f₂,    h(y) = g·S,    h(y) = (S₁ + g·S₂)/(1 + S₃ + g·S₄)
//
// for all features f and all expressions g, S being sums of such products with free coefficients.
// An exact answer is no chance as long as there are many more points than coefficients; those that
// do not matter are then left out, and what still has many terms is an approximation and no law. It
// takes data without noise.

const (
	widePoints   = 96
	widePool     = 4000      // expressions
	wideCost     = 6         // their greatest cost
	wideFeatures = 3000      // f
	widePairs    = 3000      // of those, how many in pairs
	wideFactors  = 1500      // g of a product g·S
	wideWork     = 2_000_000 // dot products for ratios under one function of the target
	wideEps      = 1e-11     // relative error: what has many terms must be nearer than other laws to be no approximation
	moebiusSpare = 14        // points beyond the coefficients of a ratio
)

// wideOuter are the functions under which such laws are asked for.
var wideOuter = []transform{identity, reciprocal, squared, inverseSquare, logarithm, exponential}

// breadth is how many of the cheapest products are free at once: few enough of few variables, for
// else they approximate anything.
func breadth(groups int) int {
	return []int{2, 6, 12, 20, 28, 36}[min(groups, 5)]
}

// wideLaws asks for laws of many terms and offers exact ones only.
func (w *work) wideLaws(ctx context.Context) (exact bool) {
	w.tell("many terms")
	size := widePool
	if w.Pool > 0 {
		size = min(size, w.Pool)
	}
	w.p.grow(ctx, size, wideCost)
	for _, ask := range []func(context.Context, *many) bool{w.wideSums, w.wideProducts, w.moebius} {
		for _, h := range wideOuter {
			if ctx.Err() != nil {
				return false
			}
			if m, ok := w.many(h); ok && ask(ctx, m) {
				return true
			}
		}
	}
	return false
}

// many is a target and the cheapest products of its dimension.
type many struct {
	*join
	h     transform
	near  []priced // products of the dimension of h(y), cheapest first
	bare  []priced // dimensionless ones, 1 first
	terms []mono   // the first of near
}

// many prepares them; each point weighs by the inverse of the target there, so that what is exact
// is so for small values, too.
func (w *work) many(h transform) (*many, bool) {
	s := w.s
	if !w.admits(h) {
		return nil, false
	}
	origin, ok := s.lat.origin(s.dims, h.dim(s.tdim), s.units)
	if !ok {
		return nil, false
	}
	n := s.points()
	t, omega := make([]float64, n), make([]float64, n)
	for i, y := range s.y {
		t[i] = h.of(y)
		omega[i] = math.Abs(t[i])
	}
	least := 0.01 * median(omega)
	if !finite(t) || !(least > 0) {
		return nil, false
	}
	for i, a := range omega {
		omega[i] = 1 / max(a, least)
	}
	k := breadth(len(s.lat.basis))
	if n < 2*k+10 {
		k = (n - 10) / 2
	}
	if k < 1 {
		return nil, false
	}
	m := &many{join: newJoin(s, w.p, t, nil, omega), h: h, near: w.whole(origin, 300)}
	m.share = t
	m.terms = monos(m.near, k, 0)
	one, _ := s.lat.origin(s.dims, unit.Dim{}, s.units)
	m.bare = w.whole(one, 300)
	return m, true
}

// whole lists the cheapest products of whole powers around origin, the origin's own powers taken as
// they are.
func (w *work) whole(origin mono, limit int) (out []priced) {
	all := w.s.lat.cheapest(origin, 4, 4*limit)
	least := all[0].mono
	for _, p := range all {
		if !p.plus(least, -1, 1).divisible(1, sixth) {
			continue
		}
		if !w.s.units {
			p.extra = p.cost() - least.cost()
		}
		out = append(out, p)
	}
	sort.SliceStable(out, func(a, b int) bool { return out[a].extra < out[b].extra })
	return out[:min(limit, len(out))]
}

// monos are the first n of list that hold none of the variables in the mask without; except for
// those that all hold.
func monos(list []priced, n int, without uint64) (out []mono) {
	for _, p := range list {
		if len(out) < n && p.variables()&without == 0 {
			out = append(out, p.mono)
		}
	}
	return out
}

// variables is the mask of those that m holds.
func (m mono) variables() (mask uint64) {
	for i, e := range m {
		if e != 0 {
			mask |= 1 << (i & 63)
		}
	}
	return mask
}

// column is the weighted row of a feature; ok is false where it is not finite.
func (m *many) column(f feature) (v []float64, ok bool) {
	v = make([]float64, m.s.points())
	m.row(v, f)
	return v, finite(v)
}

// sums of the monomials as features of a role, times the atom to a power; atom -1: none.
func asFeatures(monos []mono, r role, atom int32, pow int8) []feature {
	fs := make([]feature, len(monos))
	for i, m := range monos {
		fs[i] = feature{role: r, m: m, atom: atom, pow: pow}
	}
	return fs
}

// wideSums asks for S + f₁ + f₂.
func (w *work) wideSums(ctx context.Context, m *many) bool {
	var base [][]float64
	free := asFeatures(m.terms, asTerm, -1, 2)
	for _, f := range free {
		if v, ok := m.column(f); ok {
			base = append(base, v)
		}
	}
	if len(base) < len(free) {
		return false
	}
	w.h = m.h
	for _, k := range wideAlone {
		if k > len(free) && k <= len(m.near) && 2*k < len(m.t) && w.sumOf(m, asFeatures(monos(m.near, k, 0), asTerm, -1, 2)) {
			return true
		}
	}
	j := newJoin(w.s, w.p, m.t, nil, nil)
	j.omega = m.omega
	for _, v := range base {
		if u, ok := independent(j.q, v); ok {
			j.q = append(j.q, u)
		}
	}
	j.tq = append([]float64(nil), m.t...)
	j.project(j.tq)
	j.tnorm = math.Sqrt(dot(j.tq, j.tq))
	if j.residual() < wideEps {
		return w.offerMany(m, free)
	}
	floats.Scale(1/j.tnorm, j.tq)
	w.rich(j, m.near, wideFeatures)
	j.floor = 1 - 1e-7
	for _, tier := range []func() []combo{
		func() []combo { return j.singles(50) },
		func() []combo { return j.pairsInDouble(densePairs, 50) },
		func() []combo { return j.pairs(ctx, widePairs, 300) },
	} {
		hit := false
		for _, c := range head(w.exactOnes(j, tier()), 6) {
			fs := append([]feature(nil), free...)
			for _, f := range c.feats {
				fs = append(fs, j.feats[f])
			}
			hit = w.offerMany(m, fs) || hit
		}
		if hit || ctx.Err() != nil {
			return hit
		}
	}
	return false
}

// wideAlone is how many products are free at once where nothing else is.
var wideAlone = [...]int{20, 30, 44}

// sumOf asks for a sum of the features.
func (w *work) sumOf(m *many, fs []feature) bool {
	q := newSpan(len(m.t), len(fs))
	for _, f := range fs {
		v, ok := m.column(f)
		if !ok {
			return false
		}
		q.add(v, nil)
	}
	return q.left(m.t) < wideEps && w.offerMany(m, fs)
}

// powersOfRich are the powers of such terms, in halves, with their price.
var powersOfRich = [...]struct{ half, cost int8 }{{2, 0}, {-2, 1}, {1, 1}, {4, 1}, {-1, 2}, {-4, 2}}

// rich adds up to size terms that are no sums of products, by rising cost.
func (w *work) rich(j *join, near []priced, size int) {
	byCost := map[int][]mono{}
	for _, p := range near {
		byCost[p.extra] = append(byCost[p.extra], p.mono)
	}
	for total := 1; total <= 16; total++ {
		for ca := 1; ca <= total && ca < len(w.p.levels); ca++ {
			for _, a := range w.p.levels[ca] {
				nd := &w.p.nodes[a]
				if w.polynomial(a) && nd.shape != shift || nd.shape == times && w.plain(a) {
					continue
				}
				for _, pw := range powersOfRich {
					if pw.half > 0 && pw.half%2 == 0 && nd.shape == shift || nd.shape == apply && repeats(nd.fn, int(pw.half)) {
						continue
					}
					for _, m := range byCost[total-ca-int(pw.cost)] {
						if len(j.feats) >= size {
							return
						}
						j.add(feature{role: asTerm, m: m, atom: a, pow: pw.half, cost: total})
					}
				}
			}
		}
	}
}

// polynomial reports whether an expression is a sum of products of the variables.
func (w *work) polynomial(a int32) bool {
	switch n := w.p.nodes[a]; n.shape {
	case leaf:
		return true
	case shift:
		return w.polynomial(n.l)
	case sum, times:
		return w.polynomial(n.l) && w.polynomial(n.r)
	}
	return false
}

// factorPowers are the powers of g, in halves.
var factorPowers = [...]int8{2, -2, 1, -1, 4, -4}

// wideProducts asks for g·S: the target over g lies in the span of the terms.
func (w *work) wideProducts(ctx context.Context, m *many) bool {
	var q [][]float64
	for _, f := range asFeatures(m.terms, asTerm, -1, 2) {
		v, ok := m.column(f)
		if !ok {
			return false
		}
		if u, ok := independent(q, v); ok {
			q = append(q, u)
		}
	}
	t := make([]float64, len(m.t))
	for id := range w.p.nodes[:min(len(w.p.nodes), wideFactors)] {
		nd := &w.p.nodes[id]
		if ctx.Err() != nil {
			return false
		}
		if nd.shape == leaf {
			continue
		}
		for _, pow := range factorPowers {
			if nd.shape == apply && repeats(nd.fn, int(pow)) {
				continue
			}
			copy(t, w.p.val(int32(id)))
			power(t, -int(pow))
			floats.Mul(t, m.t)
			if left(q, t) < wideEps && w.offerMany(m, asFeatures(m.terms, asTerm, int32(id), pow)) {
				return true
			}
		}
	}
	return false
}

// left is the share of the norm of t that the orthonormal q leave; t is changed. Not a number
// counts as all.
func left(q [][]float64, t []float64) float64 {
	all := math.Sqrt(dot(t, t))
	if !(all > 0) || math.IsInf(all, 0) {
		return 1
	}
	for _, u := range q {
		floats.AddScaled(t, -dot(u, t), u)
	}
	if part := math.Sqrt(dot(t, t)) / all; part < 1 {
		return part
	}
	return 1
}

// moebiusPowers are those of the g of a ratio, in halves; squares are taken of functions.
var moebiusPowers = [...]int8{2, -2, 4, -4}

// moebius asks for (S₁ + g·S₂)/(1 + S₃ + g·S₄).
func (w *work) moebius(ctx context.Context, m *many) bool {
	if m.h.name != identity.name && m.h.name != squared.name { // under their reciprocals it is nearly the same question
		return false
	}
	room := wideWork
	known := map[uint64]*backdrop{}
	for id := range w.p.nodes {
		a := int32(id)
		switch nd := &w.p.nodes[id]; {
		case nd.shape == shift || w.polynomial(a) || nd.shape == times && w.plain(a), nd.shape == apply && (nd.fn == expr.Inv || nd.fn == expr.Square):
			continue
		}
		for _, without := range []uint64{w.variables(a), 0} {
			b, ok := known[without]
			if !ok {
				b = w.backdrop(m, without)
				known[without] = b
			}
			if b == nil {
				continue
			}
			for _, pow := range moebiusPowers {
				if max(pow, -pow) > 2 && w.p.nodes[id].shape != apply {
					continue
				}
				if room -= b.work; room < 0 || ctx.Err() != nil {
					return false
				}
				if fs := w.moved(m, b, a, pow); fs != nil && w.offerMany(m, fs) {
					return true
				}
			}
		}
	}
	return false
}

// variables is the mask of those that an expression holds.
func (w *work) variables(a int32) uint64 {
	n := w.p.nodes[a]
	switch n.shape {
	case leaf:
		return w.p.monos[n.l].variables()
	case sum, times, over, raised:
		return w.variables(n.l) | w.variables(n.r)
	}
	return w.variables(n.l)
}

// backdrop is what a ratio has without g: S₁ and S₃ of products without some variables.
type backdrop struct {
	free   []feature   // those of the sums without g
	terms  [][]float64 // weighted rows of the products, at the points looked at
	shares [][]float64 // the same times the target; 1 first
	of     [2][]mono
	base   span // of all that is free without g
	only   span // of its shares
	work   int  // dot products to ask for one g
}

// backdrop is nil where there are too few points, or no such products.
func (w *work) backdrop(m *many, without uint64) *backdrop {
	groups := min(len(w.s.lat.basis), 5)
	terms := monos(m.near, []int{1, 4, 7, 11, 13, 14}[groups], without)
	shares := monos(m.bare, []int{1, 4, 6, 9, 10, 10}[groups], without)
	size := 2 * (len(terms) + len(shares))
	points := size + moebiusSpare
	if len(terms) == 0 || points > w.s.points() {
		return nil
	}
	b := &backdrop{of: [2][]mono{terms, shares}, work: size * size / 2}
	b.base, b.only = newSpan(points, size), newSpan(points, size)
	all := append(asFeatures(terms, asTerm, -1, 2), asFeatures(shares, asShare, -1, 2)...)
	for i, f := range all {
		v, ok := m.column(f)
		if !ok {
			return nil
		}
		v = v[:points]
		switch {
		case f.role == asTerm:
			b.terms = append(b.terms, v)
		default:
			b.shares = append(b.shares, v)
			if i == len(terms) {
				continue // y itself
			}
			b.only.add(v, nil)
		}
		b.base.add(v, nil)
		b.free = append(b.free, f)
	}
	return b
}

// moved are the features of the ratio with g = a^(pow/2), if it explains the target; else nil.
func (w *work) moved(m *many, b *backdrop, a int32, pow int8) []feature {
	t := m.t[:b.base.n]
	g := append(b.base.spare[:0], w.p.val(a)[:b.base.n]...)
	power(g, int(pow))
	base, only := b.base, b.only
	for _, v := range b.terms {
		base.add(v, g)
	}
	fs := append(append([]feature(nil), b.free[:len(b.terms)]...), asFeatures(b.of[0], asTerm, a, pow)...)
	for _, v := range b.shares {
		only.add(v, g)
	}
	if only.left(t) > wideEps { // else the shares explain any target: 1 is a sum of them
		for _, v := range b.shares {
			base.add(v, g)
		}
		fs = append(append(fs, b.free[len(b.terms):]...), asFeatures(b.of[1], asShare, a, pow)...)
	}
	if base.left(t) > wideEps {
		return nil
	}
	return fs
}

// span is an orthonormal basis of what was added, in rows of n values.
type span struct {
	n, k  int
	rows  []float64
	spare []float64
}

func newSpan(n, most int) span {
	return span{n: n, rows: make([]float64, n*most), spare: make([]float64, n)}
}

// add takes in v times g, or v; what is not finite, or in the span, is left out. A copy of s that
// adds leaves the basis of s as it was.
func (s *span) add(v, g []float64) {
	u := s.rows[s.k*s.n : (s.k+1)*s.n]
	copy(u, v)
	if g != nil {
		floats.Mul(u, g)
	}
	whole := dot(u, u)
	if !(whole > 0) || math.IsInf(whole, 0) {
		return
	}
	norm := whole
	for range 2 {
		before := norm
		for i := range s.k {
			q := s.rows[i*s.n : (i+1)*s.n]
			floats.AddScaled(u, -dot(q, u), q)
		}
		if norm = dot(u, u); norm > before/4 {
			break
		}
	}
	if norm < 1e-18*whole {
		return
	}
	floats.Scale(1/math.Sqrt(norm), u)
	s.k++
}

// left is the share of the norm of t that is not in the span.
func (s *span) left(t []float64) float64 {
	q := make([][]float64, s.k)
	for i := range q {
		q[i] = s.rows[i*s.n : (i+1)*s.n]
	}
	return left(q, append([]float64(nil), t...))
}

// offerMany writes the law that the features make of the target and yields it, if few of them do.
func (w *work) offerMany(m *many, fs []feature) (exact bool) {
	cols := make([][]float64, len(fs))
	for i, f := range fs {
		cols[i], _ = m.column(f)
	}
	kept, coef := sift(cols, m.t)
	if kept == nil {
		return false
	}
	b := &builder{s: w.s, p: w.p}
	above, below := parts{}, parts{}
	for i, k := range kept {
		f := fs[k]
		if f.role == asTerm {
			above.add(b, f, coef[i])
		} else {
			below.add(b, f, -coef[i])
		}
	}
	if len(above.list) == 0 {
		return false
	}
	t := above.tree(b)
	if len(below.list) > 0 {
		t = expr.Apply(expr.Div, t, expr.Apply(expr.Add, expr.Num(1), below.tree(b)))
	}
	t = m.h.inverse(t)
	return w.holds(t) && w.yield(t) && w.everywhere(t)
}

// everywhere reports whether a tree gives the target on the rows that were not looked at, too.
func (w *work) everywhere(t expr.Tree) bool {
	y := w.s.prob.Target.Values
	v := make([]float64, len(y))
	cols := make([][]float64, len(w.s.prob.Vars))
	for i, q := range w.s.prob.Vars {
		cols[i] = q.Values
	}
	expr.Compile(t).Eval(v, cols, t.Params())
	off, all := 0.0, 0.0
	for i := range y {
		if !math.IsNaN(v[i]) && !math.IsNaN(y[i]) {
			off += (v[i] - y[i]) * (v[i] - y[i])
			all += y[i] * y[i]
		}
	}
	return off <= wideEps*wideEps*all
}

// parts are sums of products, collected by the expression that multiplies them.
type parts struct {
	list []feature // one of each expression
	sums []expr.Tree
}

func (p *parts) add(b *builder, f feature, coef float64) {
	t := mul(b.free(coef), b.term(feature{m: f.m, atom: -1}))
	for i, g := range p.list {
		if g.atom == f.atom && g.pow == f.pow {
			p.sums[i] = expr.Apply(expr.Add, p.sums[i], t)
			return
		}
	}
	p.list, p.sums = append(p.list, f), append(p.sums, t)
}

func (p *parts) tree(b *builder) (t expr.Tree) {
	for i, f := range p.list {
		part := product{p.sums[i], expr.Num(1)}
		if f.atom >= 0 {
			part.by(b.node(f.atom), int(f.pow))
		}
		if i == 0 {
			t = part.tree()
		} else {
			t = expr.Apply(expr.Add, t, part.tree())
		}
	}
	return t
}

// idle are the shares of the target below which a term does not matter: terms may be small, and
// what rounding leaves of those that are none may be as large.
var idle = [...]float64{1e-11, 1e-9, 1e-7}

// sift finds the few columns that matter in t, and their coefficients; nil where t is no exact sum
// of few.
func sift(cols [][]float64, t []float64) (kept []int, coef []float64) {
	for i := range cols {
		kept = append(kept, i)
	}
	scale := math.Sqrt(dot(t, t))
	for _, least := range idle {
		for range 4 {
			some := make([][]float64, len(kept))
			for i, k := range kept {
				some[i] = cols[k]
			}
			c, _, ok := leastSquares(some, t)
			if !ok {
				return nil, nil
			}
			var next []int
			coef = coef[:0]
			for i, k := range kept {
				if math.Abs(c[i])*math.Sqrt(dot(cols[k], cols[k])) > least*scale {
					next, coef = append(next, k), append(coef, c[i])
				}
			}
			same := len(next) == len(kept)
			if kept = next; same {
				break
			}
		}
		if len(kept) <= mostTerms {
			break
		}
	}
	if len(kept) == 0 || len(kept) > mostTerms {
		return nil, nil
	}
	res := append([]float64(nil), t...)
	for i, k := range kept {
		floats.AddScaled(res, -coef[i], cols[k])
	}
	if math.Sqrt(dot(res, res)) > wideEps*scale {
		return nil, nil
	}
	return kept, coef
}
