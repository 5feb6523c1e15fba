package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

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

// round runs the joins of extent d with each of the given outer functions in turn. It stops and
// returns true once it has found an exact law.
func (w *work) round(ctx context.Context, d extent, of []transform) (exact bool) {
	w.extent = d
	if w.noisy {
		w.extent.pool = min(d.pool, 12000)
	}
	w.report("enumeration")
	w.p.Grow(ctx, w.extent.pool, d.maxCost)
	hit := false
	for _, h := range of {
		if !w.admits(h) {
			continue
		}
		if _, ok := w.s.Lattice.Origin(w.s.Dims, h.dim(w.s.TargetDim), w.s.Units); !ok {
			continue
		}
		if h.uses&asProduct != 0 {
			w.report("products " + h.name)
			hit = w.products(ctx, h, w.size(d.products)) || hit
		}
		if ctx.Err() != nil {
			return hit
		}
		if h.uses&asSum != 0 {
			w.report("sums " + h.name)
			hit = w.sums(ctx, h, w.size(d.sums), false) || hit
		}
		if hit || ctx.Err() != nil {
			return hit
		}
		if h.uses&asRatio != 0 {
			w.report("ratios " + h.name)
			hit = w.sums(ctx, h, w.size(d.sums)/2, true) || hit
		}
		if hit || ctx.Err() != nil {
			return hit
		}
	}
	return false
}

// join returns a join for the target t. The join has no features yet. base and omega are as in
// match.New.
func (w *work) join(t []float64, base [][]float64, omega []float64) *match.Join {
	j := match.New(w.s, w.p, t, base, omega)
	if w.Joins != nil {
		j.Kernel = w.Joins
	}
	return j
}

// size returns the number of features of a join. It is n, but at most 6000 in noisy data or with
// inner constants from a grid: the pool is then evaluated at more points, and each pair takes more
// time.
func (w *work) size(n int) int {
	if w.noisy || w.freed {
		return min(n, 6000)
	}
	return n
}

// report calls Search.Stage with the name of a stage of the search, followed by properties of the
// view in parentheses.
func (w *work) report(name string) {
	if w.noisy {
		name += " (noise)"
	}
	if !w.s.Units && w.s.Problem.Units {
		name += " (free units)"
	}
	w.Search.report(name)
}

// treesOf returns the laws for y that a combination c of features of the join j represents. The
// target of j is h(y), or the logarithm of |h(y)| if j joins factors. The list may contain variants
// of one law.
type treesOf func(j *match.Join, h transform, c match.Combo) []expr.Tree

// looseEps is the relative error below which a flexible law counts as exact. Flexible laws are
// products with many free exponents and rates, and sums of many terms. They can approximate any
// smooth function, so the bound is strict.
const looseEps = 1e-12

// maxTight is the largest number of free constants with which a flexible law (see looseEps) counts
// as exact if its relative error is below match.Exact. With more, the error must be below looseEps.
// Other laws are not flexible: for them match.Exact is enough.
const maxTight = 3

// offer yields the trees that write returns for the combination c. It reports whether one of them
// is exact.
func (w *work) offer(j *match.Join, h transform, c match.Combo, write treesOf) (exact bool) {
	near, nearer := j.Exact(c, match.Exact), j.Exact(c, looseEps)
	for _, t := range write(j, h, c) {
		if !w.yield(t) {
			break
		}
		tight := !j.Factors || t.NumParams() <= maxTight
		exact = exact || near && (nearer || tight) && w.holds(t)
	}
	return exact
}

// holds reports whether tree t equals the target at the points, up to a relative error of 1e-7. A
// join cannot check this itself: if
// the features satisfy an identity, the join may return this identity, from which no law for y
// follows.
func (w *work) holds(t expr.Tree) bool {
	v := make([]float64, w.s.Points())
	expr.Compile(t).Eval(v, w.s.Columns(), t.Params())
	e, s := 0.0, 0.0
	for i, y := range w.s.Y {
		e += (y - v[i]) * (y - v[i])
		s += y * y
	}
	return e <= 1e-14*s
}

// mostHits is the number of exact combinations of one query that are offered.
const mostHits = 12

// tiers queries the join for the best combinations of one, two and three features, in the order of
// tiersOf. It offers the combinations that are worth a fit. It stops at the first query that gives
// an exact law.
func (w *work) tiers(ctx context.Context, j *match.Join, h transform, write treesOf) bool {
	for _, tier := range w.tiersOf(ctx, j) {
		if ctx.Err() != nil {
			return false
		}
		cs := tier()
		hit := false
		for _, c := range head(w.exactOnes(j, cs), mostHits) {
			hit = w.offer(j, h, c, write) || hit
		}
		if hit {
			return true
		}
		for _, c := range w.worth(j, cs) {
			if ctx.Err() != nil {
				return false
			}
			w.offer(j, h, c, write)
		}
	}
	return false
}

// tiersOf returns the queries of a join for combinations of up to three features. For exact data,
// there are also queries that try the pairs and triples of the cheapest features in double
// precision, and the best pairs with any third feature.
func (w *work) tiersOf(ctx context.Context, j *match.Join) []func() []match.Combo {
	d := w.extent
	few := d.keep / 4
	singles := func() []match.Combo { return j.Singles(min(d.keep, 100)) }
	pairs := func() []match.Combo { return j.Pairs(ctx, d.pairs, d.keep) }
	triples := func() []match.Combo { return j.Triples(d.triples, d.keep/2) }
	if w.noisy {
		return []func() []match.Combo{singles, func() []match.Combo { return j.Pairs(ctx, match.DensePairs, few) }, pairs, triples}
	}
	var best []match.Combo
	return []func() []match.Combo{
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
	sort.SliceStable(hits, func(a, b int) bool { return j.Cost(hits[a]) < j.Cost(hits[b]) })
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
	case w.noisy:
		few = 80
	}
	points := float64(w.s.Points())
	score := func(c match.Combo) float64 { return points/2*math.Log2(c.Miss+1e-14) + 3*float64(j.Cost(c)) }
	sorted := slices.Clone(cs)
	slices.SortStableFunc(sorted, func(a, b match.Combo) int { return cmp.Compare(score(a), score(b)) })
	near := sorted
	if w.noisy {
		margin := math.Exp2(2 * nearBits / points)
		if w.freed {
			margin *= 3 // allowance for the fit of inner constants, which lowers the residual
		}
		for _, c := range cs {
			if rss := c.Miss * j.Norm * j.Norm; len(c.Features) <= 2 && (w.floor == 0 || rss < w.floor) {
				w.floor = rss
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
