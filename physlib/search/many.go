package search

import (
	"context"
	"math"
	"sort"

	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/match"
	"github.com/physlib/lab/physlib/search/view"
	"github.com/physlib/lab/physlib/unit"
)

// Laws of many terms. The cheapest products of the variables are all free to enter, whatever their
// number. One pass queries
//
//	h(y) = S + f₁ + f₂,    h(y) = g·S,    h(y) = (S₁ + g·S₂)/(1 + S₃ + g·S₄)
//
// for all features f and all expressions g, S being sums of such products with free coefficients.
// An exact match is no coincidence as long as there are many more points than coefficients. Terms
// that do not matter are then dropped. A match that still has many terms is an approximation and no
// law. The pass needs data without noise.

const (
	mostTerms    = 10        // of a law
	widePoints   = 96        // rows
	widePool     = 4000      // expressions
	wideCost     = 6         // their greatest cost
	wideFeatures = 3000      // f, in pairs and alone
	wideRoots    = 3000      // and with half powers, alone
	wideFactors  = 1500      // g of a product g·S
	wideWork     = 2_000_000 // dot products for ratios under one function of the target
	wideEps      = 1e-11     // relative error: stricter than for laws of few terms
	moebiusSpare = 14        // points beyond the coefficients of a ratio
)

// wideOuter lists the outer functions for which such laws are queried.
var wideOuter = []transform{identity, reciprocal, squared, inverseSquare, logarithm, exponential}

// wideLaws matches laws of many terms and offers exact ones only.
func (w *work) wideLaws(ctx context.Context) (exact bool) {
	w.report("many terms")
	size := widePool
	if w.Pool > 0 {
		size = min(size, w.Pool)
	}
	w.p.Grow(ctx, size, wideCost)
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
	*match.Join
	omega []float64 // weight of each point
	h     transform
	near  []view.Priced   // products of the dimension of h(y), cheapest first
	roots []view.Priced   // others, with half powers
	bare  []view.Priced   // dimensionless ones, 1 first
	terms []view.Monomial // the first of near
}

// many returns the target under h with its products. Each point is weighted by the inverse of the
// target there, so that exact also means exact for small values.
func (w *work) many(h transform) (*many, bool) {
	s := w.s
	if !w.admits(h) {
		return nil, false
	}
	origin, ok := s.Lattice.Origin(s.Dims, h.dim(s.TargetDim), s.Units)
	if !ok {
		return nil, false
	}
	n := s.Points()
	t, omega := make([]float64, n), make([]float64, n)
	for i, y := range s.Y {
		t[i] = h.of(y)
		omega[i] = math.Abs(t[i])
	}
	least := 0.01 * column.Median(omega)
	if !column.Finite(t) || !(least > 0) {
		return nil, false
	}
	for i, a := range omega {
		omega[i] = 1 / max(a, least)
	}
	k := breadth(len(s.Lattice.Basis))
	if n < 2*k+10 {
		k = (n - 10) / 2
	}
	if k < 1 {
		return nil, false
	}
	m := &many{Join: match.New(s, w.p, t, nil, omega), omega: omega, h: h}
	m.near, m.roots = w.nearest(origin)
	m.Share = t
	m.terms = monos(m.near, k, 0)
	one, _ := s.Lattice.Origin(s.Dims, unit.Dim{}, s.Units)
	m.bare, _ = w.nearest(one)
	return m, true
}

// breadth returns the number of cheapest products that are free at once. It is kept small for few
// variables to avoid overfitting.
func breadth(groups int) int {
	return []int{2, 6, 12, 20, 28, 36}[min(groups, 5)]
}

// column returns the weighted row of a feature. ok is false if it is not finite.
func (m *many) column(f dictionary.Feature) (v []float64, ok bool) {
	v = make([]float64, len(m.Share))
	m.Row(v, f)
	return v, column.Finite(v)
}

// nearest returns the cheapest products of integer powers around origin, the origin's own powers
// being kept, and those with half powers.
func (w *work) nearest(origin view.Monomial) (whole, roots []view.Priced) {
	const limit = 300
	all := w.s.Lattice.Cheapest(origin, 4, 4*limit)
	least := all[0].Monomial
	for _, p := range all {
		off := p.Plus(least, -1, 1)
		if !w.s.Units {
			p.Extra = p.Cost() - least.Cost()
		}
		switch {
		case off.Divisible(1, view.Sixth):
			whole = append(whole, p)
		case off.Divisible(2, view.Sixth):
			roots = append(roots, p)
		}
	}
	for _, list := range [][]view.Priced{whole, roots} {
		sort.SliceStable(list, func(a, b int) bool { return list[a].Extra < list[b].Extra })
	}
	return whole[:min(limit, len(whole))], roots[:min(limit, len(roots))]
}

// monos returns the first n of list that contain no variable in the mask without, except those that
// all contain.
func monos(list []view.Priced, n int, without uint64) (out []view.Monomial) {
	for _, p := range list {
		if len(out) < n && p.Variables()&without == 0 {
			out = append(out, p.Monomial)
		}
	}
	return out
}

// asFeatures returns the monomials as features of a role, times the atom to a power; atom -1 means
// none.
func asFeatures(monos []view.Monomial, r dictionary.Role, atom int32, pow int8) []dictionary.Feature {
	fs := make([]dictionary.Feature, len(monos))
	for i, m := range monos {
		fs[i] = dictionary.Feature{Role: r, Monomial: m, Expr: atom, Half: pow}
	}
	return fs
}
