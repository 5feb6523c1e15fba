package wave

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// Laws that swing many times over the table. There a sine of a frequency that is a little wrong is
// as far from the target as chance, so that neither joins nor fits from random starts find it. A
// periodogram does, along one coordinate or two or three at once, and what it finds is written as
// an oscillation, a running or standing wave, or a sum of these:
//
//	a + b·x + A·cos(ωu + φ)    A·sin(ku - ωv + φ)    A·cos(ku + φ)·cos(ωv + ψ)
//
// with an amplitude that may grow, decay or be a power of a variable.

const (
	leastWave     = 20          // fewest
	lineSteps     = 1024        // frequencies along a variable
	otherSteps    = 256         // and along another coordinate, such as 1/x
	mostAlike     = 0.9995      // correlation of another coordinate with its variable
	mostAlone     = 4           // variables up to which other coordinates are asked
	planeSteps    = 512         // frequencies along each of two variables, fewer where there are many pairs
	planeWork     = 600_000_000 // products of numbers for all pairs
	volumeWork    = 300_000_000 // and for three at once, where there are no more
	mostSmooth    = 2           // variables up to which waves are asked for beside what is smooth
	mostPaired    = 8           // variables up to which pairs are asked
	mostAmplitude = 10          // of a wave, in standard deviations of the target
	mostWaves     = 3           // in a sum
	triedPeaks    = 4           // fitted, of those along one axis, two and three
	exactWave     = 1e-9        // relative error below which a law is exact
	fineWave      = 3e-5        // relative error below which no further wave is asked for: what is left is rounding
	waveBits      = 12          // what a wave or an envelope must save to be offered
	mostDecay     = 2           // envelopes that multiply a wave
	mostOffered   = 2           // envelopes that are offered in each turn
)

// Problem is a target at a sample of rows.
type Problem struct {
	X       [][]float64 // the variables
	Y       []float64   // the target
	Weights []float64   // of the squared residuals; nil: all equal
	Vars    []int       // the number of each of x in the laws
	Allowed func(expr.Op) bool
}

// Law is a law that was found.
type Law struct {
	Tree  expr.Tree // its constants start where they were fitted
	Exact bool      // nothing but rounding is left
}

// swings looks for waves in the rows of a problem.
type swings struct {
	Problem
	yield  func(Law) bool
	power  float64 // the weighted sum of squares of y
	base   []int   // of x, for the linear function beside the waves
	axes   []axis
	groups [][]int // pairs of axes, and three
	steps  int     // most along an axis of a pair
	volume int     // and of three
	asked  int     // frequencies and pairs of them in all
	fitter fit.Fitter
}

// swing is one wave: Σ coef·(cos|sin)(ωu)·(cos|sin)(ωv)…, of one axis two terms (cos, sin), of two
// axes four (cc, cs, sc, ss), of three eight.
type swing struct {
	axes  []int
	omega []float64
	coef  []float64
	fixed bool    // the frequencies are not fitted together with the coefficients
	how   writing // once it is chosen
}

// Laws yields sums of waves, better ones later, until one is exact. A target is smooth if a
// quadratic function of the variables explains most of it; there are none of one that is smooth
// unless that was asked for, and none of one that is not if it was.
func Laws(ctx context.Context, p Problem, smooth bool) iter.Seq[Law] {
	return func(yield func(Law) bool) {
		s := newSwings(p, smooth)
		if s == nil {
			return
		}
		stopped := false
		s.yield = func(l Law) bool {
			l.Tree = renumbered(l.Tree, p.Vars)
			stopped = stopped || !yield(l)
			return !stopped
		}
		none := superposition{fit: s.linear(nil)}
		if none.fit.tree.Len() > 0 && !s.chain(ctx, none, s.lines) && !stopped {
			s.chain(ctx, none, s.planes)
		}
	}
}

// renumbered returns t with vars[i] in the place of variable i.
func renumbered(t expr.Tree, vars []int) expr.Tree {
	nodes := slices.Clone(t.Nodes())
	for k, n := range nodes {
		if n.Op == expr.Var {
			nodes[k] = expr.X(vars[n.Index]).Nodes()[0]
		}
	}
	t, _ = expr.FromNodes(nodes)
	return t
}

// chain offers sums of waves of a kind, each added to those before, and reports whether one of them
// is exact.
func (s *swings) chain(ctx context.Context, known superposition, kind func(ctx context.Context, left []float64) [][]crest) (exact bool) {
	for turn := range mostWaves {
		if ctx.Err() != nil || known.fit.rss <= fineWave*fineWave*s.power {
			return false
		}
		next := s.next(ctx, known, kind)
		if len(next) == 0 {
			return false
		}
		for i := range next {
			best, exact := s.offerWaves(next[i].waves)
			if exact || turn == 0 && s.envelopes(ctx, best) {
				return true
			}
			if len(best) > 0 {
				next[i].waves = best[0]
			}
		}
		if known = next[0]; s.sweeps(known.waves[turn]) {
			return false
		}
	}
	return false
}

// next adds to the waves known the one of a kind that explains most of what these leave, of each
// list of peaks; better first, none where it could be chance.
func (s *swings) next(ctx context.Context, known superposition, kind func(ctx context.Context, left []float64) [][]crest) (all []superposition) {
	chance := min(Chance(s.asked, len(s.Y)), 0.9)
	for _, list := range kind(ctx, s.residuals(known.fit)) {
		slices.SortStableFunc(list, func(a, b crest) int { return cmp.Compare(b.Share, a.Share) })
		best := superposition{fit: trial{bits: known.fit.bits - waveBits}}
		for _, p := range list[:min(triedPeaks, len(list))] {
			if p.Share < chance/2 || ctx.Err() != nil {
				continue
			}
			waves := append(slices.Clone(known.waves), swing{axes: p.axes, omega: p.Omega[:len(p.axes)], coef: make([]float64, 1<<len(p.axes))})
			f := s.linear(waves)
			if f.tree.Len() == 0 {
				continue
			}
			if all := s.read(waves, f); !s.swing(all[len(all)-1]) {
				waves[len(waves)-1].fixed = true // a slow one may approach a polynomial
				f = s.linear(waves)
			}
			if f.tree.Len() > 0 && f.bits < best.fit.bits && f.rss < known.fit.rss*(1-chance) {
				best = superposition{s.read(waves, f), f}
			}
		}
		if best.waves != nil {
			all = append(all, best)
		}
	}
	slices.SortStableFunc(all, func(a, b superposition) int { return cmp.Compare(a.fit.bits, b.fit.bits) })
	return all
}

// superposition is waves and how well they fit beside a linear function.
type superposition struct {
	waves []swing
	fit   trial
}

// sweeps reports whether a wave's frequency rises: one axis is the square of the other.
func (s *swings) sweeps(w swing) bool {
	return len(w.axes) == 2 && s.axes[w.axes[1]].tree.Root() != expr.Var
}

// offer offers a fitted law that still oscillates and reports whether it is exact. The limit of a
// slow cosine of a large amplitude is a polynomial, which other parts write as one.
func (s *swings) offer(f trial) (exact bool) {
	exact = f.rss <= exactWave*exactWave*s.power
	return s.oscillates(f.tree) && s.yield(Law{f.tree, exact}) && exact
}

// offerWaves offers the best writings of the last of the waves together with the others, each with and
// without a linear function, and returns them.
func (s *swings) offerWaves(waves []swing) (best [][]swing, exact bool) {
	type written struct {
		waves []swing
		trial
	}
	var all []written
	last := len(waves) - 1
	ways := writings[len(waves[last].axes)]
	if s.sweeps(waves[last]) {
		ways = ways[:2] // those that run
	}
	for _, h := range ways {
		some := slices.Clone(waves)
		some[last].how = h
		if f, ok := s.fit(s.law(some, nil, nil)); ok {
			all = append(all, written{some, f})
		}
	}
	slices.SortStableFunc(all, func(a, b written) int { return cmp.Compare(a.bits, b.bits) })
	for _, w := range all[:min(mostOffered, len(all))] {
		best = append(best, w.waves)
		if s.offer(w.trial) {
			return best, true
		}
		for _, v := range s.base {
			if f, ok := s.fit(s.law(w.waves, []int{v}, nil)); ok && f.bits < w.bits-waveBits && s.offer(f) {
				return best, true
			}
		}
	}
	return best, false
}
