package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/match"
)

// extent holds the sizes of one enumeration and of the joins that use it.
type extent struct {
	pool, maxCost  int // size of the pool of expressions, and the greatest cost of an expression
	products, sums int // numbers of features in the product join and in the sum join
	// A join tries all pairs of its cheapest features, and all triples of a smaller number of
	// cheapest features. pairs and triples are these two numbers of features.
	pairs, triples int
	// Number of the best pairs that are tried with any third feature; 0 where this takes too long.
	extended int
	keep     int // greatest number of combinations that one query of a join returns
}

// depths[d] is the extent of the joins at depth d.
var depths = []extent{
	{pool: 4000, maxCost: 9, products: 5000, sums: 2000, pairs: 3000, triples: 300, extended: 30, keep: 300},
	{pool: 40000, maxCost: 12, products: 15000, sums: 9000, pairs: 9000, triples: 600, keep: 800},
}

// Bounds of an extent for noisy data, and with inner constants from a grid. The pool is then
// evaluated at more points, so each pair takes more time.
const (
	noisyPoolSize = 12000
	slowFeatures  = 6000
)

// grow sets w.extent to that of depth d and enumerates the expressions of the pool.
func (w *work) grow(ctx context.Context, d int) {
	w.extent = depths[d]
	if len(w.space.Problem.Target.Values) < fewRows {
		w.extent.pool = min(w.extent.pool, fewPool)
	}
	if w.inexact {
		w.extent.pool = min(w.extent.pool, noisyPoolSize)
	}
	if w.inexact || w.freed {
		w.extent.products, w.extent.sums = min(w.extent.products, slowFeatures), min(w.extent.sums, slowFeatures)
	}
	w.report("enumeration")
	w.pool.Grow(ctx, w.extent.pool, w.extent.maxCost)
}

// joins runs the joins of depth d with each of the given outer functions in turn. It stops and
// returns true once it has found an exact law.
func (w *work) joins(ctx context.Context, d int, of []transform) (exact bool) {
	w.grow(ctx, d)
	for _, h := range of {
		if !w.admits(h) {
			continue
		}
		if h.uses&asProduct != 0 {
			w.report("products " + h.name)
			exact = w.products(ctx, h, w.extent.products)
		}
		if h.uses&asSum != 0 && ctx.Err() == nil {
			w.report("sums " + h.name)
			exact = w.sums(ctx, h, w.extent.sums, false) || exact
		}
		if h.uses&asRatio != 0 && !exact && ctx.Err() == nil {
			w.report("ratios " + h.name)
			exact = w.sums(ctx, h, w.extent.sums/2, true)
		}
		if exact || ctx.Err() != nil {
			return exact
		}
	}
	return false
}

// join returns a join for the target t. The join has no features yet. base and omega are as in
// match.New.
func (w *work) join(t []float64, base [][]float64, omega []float64) *match.Join {
	j := match.New(w.space, w.pool, t, base, omega)
	if w.JoinKernel != nil {
		j.Kernel = w.JoinKernel
	}
	return j
}

// report calls Search.Stage with the name of a stage of the search, followed by properties of the
// view in parentheses.
func (w *work) report(name string) {
	if w.inexact {
		name += " (noise)"
	}
	if !w.space.Units && w.space.Problem.Units {
		name += " (free units)"
	}
	w.Search.report(name)
}

// strictEps is the relative error below which a flexible law counts as exact. Flexible laws are
// products with many free exponents and rates, and sums of many terms. They can approximate any
// smooth function, so the bound is strict.
const strictEps = 1e-12

// fewConstants is the largest number of free constants with which the bound match.Exact is enough
// for a flexible law. With more, the error must be below strictEps. For laws that are not flexible,
// match.Exact is always enough.
const fewConstants = 3

// offer yields the laws for y that a combination c of features of the join j represents. The target
// of j is h(y), or the logarithm of |h(y)| if j joins factors. offer reports whether one of the
// laws is exact.
func (w *work) offer(j *match.Join, h transform, c match.Combo) (exact bool) {
	laws := w.sum
	if j.Factors {
		laws = w.product
	}
	exactly, strictly := j.Exact(c, match.Exact), j.Exact(c, strictEps)
	for _, t := range laws(j, h, c) {
		if !w.yield(t) {
			break
		}
		stiff := !j.Factors || t.NumParams() <= fewConstants
		exact = exact || exactly && (strictly || stiff) && w.holds(t)
	}
	return exact
}

// holds reports whether tree t equals the target at the points, up to a relative error of 1e-7. A
// join cannot check this itself: if the features satisfy an identity, the join may return this
// identity, from which no law for y follows.
func (w *work) holds(t expr.Tree) bool {
	return floats.Distance(w.evaluated(t), w.space.Y, 2) <= 1e-7*floats.Norm(w.space.Y, 2)
}

// mostHits is the number of exact combinations of one query that are offered.
const mostHits = 12

// query returns the best combinations of one, two or three features of a join.
type query func() []match.Combo

// tiers offers the exact combinations of the base alone and of the queries, in this order. If
// approximate is true, it also offers other combinations that are worth a fit. It stops at the
// first query that gives an exact law.
func (w *work) tiers(ctx context.Context, j *match.Join, h transform, queries []query, approximate bool) (exact bool) {
	exact = w.offer(j, h, match.Bare())
	for _, q := range queries {
		if exact || ctx.Err() != nil {
			return exact
		}
		found := q()
		for _, c := range head(w.exactOnes(j, found), mostHits) {
			exact = w.offer(j, h, c) || exact
		}
		if exact || !approximate {
			continue
		}
		for _, c := range w.worth(j, found) {
			if ctx.Err() != nil {
				return false
			}
			w.offer(j, h, c)
		}
	}
	return exact
}

// queries returns the queries of a join for combinations of up to three features. For exact data,
// there are also queries that try the pairs and triples of the cheapest features in double
// precision, and the best pairs with any third feature.
func (w *work) queries(ctx context.Context, j *match.Join) []query {
	d := w.extent
	few := d.keep / 4
	singles := func() []match.Combo { return j.Singles(min(d.keep, 100)) }
	pairs := func() []match.Combo { return j.Pairs(ctx, d.pairs, d.keep) }
	triples := func() []match.Combo { return j.Triples(d.triples, d.keep/2) }
	if w.inexact {
		return []query{singles, func() []match.Combo { return j.Pairs(ctx, match.DensePairs, few) }, pairs, triples}
	}
	var best []match.Combo
	return []query{
		singles,
		func() []match.Combo { return j.PairsInDouble(match.DensePairs, few) },
		func() []match.Combo { return j.Triples(match.DenseTriples, few) },
		func() []match.Combo { best = pairs(); return best },
		triples,
		func() []match.Combo { return j.Extend(head(best, d.extended), few) },
	}
}

// exactOnes returns the combinations in cs whose residual is at rounding level (below match.Exact),
// the cheapest first. It leaves out ratios whose numerator has no term (see match.Join.HasTerm).
func (w *work) exactOnes(j *match.Join, cs []match.Combo) []match.Combo {
	hits := slices.DeleteFunc(slices.Clone(cs), func(c match.Combo) bool { return !j.Exact(c, match.Exact) || !j.HasTerm(c) })
	slices.SortStableFunc(hits, func(a, b match.Combo) int { return cmp.Compare(j.Cost(a), j.Cost(b)) })
	return hits
}

// worth returns the combinations of cs that are worth a fit: those with the least description
// length, in bits. The description length is the length of the residuals plus 3 bits for each unit
// of cost. In noisy data, worth leaves out combinations whose residual is far above the least
// residual of all joins so far. Residuals of different joins are comparable, since all joins weight
// the errors of the target alike. If inner constants are still to be fitted, worth returns at least
// freeSingles single features.
func (w *work) worth(j *match.Join, cs []match.Combo) []match.Combo {
	few := 6
	switch {
	case w.freed:
		few = 60
	case w.inexact:
		few = 80
	}
	points := float64(w.space.Points())
	score := func(c match.Combo) float64 { return points/2*math.Log2(c.Miss+1e-14) + 3*float64(j.Cost(c)) }
	sorted := slices.Clone(cs)
	slices.SortStableFunc(sorted, func(a, b match.Combo) int { return cmp.Compare(score(a), score(b)) })
	near := sorted
	if w.inexact {
		margin := math.Exp2(2 * nearBits / points)
		if w.freed {
			margin *= 3 // allowance for the fit of inner constants, which lowers the residual
		}
		for _, c := range cs {
			if len(c.Features) <= 2 {
				w.floor = min(w.floor, c.Miss*j.Norm*j.Norm)
			}
		}
		near = slices.DeleteFunc(slices.Clone(sorted), func(c match.Combo) bool { return c.Miss*j.Norm*j.Norm > margin*w.floor })
	}
	if w.freed && len(near) < min(len(cs), freeSingles) && len(cs[0].Features) == 1 {
		return head(sorted, freeSingles)
	}
	return head(near, few)
}

const (
	// In noisy data, a combination is dropped if the description length of its residuals exceeds
	// the least such length so far by more than this many bits.
	nearBits = 40
	// Number of single features that are offered whatever their residual, since a fit of their
	// inner constants will lower the residual.
	freeSingles = 3
)

// head returns the first n of cs.
func head(cs []match.Combo, n int) []match.Combo { return cs[:min(n, len(cs))] }
