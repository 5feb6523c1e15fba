package motion

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
	"github.com/physlib/lab/physlib/law"
)

// Factors that multiply the probability of a law. The probability is lower if the residuals exceed
// the noise, are autocorrelated, or correlate with a further term. It is lower if the search was
// cut short, for each constant of the law, and for constants with large errors. It is lower for a
// constant inside a function, because under noise another function often fits as well.
//
// The factors for residuals above the noise and for autocorrelated residuals were calibrated at a
// relative noise of 0.01. The laws were those of the suites motion-more, motion and strogatz, 39
// laws of motion-held-out, and laws made for that purpose. The other factors were fitted to 117
// laws at this noise: 83 laws of 43 random systems and 34 laws of the suite motion. They concern
// the distance to the nearest rival, a further term, large errors, a constant inside a function,
// and a search cut short. Of these 117 laws, 70 are right. The fit lowered their mean logarithmic
// loss from 0.48 to 0.41.
//
// Some counts show the effect of single factors. No law that lacked a term of more than
// farMissingBits was right. Of 11 laws that lacked a term of more than missingBits, 3 were right;
// these counts ignore missingChance. Of 22 laws of the random systems with an error above
// uncertainError, 2 were right. The distance to the rival has little weight, since the prices of
// forms are uncertain by several bits, and so are description lengths.

// Residuals.
const (
	aboveNoise       = 1.3  // ratio of residual to noise above which residuals are too large
	farAboveNoise    = 2    // ratio of residual to noise above which a term is missing
	aboveFactor      = 0.3  // factor for residuals above aboveNoise
	farAboveFactor   = 0.05 // factor for residuals above farAboveNoise
	correlatedFactor = 0.4  // factor for autocorrelated residuals
	cutFactor        = 0.7  // factor for a search cut short
)

// Missing terms.
const (
	// Number of bits by which a further term may shorten the description of the residuals by
	// chance.
	missingBits    = 8.5
	farMissingBits = 13 // number of bits above which a term is very unlikely to help by chance
	// A term counts as missing if by chance alone at most this many terms are expected to save as
	// many bits.
	missingChance     = 0.05
	farMissingChance  = 1e-3 // as missingChance, but for a term that is missing almost certainly
	missingTermFactor = 0.5  // factor if missingBits and missingChance indicate a missing term
	farMissingFactor  = 0.2  // factor if farMissingBits and farMissingChance indicate a missing term
)

// Constants of the law.
const (
	curvedFactor = 0.45 // factor for a constant inside a function
	// curvedFactor does not apply if the next law is at least this many bits away
	curvedMargin    = 50
	constantFactor  = 0.97 // factor for each constant
	uncertainFactor = 0.4  // factor for a constant whose relative error exceeds uncertainError
	uncertainError  = 0.05 // largest relative standard error without uncertainFactor
	// Factor for a law with at least manyConstants constants. Without noise, a sum of so many terms
	// can describe the rates to many digits and still be no more than an approximation. The largest
	// law of the suites motion and motion-held-out has five constants. The factor is a guess.
	manyFactor    = 0.3
	manyConstants = 8
)

// Rivals, and other laws that describe the data as well.
const (
	// Distance in bits of the nearest rival at which the odds of the law are even. The distance is
	// above 0, since there may be further rivals.
	evenOddsBits  = 5
	rivalScale    = 3   // additional distance in bits that doubles the odds
	farBits       = 100 // distance in bits of the nearest rival from which the verdict does not name it
	alignedFactor = 0.5 // factor if a function of other columns may replace a column
	// A function that replaces a column counts as equally good if it lengthens the description of
	// the residuals by at most this many bits.
	alignedBits = 10
	poleFactor  = 0.8 // factor for a quotient of columns far from its pole
	// Factor for the only state if it only rises or only falls in the only run. It is a guess: two
	// such runs with a hidden state had laws of 93 %.
	oneSidedFactor = 0.75
	reversal       = 5 // least change back, in standard errors, of a state that rises and falls
)

// Calibration.
const (
	// The factors are not independent, so that their product is too small. The log-odds of a law
	// are those of the product times oddsScale plus oddsBase. Both come from a logistic regression
	// on 248 laws of the suites motion, motion-held-out and strogatz, with noise of 0 to 0.03. On
	// 97 laws of other systems, the mean probability rose from 0.74 to 0.87, and 88 % were right.
	oddsScale = 1.13
	oddsBase  = 2.1
	// A law is called likely only if the product is at least leastProduct. Of the 43 laws with a
	// product from a half to leastProduct, four were wrong; of the 242 above, one.
	leastProduct = 0.8
)

// nothing reports whether the law of equation k in the system f is useless: its rate is zero, the
// mean of each run describes the measurements in fewer bits, or the state is a random walk.
func (sr *searcher) nothing(k int, f *Field, e Equation) bool {
	cols := sr.rateColumns(k)
	rate := valuesOn(e.Law.Tree, cols, e.Law.Params())
	if !slices.ContainsFunc(rate, func(v float64) bool { return v != 0 }) {
		return true
	}
	saved := float64(sr.tr.Rows()) * math.Log2(sr.spread(k)/e.Error)
	return !(saved > e.Law.Complexity) || sr.wanders(k, f, e)
}

// prefer replaces a chosen law by a law that scores better in the chosen system over the same
// windows. Such a law may have been dropped while the windows grew.
func (sr *searcher) prefer() {
	if sr.shot == nil {
		return
	}
	for k := range sr.numLaws() {
		if sr.best[k] == nil {
			continue
		}
		if list := sr.different(k, sr.scored(k)); len(list) > 0 && list[0].moreBits < 0 && list[0].c.shot.Lost == 0 {
			c := list[0].c
			sr.best[k], sr.shot, sr.total, sr.stable[k] = c, c.shot, c.joint, false
			sr.storeConstants()
		}
	}
}

// doubtful is the largest probability of a law that is called doubtful.
const doubtful = 0.3

// namedRivalBits is a distance in bits from the chosen law. Another law is reported as a rival if
// it is closer.
const namedRivalBits = 8

// evidence holds what the verdicts use.
type evidence struct {
	cut   bool           // whether the search was cut short
	shot  *trajectoryFit // fit of the system over its windows
	paths []traced       // integrated windows
	g     *tangent       // linearized system; nil: not needed, or unknown
	// RMS error of each measured state that has a known cause: the rounding of the table, or errors
	// of the inputs at the rows and between them.
	known []float64
}

// evidence returns the evidence for the verdicts on the chosen system. stopped says why the search
// ended.
func (sr *searcher) evidence(ctx context.Context, stopped discover.Stop) evidence {
	ev := sr.evidenceOf(ctx, sr.field(sr.trees()), sr.shot)
	ev.cut = stopped == discover.StopTime || stopped == discover.StopInterrupted
	return ev
}

// evidenceOf returns the evidence on the system f with the fit s over the chosen windows. The
// system is linearized only if a state is noisy and time is left.
func (sr *searcher) evidenceOf(ctx context.Context, f *Field, s *trajectoryFit) evidence {
	ev := evidence{shot: s, paths: sr.trace(f, s, sr.wins)}
	noisy := false
	for k, c := range sr.best {
		noisy = noisy || c != nil && sr.noisy(k)
	}
	if noisy && ctx.Err() == nil {
		ev.g = sr.newTangent(ctx, f, s, sr.wins)
	}
	ev.known = make([]float64, sr.d.numMeasured())
	var ofInputs [][]float64
	if sr.d.inputs > 0 {
		ofInputs = append(ofInputs, sr.inputErrors(ev.g, s, sr.d.betweenRows()), sr.inputErrors(ev.g, s, sr.roundedInputs()))
	}
	for k := range sr.numLaws() {
		ev.known[k] = sr.tr.rounding(k)
		for _, e := range ofInputs {
			if e != nil {
				ev.known[k] = math.Hypot(ev.known[k], e[k])
			}
		}
	}
	return ev
}

// without returns the evidence on equation k if the law of another state is wrong: the other states
// then have their measured values. It returns ev if all other laws follow their states, or if time
// is up.
func (sr *searcher) without(ctx context.Context, ev evidence, k int) evidence {
	wrong := false
	for j := range sr.numLaws() {
		wrong = wrong || j != k && sr.best[j] != nil && sr.shot.misfit(sr.d, j) > aboveNoise*sr.scatter(j)
	}
	if !wrong || ctx.Err() != nil {
		return ev
	}
	trees := sr.trees()
	for j := range trees {
		if j != k {
			trees[j] = expr.Tree{}
		}
	}
	f := sr.field(trees)
	s := sr.d.shoot(f, sr.wins, sr.tolerance(), shootSteps, nil, func(float64, int) bool { return ctx.Err() != nil })
	if s.Lost > 0 || !(s.misfit(sr.d, k) < ev.shot.misfit(sr.d, k)) {
		return ev
	}
	alone := sr.evidenceOf(ctx, f, s)
	alone.cut = ev.cut
	return alone
}

// setVerdict sets the probability, rivals and verdict of the law of equation k. constants is the
// number of fitted constants, including those that were equal and became one. The tests that take
// long stop when ctx ends.
func (sr *searcher) setVerdict(ctx context.Context, k int, e *Equation, constants int, ev evidence) {
	var why []string
	list := sr.rivalsOf(k)
	for _, r := range list {
		if r.moreBits < namedRivalBits && len(e.Rivals) < 3 {
			e.Rivals = append(e.Rivals, sr.rivalLaw(k, r))
		}
	}
	nearest := math.Inf(1)
	if len(list) > 0 {
		nearest = list[0].moreBits
		if nearest < farBits {
			why = append(why, fmt.Sprintf("the next different law is %.1f bits worse", nearest))
		}
	}
	e.Probability = probabilityByMargin(nearest) * math.Pow(constantFactor, float64(constants))
	ev = sr.without(ctx, ev, k)
	objections := slices.Concat(sr.residualObjections(k, e, ev), sr.missingObjections(ctx, k, ev),
		sr.formObjections(ctx, k, e, nearest))
	for _, d := range objections {
		e.Probability *= d.factor
		why = append(why, d.why)
	}
	if ev.cut && !sr.stable[k] {
		e.Probability *= cutFactor
		why = append(why, "the search was not finished")
	}
	e.Probability = min(calibrated(e.Probability), discover.ProbabilityCap(nearest))
	e.Verdict = discover.Confidence(e.Probability, doubtful)
	if len(why) > 0 {
		e.Verdict += ": " + strings.Join(why, "; ")
	}
}

// probabilityByMargin returns the probability of a law if the description of its nearest rival is
// longer by moreBits bits.
func probabilityByMargin(moreBits float64) float64 {
	return discover.MostSure / (1 + math.Exp2((evenOddsBits-moreBits)/rivalScale))
}

// calibrated returns the probability of a law from the product of its factors.
func calibrated(product float64) float64 {
	most := discover.MostSure
	if product < leastProduct {
		most = discover.LikelyThreshold
	}
	odds := oddsBase + oddsScale*math.Log(product/(1-product))
	return min(1/(1+math.Exp(-odds)), most)
}

// rivalLaw returns a rival of equation k with its constants.
func (sr *searcher) rivalLaw(k int, r rival) law.Law {
	n := r.c.tree.NumParams()
	l := r.c.law
	l.Tree, l.Vars, l.Score = r.c.tree, sr.names, r.c.joint
	if first := r.c.first; first+n <= len(r.c.shot.Params) {
		l.Tree = l.Tree.WithStarts(r.c.shot.Params[first : first+n])
		l.Constants = law.NewConstants(l.Tree.Params(), r.c.shot.StdErr[first:first+n])
	}
	l.NameConstants()
	l.RMSE = r.c.shot.misfit(sr.d, k)
	return l
}

// rival is another law of an equation. moreBits is the number of bits by which its description is
// longer than that of the chosen law.
type rival struct {
	c        *candidate
	moreBits float64
}

// rivalsOf returns the laws of equation k whose rates differ from those of the chosen law, best
// first. It considers the laws that were scored over the current windows. They were scored in the
// chosen system, or in a system with another law for one further equation.
func (sr *searcher) rivalsOf(k int) []rival {
	return sr.different(k, append(sr.scored(k), sr.twinsOf(k)...))
}

// scored returns the candidates of equation k that were scored in the chosen system over its
// windows.
func (sr *searcher) scored(k int) (out []*candidate) {
	others := sr.others(k)
	for _, c := range sr.pools[k].list {
		if c != sr.best[k] && c.shot != nil && c.windowLength == sr.windowLength && c.others == others {
			out = append(out, c)
		}
	}
	return out
}

// different returns those laws of list whose rates differ from the rates of the chosen law and from
// each other. It omits the chosen law with a further constant that hardly differs from zero. All
// laws of list belong to equation k. The best comes first.
func (sr *searcher) different(k int, list []*candidate) (out []rival) {
	cols := sr.rateColumns(k)
	rate := func(c *candidate, s *trajectoryFit, first int) []float64 {
		n := c.tree.NumParams()
		if first+n > len(s.Params) {
			return nil
		}
		return valuesOn(c.tree, cols, s.Params[first:first+n])
	}
	taken := [][]float64{rate(sr.best[k], sr.shot, sr.before(k))}
	slices.SortStableFunc(list, func(a, b *candidate) int { return compareScores(a.joint, b.joint) })
	for _, c := range list {
		if math.IsInf(c.joint, 0) || sr.withSpareConstant(k, c) {
			continue
		}
		y := rate(c, c.shot, c.first)
		if y == nil || slices.ContainsFunc(taken, func(o []float64) bool { return same(o, y) }) {
			continue
		}
		taken = append(taken, y)
		out = append(out, rival{c, c.joint - sr.total})
	}
	return out
}

// spareErrors is the number of standard errors up to which a further constant of a rival hardly
// differs from zero.
const spareErrors = 2

// withSpareConstant reports whether c has the form of the chosen law of equation k if a constant is
// left out that is at most spareErrors times as large as its error.
func (sr *searcher) withSpareConstant(k int, c *candidate) bool {
	n := c.tree.NumParams()
	if n <= sr.best[k].tree.NumParams() || c.first+n > len(c.shot.Params) {
		return false
	}
	form := skeleton.Hash(sr.best[k].tree.MergeParams())
	for i := range n {
		if !(math.Abs(c.shot.Params[c.first+i]) <= spareErrors*c.shot.StdErr[c.first+i]) {
			continue
		}
		if without, ok := withoutConstant(c.tree, i); ok && skeleton.Hash(without.MergeParams()) == form {
			return true
		}
	}
	return false
}

// same reports whether two laws have the same rates, within a thousandth of their size.
func same(a, b []float64) bool {
	var off, size float64
	for i := range a {
		if a[i]-a[i] == 0 {
			off += (a[i] - b[i]) * (a[i] - b[i])
			size += a[i] * a[i]
		}
	}
	return off <= 1e-6*size
}

// constantsBefore returns the number of constants in a system's equations before equation k.
func constantsBefore(system []*candidate, k int) (n int) {
	for _, c := range system[:k] {
		if c != nil {
			n += c.tree.NumParams()
		}
	}
	return n
}

// before returns the number of constants of the chosen laws before equation k.
func (sr *searcher) before(k int) int { return constantsBefore(sr.best, k) }
