package search

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/search/dictionary"
)

// An expression times a sum of products of the variables.

// factorPowers lists the powers of g, in halves.
var factorPowers = [...]int8{2, -2, 1, -1, 4, -4}

// wideProducts matches g·S: the target over g lies in the span of the terms.
func (w *work) wideProducts(ctx context.Context, m *many) bool {
	var span [][]float64
	for _, f := range asFeatures(m.terms, dictionary.Term, -1, 2) {
		v, ok := m.column(f)
		if !ok {
			return false
		}
		span = extended(span, v)
	}
	t := make([]float64, len(m.Target))
	for id := range int32(min(w.p.Len(), wideFactors)) {
		if ctx.Err() != nil {
			return false
		}
		if w.p.IsMonomial(id) {
			continue
		}
		for _, pow := range factorPowers {
			if w.p.Repeats(id, int(pow)) {
				continue
			}
			copy(t, w.p.Values(id))
			dictionary.RaiseHalf(t, -int(pow))
			floats.Mul(t, m.Target)
			if left(span, t) < wideEps && w.offerMany(m, asFeatures(m.terms, dictionary.Term, id, pow)) {
				return true
			}
		}
	}
	return false
}
