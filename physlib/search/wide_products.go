package search

import (
	"context"

	"gonum.org/v1/gonum/floats"
)

// An expression times a sum of products of the variables.

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
