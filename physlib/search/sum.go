package search

import (
	"context"
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// The sum join. h(y) = Σ cᵢ·fᵢ, where each term fᵢ is a monomial of the dimension of h(y), or a
// pool expression, raised to a power, that a monomial brings to that dimension. With shares, terms
// times h(y) stand among them: then h(y) is a ratio of two sums; or, terms times y under y², y is
// the root of a quadratic equation.

// sumJoin prepares it with up to size features.
func (w *work) sumJoin(h transform, size int, shares bool) (*join, bool) {
	s := w.s
	origin, ok := s.lat.origin(s.dims, h.dim(s.tdim), s.units)
	if !ok {
		return nil, false
	}
	n := s.points()
	t := make([]float64, n)
	var omega []float64
	if w.noisy {
		omega = make([]float64, n)
	}
	for i, y := range s.y {
		t[i] = h.of(y)
		if w.noisy {
			omega[i] = s.sw[i] / math.Abs(h.slope(y))
			if math.IsNaN(omega[i]) || math.IsInf(omega[i], 0) || math.IsNaN(t[i]) {
				t[i], omega[i] = 0, 0
			}
		}
	}
	if h.name != identity.name {
		clip(omega)
	}
	if !finite(t) {
		return nil, false
	}
	var base [][]float64
	if !s.units {
		base = [][]float64{ones(n)}
	}
	j := newJoin(s, w.p, t, base, omega)
	if w.Joins != nil {
		j.kernel = w.Joins
	}
	if len(j.q)+1 >= n {
		return nil, false
	}
	if shares {
		shareDim := unit.Dim{}
		j.share, j.ratio = t, h.half != 4
		if h.half == 4 {
			shareDim, j.share = s.tdim, s.y
		}
		so, ok := s.lat.origin(s.dims, shareDim, s.units)
		if !ok {
			return nil, false
		}
		w.fill(j, so, asShare, early/2) // the cheapest of both kinds before the rest
		w.fill(j, origin, asTerm, early)
		w.fill(j, so, asShare, size/2)
	}
	w.fill(j, origin, asTerm, size)
	return j, true
}

// early is how many of the cheapest terms come before all shares.
const early = 60

// fill adds terms of the role around origin until the join holds size; monomials of one cost stay
// together.
func (w *work) fill(j *join, origin mono, r role, size int) {
	bare := r != asShare || w.quadratic(j) // else y itself
	cost := -1                             // of the last monomial
	for f := range w.p.terms(origin, r, bare, size) {
		if len(j.feats) >= size && (f.atom >= 0 || f.cost > cost) {
			return
		}
		if j.add(f); f.atom < 0 {
			cost = f.cost
		}
	}
}

// quadratic reports whether shares of the join multiply y to the first power in an equation for y².
func (w *work) quadratic(j *join) bool { return j.t[0] != 0 && w.h.half == 4 }

// sums runs the join for h and yields what it finds.
func (w *work) sums(ctx context.Context, h transform, size int, shares bool) (exact bool) {
	w.h = h
	j, ok := w.sumJoin(h, size, shares)
	if !ok {
		return false
	}
	write := w.sum
	if shares {
		write = w.ratio
	}
	if len(j.base) > 0 && w.offer(j, h, combo{nil, 0, 1}, write) {
		return true
	}
	return w.tiers(ctx, j, h, write)
}

// linear is Σ coefᵢ·termᵢ with free coefficients; those that do not matter are left out.
func (w *work) linear(b *builder, j *join, coef []float64, feats []int32, use func(feature) bool) (t expr.Tree, n int) {
	parts := make([]expr.Tree, 0, len(coef))
	nb := len(j.base)
	scale := math.Sqrt(dot(j.t, j.t))
	row := make([]float64, w.s.points())
	for i, c := range coef {
		var term expr.Tree
		if i < nb {
			if !use(feature{role: asTerm, atom: -1}) || math.Abs(c)*math.Sqrt(dot(j.base[i], j.base[i])) < 1e-9*scale {
				continue
			}
			term = expr.Num(1)
		} else {
			f := j.feats[feats[i-nb]]
			j.row(row, f)
			if !use(f) || math.Abs(c)*math.Sqrt(dot(row, row)) < 1e-9*scale {
				continue
			}
			term = b.term(f)
		}
		parts = append(parts, mul(b.free(c), term))
	}
	if len(parts) == 0 {
		return expr.Num(0), 0
	}
	t = parts[0]
	for _, p := range parts[1:] {
		t = expr.Apply(expr.Add, t, p)
	}
	return t, len(parts)
}

// sum writes the law that a combination of terms stands for.
func (w *work) sum(j *join, h transform, c combo) []expr.Tree {
	coef, _, ok := j.solve(c.feats)
	if !ok {
		return nil
	}
	b := &builder{s: w.s, p: w.p, freed: w.freed}
	t, n := w.linear(b, j, coef, c.feats, func(feature) bool { return true })
	if n == 0 {
		return nil
	}
	trees := []expr.Tree{h.inverse(t)}
	if w.freed && len(c.feats) == 1 { // one function, whose argument may be near the variable itself by chance
		b = &builder{s: w.s, p: w.p, freed: true, ones: true}
		if t, _ = w.linear(b, j, coef, c.feats, func(feature) bool { return true }); t.NumParams() > trees[0].NumParams() {
			trees = append(trees, h.inverse(t))
		}
	}
	return trees
}

// ratio writes y = Σ terms / (1 - Σ shares), or for y² the solutions of y² = y·Σ shares + Σ terms.
func (w *work) ratio(j *join, h transform, c combo) []expr.Tree {
	coef, _, ok := j.solve(c.feats)
	if !ok {
		return nil
	}
	write := func(assemble func(terms, shares expr.Tree) expr.Tree) []expr.Tree {
		b := &builder{s: w.s, p: w.p, freed: w.freed}
		terms, nt := w.linear(b, j, coef, c.feats, func(f feature) bool { return f.role == asTerm })
		if nt == 0 {
			return nil
		}
		shares, ns := w.linear(b, j, coef, c.feats, func(f feature) bool { return f.role == asShare })
		if ns == 0 {
			return []expr.Tree{h.inverse(terms)}
		}
		return []expr.Tree{assemble(terms, shares)}
	}
	if h.half != 4 {
		if t, ok := w.hyperbola(j, c, coef); ok {
			return []expr.Tree{h.inverse(t)}
		}
		return write(func(terms, shares expr.Tree) expr.Tree {
			return h.inverse(expr.Apply(expr.Div, terms, expr.Apply(expr.Sub, expr.Num(1), shares)))
		})
	}
	half := func(op expr.Op) []expr.Tree {
		return write(func(terms, shares expr.Tree) expr.Tree {
			m := expr.Apply(expr.Div, shares, expr.Num(2))
			return expr.Apply(op, m, expr.Apply(expr.Sqrt, expr.Apply(expr.Add, expr.Apply(expr.Square, m), terms)))
		})
	}
	return append(half(expr.Add), half(expr.Sub)...)
}

// hyperbola writes (a + b·q)/(1 - k·q) as a + c/(1/q - k), with one q less.
func (w *work) hyperbola(j *join, c combo, coef []float64) (t expr.Tree, ok bool) {
	if len(j.base) != 1 || len(c.feats) != 2 {
		return t, false
	}
	term, share, at := j.feats[c.feats[0]], j.feats[c.feats[1]], 1
	if term.role == asShare {
		term, share, at = share, term, 2
	}
	if term.role != asTerm || share.role != asShare || term.atom >= 0 || share.atom >= 0 || term.m.key() != share.m.key() {
		return t, false
	}
	b := &builder{s: w.s, p: w.p, freed: w.freed}
	a, k := coef[0], coef[3-at]
	below := expr.Apply(expr.Sub, b.term(feature{m: make(mono, len(term.m)).plus(term.m, -1, 1), atom: -1}), b.free(k))
	return expr.Apply(expr.Add, b.free(a), expr.Apply(expr.Div, b.free(coef[at]+a*k), below)), true
}
