package search

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
)

// Sums of any number of products of the variables, beside up to two other terms.

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
