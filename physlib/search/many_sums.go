package search

import (
	"context"

	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/match"
)

// Sums of any number of products of the variables, plus up to two other terms.

// wideSums matches S + f₁ + f₂.
func (w *work) wideSums(ctx context.Context, m *many) bool {
	free := asFeatures(m.terms, dictionary.Term, -1, 2)
	var base [][]float64
	for _, f := range free {
		v := make([]float64, w.s.Points())
		if w.s.Value(v, f.Monomial); !column.Finite(v) {
			return false
		}
		base = append(base, v)
	}
	w.h = m.h
	j := match.New(w.s, w.p, m.Share, base, m.omega)
	if j.Residual() < wideEps {
		return w.offerMany(m, free)
	}
	for f := range w.p.Rich(m.near) {
		if len(j.Features) >= wideFeatures {
			break
		}
		j.Add(f)
	}
	pairs := len(j.Features)
	for f := range w.p.Rich(m.roots) {
		if len(j.Features) >= pairs+wideRoots {
			break
		}
		j.Add(f)
	}
	j.Floor = 1 - 1e-7
	for _, tier := range []func() []match.Combo{
		func() []match.Combo { return j.Singles(50) },
		func() []match.Combo { return j.PairsInDouble(match.DensePairs, 50) },
		func() []match.Combo { return j.Pairs(ctx, pairs, 300) },
	} {
		hit := false
		for _, c := range head(w.exactOnes(j, tier()), 6) {
			fs := append([]dictionary.Feature(nil), free...)
			for _, f := range c.Features {
				fs = append(fs, j.Features[f])
			}
			hit = w.offerMany(m, fs) || hit
		}
		if hit || ctx.Err() != nil {
			return hit
		}
	}
	return false
}
