package search

import (
	"context"
	"math"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/match"
	"github.com/physlib/lab/physlib/search/view"
)

// Sums of many products of the variables and up to two other terms,
//
//	h(y) = S + f₁ + f₂.
//
// The cheapest products are all free to enter, whatever their number: they are the base of a join.
// An exact match is no coincidence as long as there are many more points than coefficients. Terms
// that do not matter are then dropped. A match that still has many terms is an approximation and no
// law. The data must be without noise.

const (
	mostTerms     = 10    // of a law
	besidePairs   = 12000 // features that are matched in pairs
	besideSingles = 20000 // and alone
	besideTerms   = 600   // size of the list of terms: few products for each expression
	besideSpare   = 10    // points beyond twice the products
)

// besideOuter lists the outer functions for which such sums are queried.
var besideOuter = []transform{identity, reciprocal, squared, inverseSquare, logarithm, exponential}

// mostFree is the number of products that are free at once, by the number of generators. It is kept
// small for few variables to avoid overfitting.
var mostFree = [...]int{2, 6, 12, 20, 28, 36}

// sumsBeside offers exact sums of many products and up to two other terms.
func (w *work) sumsBeside(ctx context.Context) (exact bool) {
	w.report("many terms")
	for _, h := range besideOuter {
		if ctx.Err() == nil && w.admits(h) && w.sumBeside(ctx, h) {
			return true
		}
	}
	return false
}

func (w *work) sumBeside(ctx context.Context, h transform) (exact bool) {
	s := w.s
	origin, ok := s.Lattice.Origin(s.Dims, h.dim(s.TargetDim), s.Units)
	t := column.Map(s.Y, h.of)
	omega := relative(t)
	if !ok || omega == nil {
		return false
	}
	near := w.nearest(origin)
	near = near[:max(0, min(len(near), mostFree[min(len(s.Lattice.Basis), 5)], (len(t)-besideSpare)/2))]
	var base [][]float64
	for _, m := range near {
		v := make([]float64, len(t))
		if s.Value(v, m.Monomial); !column.Finite(v) {
			return false
		}
		base = append(base, v)
	}
	j := w.join(t, base, omega)
	if j.Residual() < provedEps {
		return w.sifted(j, h, near, match.Bare())
	}
	for f := range w.p.Terms(origin, dictionary.Term, besideTerms) {
		if len(j.Features) == besideSingles {
			break
		}
		if w.p.Rich(f) {
			j.Add(f)
		}
	}
	j.Floor = 1 - 1e-7
	return w.exactTiers(ctx, j, func(c match.Combo) bool { return w.sifted(j, h, near, c) },
		func() []match.Combo { return j.Singles(50) },
		func() []match.Combo { return j.PairsInDouble(match.DensePairs, 50) },
		func() []match.Combo { return j.Pairs(ctx, besidePairs, 300) },
	)
}

// relative returns weights for which errors count relative to the target at each point, so that
// exact also means exact for small values. It is nil where there are none.
func relative(t []float64) []float64 {
	omega := column.Map(t, math.Abs)
	least := 0.01 * column.Median(omega)
	if !column.Finite(t) || !(least > 0) {
		return nil
	}
	return column.Map(omega, func(size float64) float64 { return 1 / max(size, least) })
}

// sifted yields the sum of the products near and of a combination, if it has few terms that matter.
func (w *work) sifted(j *match.Join, h transform, near []view.Priced, c match.Combo) (exact bool) {
	terms := products(near)
	columns := j.Base[:len(near):len(near)]
	for _, f := range c.Features {
		v := make([]float64, len(j.Target))
		j.Row(v, j.Features[f])
		terms, columns = append(terms, j.Features[f]), append(columns, v)
	}
	kept, coef := column.Sift(columns, j.Target, mostTerms, provedEps)
	if len(kept) == 0 {
		return false
	}
	return w.proved(h.inverse(w.writer().Sum(coef, dataset.Pick(terms, kept))))
}
