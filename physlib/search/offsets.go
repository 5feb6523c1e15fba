package search

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
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

// offsets are outer functions of the target y and a quantity M. In each, p is h(y) and m is M. If
// the sign of M matters, there is one for each sign.
var offsets = []struct {
	law  expr.Tree                  // y as a function of p and m
	of   func(y, m float64) float64 // p as a function of y and m
	half int                        // p has the dimension of y^(half/2)
	// Whether a factor of M gives a different law. (In m·log(p) it does not, since it can be moved
	// into an exponent of p.) If so, M is also multiplied by each of offsetFactors.
	inner bool
}{
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
// function.
const (
	offsetMonomials = 12   // number of candidates for M
	offsetFeatures  = 1200 // number of features of the join, of which all pairs are tried
	offsetTriples   = 50   // number of cheapest features of which all triples are tried
	offsetKeep      = 40   // number of best combinations that one query returns
)

// offsetFactors are the numbers by which M is multiplied. The factor 1/(2π) turns Planck's constant
// h into ħ, and is used only if units are known.
var offsetFactors = []float64{1, 0.5 / math.Pi}

// offsets searches for laws with an offset. It tries all functions of offsets with the cheapest
// quantities M, and offers only exact laws.
func (w *work) offsets(ctx context.Context) (exact bool) {
	w.report("offsets")
	var shared *match.Join
	factors := offsetFactors
	if !w.space.Units {
		factors = factors[:1]
	}
	for _, factor := range factors {
		for _, m := range w.offsetMonomials() {
			mv := make([]float64, w.space.Points())
			w.space.Value(mv, m)
			floats.Scale(factor, mv)
			tree := build.Mul(build.Number(factor), w.writer().Term(dictionary.Feature{Monomial: m, Expr: -1}))
			for _, f := range offsets {
				if ctx.Err() != nil {
					return false
				}
				if factor != 1 && !f.inner || !w.writes(f.law) {
					continue
				}
				h := transform{inverseTree: f.law, twicePower: f.half, m: tree, values: make([]float64, len(mv))}
				for i, y := range w.space.Y {
					h.values[i] = f.of(y, mv[i])
				}
				logs, _, ok := w.target(h, true)
				if !ok || !column.Finite(h.values) {
					continue
				}
				if shared == nil {
					if shared, ok = w.factorJoin(logs, nil, offsetFeatures); !ok {
						return false
					}
				}
				if j, ok := shared.Retarget(logs); ok && w.tiers(ctx, j, h, offsetQueries(ctx, j), false) {
					return true
				}
			}
		}
	}
	return false
}

// offsetQueries returns the queries of a join for offsets.
func offsetQueries(ctx context.Context, j *match.Join) []query {
	return []query{
		func() []match.Combo { return j.Singles(offsetKeep / 2) },
		func() []match.Combo { return j.PairsInDouble(match.DensePairs, offsetKeep) },
		func() []match.Combo { return j.Pairs(ctx, offsetFeatures, offsetKeep) },
		func() []match.Combo { return j.Triples(offsetTriples, offsetKeep) },
	}
}

// offsetMonomials returns the candidates for M: the cheapest monomials with the target's dimension,
// single variables first.
func (w *work) offsetMonomials() []view.Monomial {
	var out []view.Monomial
	for _, m := range w.space.Lattice.Cheapest(w.space.Origin, 3, 8*offsetMonomials) {
		if m.Divisible(1, view.SixthsInOne) && len(out) < offsetMonomials {
			out = append(out, m.Monomial)
		}
	}
	return out
}
