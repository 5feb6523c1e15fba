package motion

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Factors of the probability of a law. Residuals lower it if they exceed the noise, are
// autocorrelated, or follow a further term. So do a search cut short, each constant, and constants
// with large errors. A constant inside a function lowers it, because under noise another function
// often fits as well.
//
// The first factors were calibrated at noise 0.01 on the suites motion-more, motion and strogatz,
// on 39 laws of motion-held-out, and on laws made for that purpose. The factors of the rival, of a
// further term, of large errors, of a constant inside and of a search cut short are fits. They use
// 117 laws at noise 0.01, 83 of 43 randomly drawn systems and 34 of the suite motion; 70 are right.
// The mean logarithmic loss of these laws fell from 0.48 to 0.41. No law was right that lacked a
// term of more than farMissingBits. Of 11 that lacked one of more than missingBits, 3 were right;
// missingChance was not yet applied. Of 22 laws of the drawn systems with an error above
// uncertainError, 2 were right. The distance to the rival has a small weight, since the prices of
// forms, and so description lengths, are uncertain by several bits.
const (
	aboveNoise       = 1.3  // ratio of residual to noise above which residuals are too large
	farAboveNoise    = 2    // ratio of residual to noise above which a term is missing
	aboveFactor      = 0.3  // factor if the ratio exceeds aboveNoise
	farAboveFactor   = 0.05 // factor if the ratio exceeds farAboveNoise
	correlatedFactor = 0.4  // factor for autocorrelated residuals
	cutFactor        = 0.7  // factor for a search cut short
	missingBits      = 8.5  // most bits that a further term may save in the residuals by chance
	farMissingBits   = 13   // bits above which chance is hardly the reason
	missingChance    = 0.05 // number of terms expected to save so much by chance, up to which one is missing
	farMissingChance = 1e-3 // expected number below which chance is hardly the reason
	missingFactor    = 0.5  // factor for a term above missingBits and up to missingChance
	farMissingFactor = 0.2  // factor for a term above farMissingBits and below farMissingChance
	curvedFactor     = 0.45 // factor for a constant inside a function
	curvedMargin     = 50   // distance of the next law, in bits, from which curvedFactor does not apply
	constantFactor   = 0.97 // factor for each constant
	uncertainFactor  = 0.4  // factor for a constant whose relative error exceeds uncertainError
	uncertainError   = 0.05 // largest relative standard error without this factor
	rivalBits        = 5    // bits by which the nearest rival counts as better, for further rivals
	rivalScale       = 3    // further bits of distance that double the odds against the nearest rival
	alignedFactor    = 0.5  // factor if other columns may stand in the place of one
	alignedBits      = 10   // bits by which the residuals may be longer if other columns are as good
	poleFactor       = 0.8  // factor for a quotient of columns far from its pole
	mostSure         = 0.99 // largest probability
)

// nothing reports whether equation k has no useful law. Its rate is zero, or the constant mean of
// each run describes the measurements in fewer bits.
func (sr *searcher) nothing(k int, e Equation) bool {
	cols := sr.rowsOf(k)
	rate := make([]float64, len(cols[0]))
	expr.Compile(e.Law.Tree).Eval(rate, cols, e.Law.Params())
	if !slices.ContainsFunc(rate, func(v float64) bool { return v != 0 }) {
		return true
	}
	var n, squares float64
	for _, r := range sr.d.runs {
		m := mean(r.x[k])
		for _, v := range r.x[k] {
			n++
			squares += (v - m) * (v - m)
		}
	}
	saved := n * math.Log2(math.Sqrt(squares/n)/e.Error)
	return !(saved > e.Law.Complexity)
}

// prefer chooses laws that scored better than the chosen ones in the same system over the same
// windows. They may have been dropped while the windows grew.
func (sr *searcher) prefer() {
	if sr.shot == nil {
		return
	}
	for k := range sr.laws() {
		if sr.best[k] == nil {
			continue
		}
		if list := sr.different(k, sr.scored(k)); len(list) > 0 && list[0].beyond < 0 && list[0].c.shot.Lost == 0 {
			c := list[0].c
			sr.best[k], sr.shot, sr.total, sr.stable[k] = c, c.shot, c.joint, false
			sr.storeConstants()
		}
	}
}

// named is the number of bits within which another law is reported as a rival.
const named = 8

// setVerdict sets the probability, rivals and verdict of the law of equation k. g is the linearized
// system, or nil if it is unknown. Objections that take long are raised until ctx ends.
func (sr *searcher) setVerdict(ctx context.Context, k int, e *Equation, res *Result, g *tangent) {
	var why []string
	list := sr.rivalsOf(k)
	for _, r := range list {
		if r.beyond < named && len(e.Rivals) < 3 {
			e.Rivals = append(e.Rivals, sr.rivalLaw(k, r))
		}
	}
	nearest := math.Inf(1)
	if len(list) > 0 {
		nearest = list[0].beyond
		why = append(why, fmt.Sprintf("the next different law is %.1f bits worse", nearest))
	}
	e.Probability = share(nearest) * math.Pow(constantFactor, float64(e.Law.Tree.NumParams()))
	objections := slices.Concat(sr.residualObjections(k, e), sr.missingObjections(ctx, k, g),
		sr.formObjections(ctx, k, e, nearest))
	for _, d := range objections {
		e.Probability *= d.factor
		why = append(why, d.why)
	}
	if cut := res.Stopped == "time" || res.Stopped == "interrupted"; cut && !sr.stable[k] {
		e.Probability *= cutFactor
		why = append(why, "the search was not at its end")
	}
	e.Verdict = fmt.Sprintf("%s, about %.0f %%", word(e.Probability), 100*e.Probability)
	if len(why) > 0 {
		e.Verdict += ": " + strings.Join(why, "; ")
	}
}

// share returns the probability of a law whose nearest rival is beyond bits worse.
func share(beyond float64) float64 { return mostSure / (1 + math.Exp2((rivalBits-beyond)/rivalScale)) }

// rivalLaw returns a rival of equation k with its constants.
func (sr *searcher) rivalLaw(k int, r rival) law.Law {
	n := r.c.tree.NumParams()
	l := r.c.law
	l.Tree, l.Vars, l.Score = r.c.tree, sr.names, r.c.joint
	if first := r.c.first; first+n <= len(r.c.shot.Params) {
		l.Tree = l.Tree.WithStarts(r.c.shot.Params[first : first+n])
		l.Constants = law.Named(l.Tree.Params(), r.c.shot.StdErr[first:first+n])
	}
	l.NameConstants()
	l.RMSE = r.c.shot.misfit(sr.d, k)
	return l
}

// rival is another law of an equation and its description length in bits above the chosen one.
type rival struct {
	c      *candidate
	beyond float64
}

// rivalsOf returns the laws of equation k with other rates than the chosen one, best first. They
// were scored over the same windows in the same system, or in one with another law of one further
// equation.
func (sr *searcher) rivalsOf(k int) []rival {
	return sr.different(k, append(sr.scored(k), sr.twinsOf(k)...))
}

// scored returns the candidates of equation k that were scored in the chosen system over its
// windows.
func (sr *searcher) scored(k int) (out []*candidate) {
	others := sr.others(k)
	for _, c := range sr.pools[k].list {
		if c != sr.best[k] && c.shot != nil && c.level == sr.level && c.others == others {
			out = append(out, c)
		}
	}
	return out
}

// different returns the laws of list, which are of equation k, with other rates than the chosen one
// and than one another, best first.
func (sr *searcher) different(k int, list []*candidate) (out []rival) {
	cols := sr.rowsOf(k)
	rate := func(c *candidate, s *Shot, first int) []float64 {
		y := make([]float64, len(cols[0]))
		n := c.tree.NumParams()
		if first+n > len(s.Params) {
			return nil
		}
		expr.Compile(c.tree).Eval(y, cols, s.Params[first:first+n])
		return y
	}
	taken := [][]float64{rate(sr.best[k], sr.shot, sr.before(k))}
	slices.SortStableFunc(list, func(a, b *candidate) int { return compareScores(a.joint, b.joint) })
	for _, c := range list {
		if math.IsInf(c.joint, 0) {
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

// same reports whether two laws have the same rates, to a thousandth of their size.
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

// word returns the verdict for a probability, in the same words as for laws of tables.
func word(p float64) string {
	switch {
	case p > 0.97:
		return "very likely"
	case p > 0.9:
		return "likely"
	case p > 0.3:
		return "one of several"
	}
	return "doubtful"
}

// constantsBefore returns the number of constants of a system's equations before k.
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
