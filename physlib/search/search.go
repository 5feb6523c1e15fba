// Package search finds laws without a network: it enumerates expressions of the dimensionless
// groups and joins them against the target, all pairs at once.
//
// # Design
//
// With units, a problem is first reduced by Buckingham's theorem: y/M₀ is a function of a few Π
// groups. Expressions of the groups are enumerated by rising cost, each value once (pool). A join
// then asks which one, two or three of them, beside terms that are free, give the target: as
// factors with free powers ([product.go], their signs [sign.go]), or as terms with free
// coefficients under an outer function, or as numerator and denominator ([sum.go]), or as factors
// of what a simple quantity leaves of the target ([offset.go]); or beside, times or divided by sums
// of any number of cheap terms ([wide.go]). Oscillations and waves are found by a periodogram
// ([waves.go]), and sums of many terms with inner constants by pursuit ([terms.go]). The pair
// kernel answers for all pairs without storing the matrix; what it returns is scored again in
// double precision and written as trees with free constants. Without units the groups are the
// variables themselves and the same code runs; and once more on what is left when symmetries that
// the data show are used up ([symmetry.go]): factors divided out, variables that enter only as a
// difference merged, those that scale together given base units of their own.
package search

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"sort"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/pair"
	"github.com/physlib/lab/physlib/search/pursuit"
)

// Search is the deterministic Proposer. The zero value runs all its stages.
type Search struct {
	Stages int               // how many of the three stages to run; 0: all
	Pool   int               // how many expressions and terms a stage takes at most, for a quick look; 0: no such bound
	Stage  func(name string) // told when a part begins; may be nil
	Joins  pair.Kernel       // finds the best pairs of features; nil: pair.Default()
}

// stage is how far one round of enumeration and joins goes.
type stage struct {
	pool, maxCost  int // expressions, and their greatest cost
	products, sums int // features of a join
	pairs, triples int // of those, how many are joined in pairs and in triples
	rect           int // how many are joined with all the rest
	extend         int // combinations extended by a third and a fourth term
	outer          []transform
	keep           int
}

var stages = []stage{
	{pool: 4000, maxCost: 9, products: 5000, sums: 2000, pairs: 3000, triples: 300, extend: 30, keep: 300,
		outer: []transform{identity, reciprocal, squared, inverseSquare, minusOne, plusOne, sine, cosine, tangent, logarithm, exponential}},
	{pool: 40000, maxCost: 12, products: 15000, sums: 9000, pairs: 9000, triples: 1200, rect: 1500, extend: 120, keep: 800,
		outer: []transform{identity, reciprocal, squared, inverseSquare, root, logarithm, exponential, minusOne, plusOne, sine, cosine, tangent}},
	{pool: 250000, maxCost: 16, products: 60000, sums: 30000, pairs: 30000, triples: 2500, rect: 2500, extend: 250, keep: 1500,
		outer: []transform{identity, reciprocal, squared, inverseSquare, root, logarithm, exponential, minusOne, plusOne, sine, cosine, tangent}},
}

// work is one way of looking at the problem: with or without units, for exact or noisy data.
type work struct {
	*Search
	ctx     context.Context
	s       *space
	p       *pool
	origin  mono
	allowed func(expr.Op) bool
	noisy   bool
	freed   bool
	h       transform
	stage   stage
	yield   func(expr.Tree) bool
	cols    [][]float64
	addends *pursuit.Search // nil: not prepared yet
	floor   float64         // least residual sum of squares of any combination, under the weights of noisy data
}

// Propose implements discover.Proposer.
func (s *Search) Propose(ctx context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stopped := false
		emit := func(t expr.Tree) bool {
			if stopped {
				return false
			}
			if !p.Allows(t) {
				return true
			}
			if !yield(t, nil) {
				stopped = true
				cancel()
			}
			return !stopped
		}
		s.run(ctx, p, emit)
	}
}

// mode is a way of looking at the problem.
type mode struct{ units, noisy, grid, reduced, wide bool }

// step is how deep a mode goes.
type step struct {
	mode
	stage int
}

// swings reports whether a step looks for waves.
func (s step) swings() bool { return s.stage == waves || s.stage == ripples }

// fewest is the number of rows below which what is exact beside a simple quantity may be chance.
const fewest = 20

// Stages besides those of enumeration: products next to a simple quantity, which use what the first
// one enumerated, and a first look at the simplest laws, which a run of any length has time for;
// and laws that swing.
const (
	beside  = -1
	first   = -2
	waves   = -3
	ripples = -4 // waves on what is smooth without them
	terms   = -5 // sums of many terms; one less for each inner constant that they may have
)

// plan lists which mode goes how deep, and when: what finds most for its time comes first.
var plan = []step{
	{mode{units: true}, first},
	{mode{units: true}, 0}, {mode{units: true}, beside}, {mode{}, first}, {mode{}, waves}, {mode{units: true, wide: true}, 0},
	{mode{units: true, reduced: true}, 0}, {mode{units: true, reduced: true}, beside},
	{mode{}, 0}, {mode{}, terms}, {mode{reduced: true}, 0}, {mode{reduced: true}, beside}, {mode{}, beside}, {mode{}, ripples}, {mode{}, terms - 1},
	{mode{reduced: true, wide: true}, 0}, {mode{wide: true}, 0}, {mode{}, terms - 2},
	{mode{units: true, noisy: true}, 0},
	{mode{units: true}, 1}, {mode{units: true, reduced: true}, 1},
	{mode{units: true, grid: true}, 0}, {mode{noisy: true}, 0}, {mode{grid: true}, 0},
	{mode{units: true, noisy: true}, 1},
	{mode{reduced: true}, 1}, {mode{}, 1},
	{mode{units: true, grid: true}, 1}, {mode{noisy: true}, 1}, {mode{grid: true}, 1},
	{mode{units: true}, 2}, {mode{units: true, reduced: true}, 2}, {mode{reduced: true}, 2}, {mode{}, 2},
}

// unbound are the steps with the first of those without units put before those with, for targets
// whose dimension the variables cannot give: these laws have constants with units, and often one
// within a function.
func unbound(steps []step) []step {
	out := []step{{mode{}, first}, {mode{}, waves}, {mode{}, 0}, {mode{grid: true}, 0}}
	n := len(out)
	for _, s := range steps {
		if !slices.Contains(out[:n], s) {
			out = append(out, s)
		}
	}
	return out
}

// postponed are the steps of a plan with those after n that reckon with noise put off until the
// exact ones have had two stages.
func postponed(steps []step, n int) []step {
	out := append([]step(nil), steps[:n+1]...)
	var noisy, last []step
	for _, s := range steps[n+1:] {
		switch {
		case s.stage == 2:
			last = append(last, s)
		case s.noisy:
			noisy = append(noisy, s)
		default:
			out = append(out, s)
		}
	}
	return append(append(out, noisy...), last...)
}

func (s *Search) run(ctx context.Context, p *dataset.Problem, emit func(expr.Tree) bool) {
	works := map[mode]*work{}
	few := len(p.Target.Values) < 40
	wide := irrelevant(p)
	var rest reduction
	reducible := false
	depth := len(stages)
	if s.Stages > 0 {
		depth = min(depth, s.Stages)
	}
	settled := false
	steps := plan
	for n := 0; n < len(steps); n++ {
		step := steps[n]
		m, st := step.mode, stages[max(step.stage, 0)]
		switch {
		case ctx.Err() != nil:
			return
		case step.stage >= depth, few && step.stage > 0,
			step.stage == beside && !m.reduced && m.units != p.Units,
			step.stage <= terms && (few || s.Pool > 0),
			(step.stage == beside || m.wide) && (p.Noise > 0 || settled || len(p.Target.Values) < fewest),
			m.units && !p.Units, m.reduced && m.units != p.Units,
			!m.noisy && !m.grid && p.Noise > 0 && !m.reduced && !step.swings(),
			m.noisy && p.Noise == 0:
			continue
		}
		if n > 0 && p.Settled != nil && p.Noise != 0 {
			settled = p.Settled()
		}
		curve := m == mode{grid: true} && len(p.Vars) == 1 // what decays or saturates has many lookalikes
		if step.swings() && (settled || rest.clean) {
			continue
		}
		if settled && !curve && (m.grid && p.Units || m.units != p.Units || step.stage > 1) {
			continue // noise is left: deeper search has little to say
		}
		w, known := works[m]
		if !known {
			if m.reduced && rest.p == nil {
				s.tell("symmetries")
				rest, reducible = reduce(ctx, p, wide)
				if rest.clean {
					steps = postponed(steps, n)
				}
			}
			if m.reduced && !reducible {
				works[m] = nil
				continue
			}
			w = s.work(ctx, p, wide, rest, m, emit)
			works[m] = w
		}
		if w == nil {
			if m.units && step.stage == first {
				steps = append(steps[:n+1:n+1], unbound(steps[n+1:])...)
			}
			continue
		}
		if step.stage == first {
			if w.look() {
				return
			}
			continue
		}
		if step.stage <= terms {
			if w.terms(ctx, terms-step.stage) {
				return
			}
			continue
		}
		if step.swings() {
			if w.waves(ctx, step.stage == ripples) {
				return
			}
			continue
		}
		if s.Pool > 0 {
			st.pool, st.products, st.sums, st.pairs = min(st.pool, s.Pool), min(st.products, s.Pool), min(st.sums, s.Pool), min(st.pairs, s.Pool)
		}
		if few {
			st.pool = min(st.pool, 6000) // more would find a law in any rows so few
		}
		if settled && step.stage > 0 {
			if m.reduced {
				continue
			}
			st.outer = st.outer[:1]
		}
		if m.wide {
			if w.wideLaws(ctx) {
				return
			}
			continue
		}
		if step.stage == beside {
			if w.offsets(ctx) {
				return
			}
			continue
		}
		if w.round(ctx, st) {
			return
		}
	}
}

// work prepares one way of looking; nil when there is nothing to look at or the target's dimension
// cannot be had.
func (s *Search) work(ctx context.Context, p *dataset.Problem, drop map[int]bool, rest reduction, m mode, emit func(expr.Tree) bool) *work {
	points := 64
	switch {
	case m.grid:
		points = 160
	case m.noisy && m.units:
		points = 400
	case m.noisy:
		points = 256
	case m.wide:
		points = widePoints
	}
	w := &work{Search: s, ctx: ctx, noisy: m.noisy || m.grid && p.Noise != 0, freed: m.grid, yield: emit, allowed: p.AllowsOp}
	if m.reduced {
		drop = rest.drop
		w.yield = func(t expr.Tree) bool { return emit(rest.whole(t)) }
		m.units = rest.p.Units
		p = rest.p
	}
	w.s = newSpace(p, points, m.units, drop)
	if w.s.points() < 3 || len(w.s.x) == 0 {
		return nil
	}
	var ok bool
	if w.origin, ok = w.s.lat.origin(w.s.dims, w.s.tdim, m.units); !ok {
		return nil
	}
	w.p = newPool(w.s, w.allowed, m.grid)
	w.p.lean = m.wide
	return w
}

// look offers the simplest laws: a constant, a product of powers, a linear function. It tells
// whether the second is exact; an exact linear function may have terms that only say that there is
// nothing of them.
func (w *work) look() (exact bool) {
	w.tell("simplest laws")
	c := &builder{s: w.s, p: w.p}
	if !w.s.units || w.s.tdim.IsZero() {
		w.yield(c.free(median(w.s.y)))
	}
	if j, ok := w.productJoin(identity, 0); ok {
		exact = w.offer(j, identity, combo{nil, 0, 1}, w.product)
	}
	var cols [][]float64
	var of []expr.Tree
	if !w.s.units || w.s.tdim.IsZero() {
		cols, of = append(cols, ones(w.s.points())), append(of, oneTree)
	}
	for i, x := range w.s.x {
		if !w.s.units || w.s.dims[i] == w.s.tdim {
			cols, of = append(cols, x), append(of, expr.X(w.s.keep[i]))
		}
	}
	coef, _, ok := leastSquares(cols, w.s.y)
	if exact || !ok {
		return exact
	}
	b := &builder{s: w.s, p: w.p}
	var t expr.Tree
	for i, k := range coef {
		if part := mul(b.free(k), of[i]); t.Len() == 0 {
			t = part
		} else {
			t = expr.Apply(expr.Add, t, part)
		}
	}
	w.yield(t)
	return false
}

// round runs one stage and reports whether an exact law was found.
func (w *work) round(ctx context.Context, st stage) (exact bool) {
	w.stage = st
	if w.noisy {
		w.stage.pool = min(st.pool, 12000)
	}
	w.tell("enumeration")
	w.p.grow(ctx, w.stage.pool, st.maxCost)
	hit := false
	for i, h := range st.outer {
		if !w.admits(h) {
			continue
		}
		if h.half != 0 {
			if _, ok := w.s.lat.origin(w.s.dims, h.dim(w.s.tdim), w.s.units); !ok {
				continue
			}
		}
		if h.half == 2 || h.shifted && h.name != exponential.name {
			w.tell("products " + h.name)
			hit = w.products(ctx, h, w.size(st.products)) || hit
		}
		if ctx.Err() != nil {
			return hit
		}
		if h.name != minusOne.name && h.name != plusOne.name {
			w.tell("sums " + h.name)
			hit = w.sums(ctx, h, w.size(st.sums), false) || hit
		}
		if hit || ctx.Err() != nil {
			return hit
		}
		if i == 0 || h.half == 4 || h.name == logarithm.name {
			w.tell("ratios " + h.name)
			hit = w.sums(ctx, h, w.size(st.sums)/2, true) || hit
		}
		if hit || ctx.Err() != nil {
			return hit
		}
	}
	return hit
}

// size is the number of features that a join of noisy data gets: with more points a pair costs
// more.
func (w *work) size(n int) int {
	if w.noisy || w.freed {
		return min(n, 6000)
	}
	return n
}

func (w *work) tell(name string) {
	if w.noisy {
		name += " (noise)"
	}
	if !w.s.units && w.s.prob.Units {
		name += " (free units)"
	}
	w.Search.tell(name)
}

func (s *Search) tell(name string) {
	if s.Stage != nil {
		s.Stage(name)
	}
}

// writer turns a combination into trees.
type writer func(j *join, h transform, c combo) []expr.Tree

// eps is the relative error below which a law counts as exact here; the engine judges again on all
// rows.
const eps = 1e-9

// looseEps is the same for products with many free exponents and rates, which come near to anything
// smooth.
const looseEps = 1e-12

// maxTight is how many free constants a product may have that is no such fit.
const maxTight = 3

// offer yields the combination's trees and reports whether one of them is exact.
func (w *work) offer(j *join, h transform, c combo, write writer) (exact bool) {
	near, nearer := j.exact(c, eps), j.exact(c, looseEps)
	for _, t := range write(j, h, c) {
		if !w.yield(t) {
			break
		}
		exact = exact || near && (nearer || !j.factors || t.NumParams() <= maxTight) && w.holds(t)
	}
	return exact
}

// holds reports whether a tree gives the target at the points. A join is blind to coefficients that
// vanish, and so takes identities between its features for laws.
func (w *work) holds(t expr.Tree) bool {
	v := make([]float64, w.s.points())
	expr.Compile(t).Eval(v, w.columns(), t.Params())
	e, s := 0.0, 0.0
	for i, y := range w.s.y {
		e += (y - v[i]) * (y - v[i])
		s += y * y
	}
	return e <= 1e-14*s
}

// tiers asks the join for one, two, three and more features, cheap ones first, and offers the
// answers. It stops at the first tier with an exact law.
func (w *work) tiers(ctx context.Context, j *join, h transform, write writer) bool {
	st := w.stage
	var good, together []combo
	for _, tier := range []func() []combo{
		func() []combo { return j.singles(min(st.keep, 100)) },
		func() []combo {
			if w.noisy {
				return j.pairs(ctx, densePairs, st.keep/4)
			}
			return j.pairsInDouble(densePairs, st.keep/4)
		},
		func() []combo {
			if !w.noisy {
				together = j.sparse()
			}
			if len(together) > 0 && len(together[0].feats) > fewTerms {
				return nil // three longer terms may be shorter
			}
			return together
		},
		func() []combo {
			if w.noisy {
				return nil
			}
			return j.triplesInDouble(denseTriples, st.keep/4)
		},
		func() []combo { return together },
		func() []combo {
			if w.noisy {
				return nil
			}
			return j.rectInDouble(st.keep / 4)
		},
		func() []combo { return j.pairs(ctx, st.pairs, st.keep) },
		func() []combo { return j.triples(ctx, st.triples, st.keep/2) },
		func() []combo { return j.rect(ctx, st.rect, st.keep) },
		func() []combo { return j.extend(ctx, head(good, st.extend), st.extend) },
		func() []combo { return j.extend(ctx, head(good, st.extend/2), st.extend) },
		func() []combo { return j.extend(ctx, head(good, st.extend/3), st.extend) },
	} {
		if ctx.Err() != nil {
			return false
		}
		cs := tier()
		hit := false
		for _, c := range head(w.exactOnes(j, cs), 12) {
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
		good = mergeCombos(good, cs, 2*st.extend)
	}
	return false
}

// exactOnes are the exact combinations among cs, cheapest first.
func (w *work) exactOnes(j *join, cs []combo) []combo {
	var hits []combo
	for _, c := range cs {
		if j.exact(c, eps) && j.hasTerm(c) {
			hits = append(hits, c)
		}
	}
	sort.SliceStable(hits, func(a, b int) bool { return j.cost(hits[a]) < j.cost(hits[b]) })
	return hits
}

// worth picks the combinations to be fitted: those of least description length, residuals and cost
// together. Of noisy data only such as come near the least residual seen in any join, for all joins
// weigh errors of the target alike.
func (w *work) worth(j *join, cs []combo) []combo {
	few := 6
	switch {
	case w.freed:
		few = 60
	case w.noisy:
		few = 80
	}
	points := float64(w.s.points())
	score := func(c combo) float64 { return points/2*math.Log2(c.miss+1e-14) + 3*float64(j.cost(c)) }
	sorted := slices.Clone(cs)
	slices.SortStableFunc(sorted, func(a, b combo) int { return cmp.Compare(score(a), score(b)) })
	near := sorted
	if w.noisy {
		margin := math.Exp2(2 * 40 / points)
		if w.freed {
			margin *= 3
		}
		for _, c := range cs {
			if rss := c.miss * j.tnorm * j.tnorm; len(c.feats) <= 2 && (w.floor == 0 || rss < w.floor) {
				w.floor = rss
			}
		}
		near = slices.DeleteFunc(slices.Clone(sorted), func(c combo) bool { return c.miss*j.tnorm*j.tnorm > margin*w.floor })
	}
	if w.freed && len(near) < min(len(cs), freeSingles) && len(cs[0].feats) == 1 {
		return head(sorted, freeSingles)
	}
	return head(near, few)
}

// freeSingles is how many single functions are offered however far from the target they are before
// their inner constant is fitted.
const freeSingles = 3

// cost of a combination's features.
func (j *join) cost(c combo) int {
	n := 0
	for _, f := range c.feats {
		n += j.feats[f].cost + 1
	}
	return n
}

// hasTerm reports whether a combination is more than shares of the target itself.
func (j *join) hasTerm(c combo) bool {
	if len(j.base) > 0 {
		return true
	}
	for _, f := range c.feats {
		if j.feats[f].role != asShare {
			return true
		}
	}
	return false
}

func head(cs []combo, n int) []combo { return cs[:min(n, len(cs))] }

// mergeCombos keeps the n best of both lists.
func mergeCombos(a, b []combo, n int) []combo {
	m := append(append([]combo(nil), a...), b...)
	sort.SliceStable(m, func(i, j int) bool { return m[i].miss < m[j].miss })
	return head(m, n)
}
