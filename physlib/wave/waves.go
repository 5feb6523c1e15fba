// Package wave finds laws that oscillate along one, two or three coordinates at once.
//
// The fit of an oscillation whose frequency is slightly wrong is no better than chance. So neither
// a search over expressions (package search) nor a fit from random starting values finds
// oscillations, but a periodogram does. The peaks of the periodogram are fitted and written as an
// oscillation, a running or standing wave, or a sum of these ([Laws]):
//
//	a + b·x + A·cos(ωu + φ)    A·sin(ku - ωv + φ)    A·cos(ku + φ)·cos(ωv + ψ)
//
// Here u and v are coordinates, such as position and time, and x is a variable. The amplitude A may
// grow, decay or be a power of a variable.
package wave

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/periodogram"
)

const (
	leastWave  = 20   // least number of rows
	lineSteps  = 1024 // largest number of frequencies along a variable
	otherSteps = 256  // largest number of frequencies along a function of variables, such as 1/x
	// A function whose correlation with a variable exceeds this gets no axis.
	mostAlike = 0.9995
	// With more variables, functions of variables get no axes, and no linear function is added.
	mostAlone = 4
	// Largest number of frequencies along each of two axes. There are fewer if there are many
	// pairs.
	planeSteps = 512
	planeWork  = 600_000_000 // largest number of multiplications for the periodograms of all pairs
	// Largest number of multiplications for the periodogram along three variables.
	volumeWork = 300_000_000
	// Largest number of varying variables of a smooth target; with more, no waves are sought.
	mostSmooth    = 2
	mostPaired    = 8    // largest number of variables of which pairs are tried
	mostAmplitude = 10   // largest amplitude of a wave, in standard deviations of the target
	mostWaves     = 3    // largest number of waves in a sum
	triedPeaks    = 4    // number of the highest peaks of each periodogram that are fitted
	exactWave     = 1e-9 // relative error below which a law is exact
	// Relative error below which the residual is at rounding level, so that no further wave is
	// sought.
	fineWave      = 3e-5
	waveBits      = 12 // least number of bits that a wave, a linear term or an envelope must save
	mostEnvelopes = 2  // largest number of envelopes that multiply a wave
	// For each wave, the number of forms that are offered. Also the number of envelopes that are
	// offered for each number of factors.
	mostOffered = 2
)

// Problem is a target at the sampled rows.
type Problem struct {
	X       [][]float64 // the variables
	Y       []float64   // the target
	Weights []float64   // weights of the squared residuals; nil: all equal
	Allowed func(expr.Op) bool
}

// Law is a sum of waves, possibly with a linear function, that was fitted to a problem.
type Law struct {
	Tree  expr.Tree // with fitted constants
	Exact bool      // the residual is at rounding level
}

// finder looks for waves in the rows of a problem.
type finder struct {
	Problem
	yield  func(Law) bool
	power  float64 // the weighted sum of squares of y
	base   []int   // variables of the linear function that is added to the waves
	axes   []axis
	groups [][]int // pairs and triples of axes along which waves are searched for
	steps  int     // largest number of frequencies along each axis of a pair
	volume int     // largest number of frequencies along each of three axes
	tested int     // number of combinations of frequencies in all periodograms
	fitter fit.Fitter
}

// component is one wave: Σ coef·(cos|sin)(ωu)·(cos|sin)(ωv)…, where u, v, … are the coordinates of
// its axes. Along one axis it has two terms (cos and sin), along two axes four (cos·cos, cos·sin,
// …), and along three axes eight.
type component struct {
	axes  []int
	omega []float64
	coef  []float64
	fixed bool // the frequencies are not fitted together with the coefficients
	how   form // form in which the wave is written; nil: not chosen yet
}

// Laws yields sums of waves and a linear function until one of these laws is exact. Sums of fewer
// waves come first. If the parameter smooth is true, it yields laws only for a smooth target,
// otherwise only for a target that is not smooth. A target is smooth if a quadratic function of the
// variables explains most of it.
func Laws(ctx context.Context, p Problem, smooth bool) iter.Seq[Law] {
	return func(yield func(Law) bool) {
		s := newFinder(p, smooth)
		if s == nil {
			return
		}
		stopped := false
		s.yield = func(l Law) bool {
			stopped = stopped || !yield(l)
			return !stopped
		}
		none := superposition{fit: s.linear(nil)}
		if !none.fit.failed() && !s.chain(ctx, none, s.lines) && !stopped {
			s.chain(ctx, none, s.planes)
		}
	}
}

// chain adds one wave at a time and offers the resulting laws, until one is exact or no further
// wave is found. The parameter kind, which is lines or planes, finds the peaks. chain reports
// whether a law is exact.
func (s *finder) chain(ctx context.Context, known superposition, kind func(ctx context.Context, left []float64) [][]peak) (exact bool) {
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
		if known = next[0]; s.chirp(known.waves[turn]) {
			return false
		}
	}
	return false
}

// next returns extensions of known by one wave, the best first. There is one for each list of peaks
// that kind finds in the residual of known: the extension by the peak whose wave fits best. Peaks
// that could be chance are left out.
func (s *finder) next(ctx context.Context, known superposition, kind func(ctx context.Context, left []float64) [][]peak) (all []superposition) {
	chance := min(periodogram.Chance(s.tested, len(s.Y)), 0.9)
	for _, list := range kind(ctx, s.residuals(known.fit)) {
		slices.SortStableFunc(list, func(a, b peak) int { return cmp.Compare(b.Share, a.Share) })
		best := superposition{fit: trial{bits: known.fit.bits - waveBits}}
		for _, p := range list[:min(triedPeaks, len(list))] {
			if p.Share < chance/2 || ctx.Err() != nil {
				continue
			}
			waves := append(slices.Clone(known.waves), component{axes: p.axes, omega: p.Omega[:len(p.axes)], coef: make([]float64, 1<<len(p.axes))})
			f := s.linear(waves)
			if f.failed() {
				continue
			}
			if all := s.read(waves, f); !s.oscillates(all[len(all)-1]) {
				// With a free frequency, a slow wave could approach a polynomial.
				waves[len(waves)-1].fixed = true
				f = s.linear(waves)
			}
			if f.bits < best.fit.bits && f.rss < known.fit.rss*(1-chance) {
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

// superposition is a sum of waves, with the fit of the sum plus a linear function.
type superposition struct {
	waves []component
	fit   trial
}

// chirp reports whether the frequency of a wave rises along a variable. Such a wave has two axes: a
// variable and its square.
func (s *finder) chirp(w component) bool {
	return len(w.axes) == 2 && s.axes[w.axes[1]].tree.Root() != expr.Var
}

// offer yields a fitted law if the law still oscillates. It reports whether such a law is exact.
// The check is needed since a slow cosine of large amplitude may approach a polynomial, and other
// parts of the search find polynomials.
func (s *finder) offer(f trial) (exact bool) {
	exact = f.rss <= exactWave*exactWave*s.power
	return s.keepsWaves(f.tree) && s.yield(Law{f.tree, exact}) && exact
}

// offerWaves writes the last of the waves in each form. It offers the best laws, with and without a
// linear term in a variable of the base. It returns the waves of these laws, and whether one of the
// laws is exact.
func (s *finder) offerWaves(waves []component) (best [][]component, exact bool) {
	type written struct {
		waves []component
		trial
	}
	var all []written
	last := len(waves) - 1
	ways := forms[len(waves[last].axes)]
	if s.chirp(waves[last]) {
		ways = ways[:2] // only the running waves
	}
	for _, h := range ways {
		some := slices.Clone(waves)
		some[last].how = h
		if f := s.fit(s.law(some, nil, nil)); !f.failed() {
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
			if f := s.fit(s.law(w.waves, []int{v}, nil)); f.bits < w.bits-waveBits && s.offer(f) {
				return best, true
			}
		}
	}
	return best, false
}
