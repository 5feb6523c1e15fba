package search

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
	"github.com/physlib/lab/physlib/search/column"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/match"
	"github.com/physlib/lab/physlib/search/view"
)

// Laws with an offset. The target y and a simple quantity M enter a known function of two
// arguments, and the value of this function is a product of factors. Examples:
//
//	cooling          T - T₀ = …
//	saturation       1/y - 1 = …
//	kinetic energy   E + mc² = …
//	a voltage        exp(V/M) - 1 = …
//	a temperature    exp(M/T) - 1 = …
//
// The features of a product join do not depend on its target. So the same features are used for all
// quantities M and all functions.

// relation gives the target y as a function of a quantity M and a product p. If the sign of M
// matters, there is one relation for each sign.
type relation struct {
	law  expr.Tree                  // y as a function of p and m
	of   func(y, m float64) float64 // p as a function of y and m
	half int                        // p has the dimension of y^(half/2)
	// A number that multiplies M gives a different law. (In m·log(p), it can be moved into an
	// exponent of p.) Only then is M also multiplied by each of offsetFactors.
	inner bool
}

var relations = []relation{
	{lawOf("m + p"), func(y, m float64) float64 { return y - m }, 2, true},
	{lawOf("p - m"), func(y, m float64) float64 { return y + m }, 2, true},
	{lawOf("m/(1 + p)"), func(y, m float64) float64 { return m/y - 1 }, 0, true},
	{lawOf("m/(p - 1)"), func(y, m float64) float64 { return m/y + 1 }, 0, true},
	{lawOf("m*(p + 1)/(p - 1)"), func(y, m float64) float64 { return (y + m) / (y - m) }, 0, true},
	{lawOf("sqrt(square(m) + p)"), func(y, m float64) float64 { return (y - m) * (y + m) }, 4, true},
	{lawOf("sqrt(p - square(m))"), func(y, m float64) float64 { return y*y + m*m }, 4, true},
	{lawOf("m/sqrt(1 + p)"), func(y, m float64) float64 { return m/y*m/y - 1 }, 0, true},
	{lawOf("m*log(p)"), func(y, m float64) float64 { return math.Exp(y / m) }, 0, false},
	{lawOf("m*log(1 + p)"), func(y, m float64) float64 { return math.Expm1(y / m) }, 0, true},
	{lawOf("-(m*log(1 + p))"), func(y, m float64) float64 { return math.Expm1(-y / m) }, 0, true},
	{lawOf("m/log(p)"), func(y, m float64) float64 { return math.Exp(m / y) }, 0, false},
	{lawOf("m/log(1 + p)"), func(y, m float64) float64 { return math.Expm1(m / y) }, 0, true},
	{lawOf("m*log(p + sqrt(square(p) + 1))"), func(y, m float64) float64 { return math.Sinh(y / m) }, 0, true},
	{lawOf("m*log(p + sqrt(square(p) - 1))"), func(y, m float64) float64 { return math.Cosh(y / m) }, 0, true},
	{lawOf("m/log(p + sqrt(square(p) - 1))"), func(y, m float64) float64 { return math.Cosh(m / y) }, 0, true},
}

// Sizes of the joins for offsets. They are small, since there is one join for each M and each
// relation.
const (
	offsetMonomials = 12   // number of candidates for M
	offsetFeatures  = 1200 // number of features of the join, of which all pairs are tried
	offsetTriples   = 50   // number of cheapest features of which all triples are tried
	offsetKeep      = 40   // number of best combinations that one query returns
	offsetHits      = 6    // number of exact combinations of one query that are offered
)

// offsetFactors are the numbers by which M is multiplied. The factor 1/(2π) turns Planck's constant
// h into ħ, and is used only if units are known.
var offsetFactors = []float64{1, 0.5 / math.Pi}

// offsets searches for laws with an offset. It tries all relations with the cheapest quantities M,
// and offers only exact laws.
func (w *work) offsets(ctx context.Context) (exact bool) {
	w.report("offsets")
	var shared *match.Join
	factors := offsetFactors
	if !w.s.Units {
		factors = factors[:1]
	}
	for _, factor := range factors {
		for _, m := range w.offsetMonomials() {
			mv := make([]float64, w.s.Points())
			w.s.Value(mv, m)
			floats.Scale(factor, mv)
			tree := build.Mul(build.Number(factor), w.writer().Term(dictionary.Feature{Monomial: m, Expr: -1}))
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

// offsetMonomials returns the candidates for M: the cheapest monomials with the target's dimension,
// single variables first.
func (w *work) offsetMonomials() []view.Monomial {
	var out []view.Monomial
	for _, m := range w.s.Lattice.Cheapest(w.origin, 3, 8*offsetMonomials) {
		if m.Divisible(1, view.Sixth) && len(out) < offsetMonomials {
			out = append(out, m.Monomial)
		}
	}
	return out
}

// offset returns the outer function h of the relation rel for a given M: h(y) is the product p. mv
// holds the values of M, and tree is M as a tree. logs is log|h(y)| − log|h.origin|. ok is false if
// h or logs is not finite at some point, or if rel uses a function that is not allowed.
func (w *work) offset(rel relation, mv []float64, tree expr.Tree) (h transform, logs []float64, ok bool) {
	if !w.writes(rel.law) {
		return h, nil, false
	}
	h = transform{law: rel.law, m: tree, at: make([]float64, w.s.Points()), origin: make(view.Monomial, w.s.Lattice.Vars)}
	if rel.half != 0 {
		h.origin = h.origin.Plus(w.origin, rel.half, 2)
	}
	logs = make([]float64, w.s.Points())
	w.s.LogValue(logs, h.origin)
	for i, y := range w.s.Y {
		h.at[i] = rel.of(y, mv[i])
		logs[i] = math.Log(math.Abs(h.at[i])) - logs[i]
	}
	return h, logs, column.Finite(h.at) && column.Finite(logs)
}

// offsetLaws offers the exact laws in which h(y) is a product of features of j.
func (w *work) offsetLaws(ctx context.Context, j *match.Join, h transform) (exact bool) {
	if w.offer(j, h, match.Bare(), w.product) {
		return true
	}
	for _, tier := range []func() []match.Combo{
		func() []match.Combo { return j.Singles(offsetKeep / 2) },
		func() []match.Combo { return j.PairsInDouble(match.DensePairs, offsetKeep) },
		func() []match.Combo { return j.Pairs(ctx, offsetFeatures, offsetKeep) },
		func() []match.Combo { return j.Triples(offsetTriples, offsetKeep) },
	} {
		for _, c := range head(w.exactOnes(j, tier()), offsetHits) {
			exact = w.offer(j, h, c, w.product) || exact
		}
		if exact || ctx.Err() != nil {
			return exact
		}
	}
	return false
}
