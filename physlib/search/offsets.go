package search

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/build"
	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/match"
	"github.com/physlib/lab/physlib/search/view"
)

// Laws that become a product once the inverse of a function with a simple quantity M is applied to
// the target. Examples are cooling, T - T₀ = …; saturation, 1/y - 1 = …; kinetic energy, E + mc² =
// …; a voltage, exp(V/M) - 1 = …; a temperature, exp(M/T) - 1 = …. The features of a product join
// do not depend on its target. One set of them therefore serves all M and all ways in which M may
// enter.

// relation is a way in which M enters. Both M and -M are evaluated where the sign matters.
type relation struct {
	of      func(y, m float64) float64
	inverse func(p, m expr.Tree) expr.Tree
	half    int     // dimension of the product: that of y to half/2
	needs   expr.Op // operator that the inverse uses; a Number: none
	inner   bool    // a factor of M is neither a factor nor a power of the product
}

var (
	oneTree   = expr.Num(1)
	relations = []relation{
		{of: func(y, m float64) float64 { return y - m }, half: 2, inner: true, // y = M + P
			inverse: func(p, m expr.Tree) expr.Tree { return expr.Apply(expr.Add, m, p) }},
		{of: func(y, m float64) float64 { return y + m }, half: 2, inner: true, // y = P - M
			inverse: func(p, m expr.Tree) expr.Tree { return expr.Apply(expr.Sub, p, m) }},
		{of: func(y, m float64) float64 { return m/y - 1 }, inner: true, // y = M/(1 + P)
			inverse: func(p, m expr.Tree) expr.Tree { return expr.Apply(expr.Div, m, expr.Apply(expr.Add, oneTree, p)) }},
		{of: func(y, m float64) float64 { return m/y + 1 }, inner: true, // y = M/(P - 1)
			inverse: func(p, m expr.Tree) expr.Tree { return expr.Apply(expr.Div, m, expr.Apply(expr.Sub, p, oneTree)) }},
		{of: func(y, m float64) float64 { return (y + m) / (y - m) }, inner: true, // y = M·(P + 1)/(P - 1)
			inverse: func(p, m expr.Tree) expr.Tree {
				return expr.Apply(expr.Div, build.Mul(m, expr.Apply(expr.Add, p, oneTree)), expr.Apply(expr.Sub, p, oneTree))
			}},
		{of: func(y, m float64) float64 { return (y - m) * (y + m) }, half: 4, needs: expr.Sqrt, inner: true, // y² = M² + P
			inverse: func(p, m expr.Tree) expr.Tree {
				return expr.Apply(expr.Sqrt, expr.Apply(expr.Add, expr.Apply(expr.Square, m), p))
			}},
		{of: func(y, m float64) float64 { return m/y*m/y - 1 }, needs: expr.Sqrt, inner: true, // y² = M²/(1 + P)
			inverse: func(p, m expr.Tree) expr.Tree {
				return expr.Apply(expr.Div, m, expr.Apply(expr.Sqrt, expr.Apply(expr.Add, oneTree, p)))
			}},
		{of: func(y, m float64) float64 { return math.Exp(y / m) }, needs: expr.Log, // y = M·log P
			inverse: func(p, m expr.Tree) expr.Tree { return build.Mul(m, expr.Apply(expr.Log, p)) }},
		{of: func(y, m float64) float64 { return math.Expm1(y / m) }, needs: expr.Log, inner: true, // y = M·log(1 + P)
			inverse: func(p, m expr.Tree) expr.Tree {
				return build.Mul(m, expr.Apply(expr.Log, expr.Apply(expr.Add, oneTree, p)))
			}},
		{of: func(y, m float64) float64 { return math.Expm1(-y / m) }, needs: expr.Log, inner: true, // y = -M·log(1 + P)
			inverse: func(p, m expr.Tree) expr.Tree {
				return expr.Apply(expr.Neg, build.Mul(m, expr.Apply(expr.Log, expr.Apply(expr.Add, oneTree, p))))
			}},
		{of: func(y, m float64) float64 { return math.Exp(m / y) }, needs: expr.Log, // y = M/log P
			inverse: func(p, m expr.Tree) expr.Tree { return expr.Apply(expr.Div, m, expr.Apply(expr.Log, p)) }},
		{of: func(y, m float64) float64 { return math.Expm1(m / y) }, needs: expr.Log, inner: true, // y = M/log(1 + P)
			inverse: func(p, m expr.Tree) expr.Tree {
				return expr.Apply(expr.Div, m, expr.Apply(expr.Log, expr.Apply(expr.Add, oneTree, p)))
			}},
		{of: func(y, m float64) float64 { return math.Sinh(y / m) }, needs: expr.Log, inner: true, // y = M·arsinh P
			inverse: func(p, m expr.Tree) expr.Tree { return build.Mul(m, areaFunction(expr.Add, p)) }},
		{of: func(y, m float64) float64 { return math.Cosh(y / m) }, needs: expr.Log, inner: true, // y = M·arcosh P
			inverse: func(p, m expr.Tree) expr.Tree { return build.Mul(m, areaFunction(expr.Sub, p)) }},
		{of: func(y, m float64) float64 { return math.Cosh(m / y) }, needs: expr.Log, inner: true, // y = M/arcosh P
			inverse: func(p, m expr.Tree) expr.Tree { return expr.Apply(expr.Div, m, areaFunction(expr.Sub, p)) }},
	}
)

// areaFunction returns log(p + √(p² ± 1)): arsinh p for a sum, arcosh p for a difference.
func areaFunction(op expr.Op, p expr.Tree) expr.Tree {
	root := expr.Apply(expr.Sqrt, expr.Apply(op, expr.Apply(expr.Square, p), oneTree))
	return expr.Apply(expr.Log, expr.Apply(expr.Add, p, root))
}

// Sizes of these joins, which are many.
const (
	offsetMonomials = 12
	offsetFeatures  = 1200
	offsetTriples   = 50
	offsetKeep      = 40
)

// offsetFactors lists the factors that M may have; ħ = h/(2π) needs the second.
var offsetFactors = [...]float64{1, 0.5 / math.Pi}

// offsets matches products for all M of low cost and offers exact laws only.
func (w *work) offsets(ctx context.Context) (exact bool) {
	w.report("offsets")
	var shared *match.Join
	for _, factor := range offsetFactors {
		for _, m := range w.offsetMonomials() {
			mv := make([]float64, w.s.Points())
			w.s.Value(mv, m)
			floats.Scale(factor, mv)
			tree := w.multiple(m, factor)
			for _, rel := range relations {
				if ctx.Err() != nil {
					return false
				}
				if factor != 1 && !rel.inner {
					continue
				}
				h, logs, ok := w.offset(rel, mv, tree)
				if !ok {
					continue
				}
				if shared == nil {
					if shared, ok = w.factorJoin(logs, nil, offsetFeatures); !ok {
						return false
					}
				}
				if j, ok := shared.Retarget(logs); ok && w.offsetLaws(ctx, j, h) {
					return true
				}
			}
		}
	}
	return false
}

// multiple returns factor·m.
func (w *work) multiple(m view.Monomial, factor float64) expr.Tree {
	p := build.One()
	(&dictionary.Writer{Space: w.s, Pool: w.p}).Monomial(&p, m)
	return build.Mul(build.Number(factor), p.Tree())
}

// offsetMonomials returns the candidates for M: single variables of the target's dimension before
// other monomials.
func (w *work) offsetMonomials() []view.Monomial {
	var out []view.Monomial
	for _, m := range w.s.Lattice.Cheapest(w.origin, 3, 8*offsetMonomials) {
		whole := true
		for _, e := range m.Monomial {
			whole = whole && e%6 == 0
		}
		if whole && len(out) < offsetMonomials {
			out = append(out, m.Monomial)
		}
	}
	return out
}

// offset returns rel with M as an outer function of the target, and the logarithm of the target
// under it. ok is false if that is undefined or close to the target.
func (w *work) offset(rel relation, mv []float64, tree expr.Tree) (h transform, logs []float64, ok bool) {
	if rel.needs != expr.Number && !w.allowed(rel.needs) {
		return h, nil, false
	}
	if rel.needs == expr.Sqrt && !column.OneSign(w.s.Y) {
		return h, nil, false
	}
	h = transform{at: make([]float64, w.s.Points()), origin: make(view.Monomial, w.s.Lattice.Vars)}
	if rel.half != 0 {
		h.origin = h.origin.Plus(w.origin, rel.half, 2)
	}
	h.inverse = func(p expr.Tree) expr.Tree { return rel.inverse(p, tree) }
	logs = make([]float64, w.s.Points())
	w.s.LogValue(logs, h.origin)
	for i, y := range w.s.Y {
		h.at[i] = rel.of(y, mv[i])
		logs[i] = math.Log(math.Abs(h.at[i])) - logs[i]
	}
	return h, logs, column.Finite(h.at) && column.Finite(logs)
}

// offsetLaws offers the exact products of one target.
func (w *work) offsetLaws(ctx context.Context, j *match.Join, h transform) (exact bool) {
	if w.offer(j, h, match.Bare(), w.product) {
		return true
	}
	for _, tier := range []func() []match.Combo{
		func() []match.Combo { return j.Singles(offsetKeep / 2) },
		func() []match.Combo { return j.PairsInDouble(match.DensePairs, offsetKeep) },
		func() []match.Combo { return j.Pairs(ctx, offsetFeatures, offsetKeep) },
		func() []match.Combo { return j.TriplesInDouble(offsetTriples, offsetKeep) },
	} {
		for _, c := range head(w.exactOnes(j, tier()), 6) {
			exact = w.offer(j, h, c, w.product) || exact
		}
		if exact || ctx.Err() != nil {
			return exact
		}
	}
	return false
}
