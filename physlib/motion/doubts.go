package motion

import (
	"fmt"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Trajectories often visit a small part of the states, where different laws have the same rates.
const (
	alignedShare = 0.02 // least share of a column's variance that does not follow from the others
	poleShare    = 0.2  // smallest over largest value of a denominator from which a pole is far
)

// objection is a reason against a law, with the factor of its probability.
type objection struct {
	factor float64
	why    string
}

// residualObjections returns the objections that the residuals of equation k raise.
func (sr *searcher) residualObjections(k int, e *Equation) (out []objection) {
	switch times := e.Error / sr.scatter(k); {
	case times > farAboveNoise:
		out = append(out, objection{farAboveFactor, fmt.Sprintf("the residuals are %.3g times the noise, so something is missing", times)})
	case times > aboveNoise:
		out = append(out, objection{aboveFactor, fmt.Sprintf("the residuals are %.3g times the noise", times)})
	}
	if n, r := sr.autocorrelation(k); sr.noisy(k) && r > 5/math.Sqrt(n) {
		out = append(out, objection{correlatedFactor, "residuals are alike at neighbouring rows"})
	}
	return out
}

// formObjections returns the objections that the form of the law of equation k raises under noise.
// nearest is the distance to the next different law in bits.
func (sr *searcher) formObjections(k int, e *Equation, nearest float64) (out []objection) {
	if !sr.noisy(k) {
		return nil
	}
	if curved(e.Law.Tree) && nearest < curvedMargin {
		out = append(out, objection{curvedFactor, "under noise other functions with a constant inside may do as well"})
	}
	if aligned(sr.rowsOf(k)) {
		out = append(out, objection{alignedFactor, "a column nearly follows from the others, which may stand in its place"})
	}
	if farFromPole(e.Law.Tree, sr.rowsOf(k)) {
		out = append(out, objection{poleFactor, "far from its pole a quotient may be the limit of a saturating law"})
	}
	if sr.uncertain(k) {
		out = append(out, objection{uncertainFactor,
			"a constant is known to 5 % at best, so another term may stand in its place"})
	}
	return out
}

// missing returns the library term whose addition to the law of equation k would shorten the
// description of the residuals most. gain is the difference in bits, without the price of the term.
// The test is Rao's score test (see tangent).
func (sr *searcher) missing(k int, g *tangent) (gain float64, term expr.Tree) {
	n := float64(len(g.rest))
	for _, a := range g.lacking(k, append(sr.library(k), sr.recurring(k)...)) {
		if bits := n / 2 * math.Log2(g.cost/a.cost); bits > gain {
			gain, term = bits, a.term
		}
	}
	return gain, term
}

// missingObjections returns an objection if the noisy residuals of equation k correlate with a term
// that its law lacks. g is the linearized system, or nil if it is unknown.
func (sr *searcher) missingObjections(k int, g *tangent) []objection {
	if g == nil || !sr.noisy(k) || len(g.step) > mostTested {
		return nil
	}
	gain, term := sr.missing(k, g)
	factor := missingFactor
	switch {
	case gain <= missingBits:
		return nil
	case gain > farMissingBits:
		factor = farMissingFactor
	}
	return []objection{{factor, fmt.Sprintf("a further term such as %s would explain %.0f bits of the residuals",
		term.Infix(sr.names), gain)}}
}

// mostTested is the number of rows up to which missing terms are tested. The test of more rows
// takes long and is not needed, since the search then finds such a term.
const mostTested = 6000

// scatter returns the noise of state k, but not less than the integration error.
func (sr *searcher) scatter(k int) float64 { return max(sr.d.sigma[k], 1e-6*sr.d.scale[k]) }

// noisy reports whether the noise of state k exceeds the integration error.
func (sr *searcher) noisy(k int) bool { return sr.scatter(k) == sr.d.sigma[k] }

// uncertain reports whether a constant of the law of equation k has a large relative error.
func (sr *searcher) uncertain(k int) bool {
	at := sr.before(k)
	for i := range sr.best[k].tree.NumParams() {
		if !(sr.shot.StdErr[at+i] <= uncertainError*math.Abs(sr.shot.Params[at+i])) {
			return true
		}
	}
	return false
}

// autocorrelation returns the lag-one autocorrelation r of the residuals of state k, and the
// number n of pairs.
func (sr *searcher) autocorrelation(k int) (n, r float64) {
	var with, size float64
	for _, w := range sr.trace(sr.field(sr.trees()), sr.shot, sr.wins) {
		before := math.NaN()
		for j, v := range w.x[k] {
			e := sr.d.runs[w.run].x[k][w.at+j] - v
			if before-before == 0 && e-e == 0 {
				with += before * e
				n++
			}
			if e-e == 0 {
				size += e * e
			}
			before = e
		}
	}
	if size == 0 || n == 0 {
		return 1, 0
	}
	return n, with / size
}

// aligned reports whether one of cols is nearly a linear function of the others, as near a slow
// manifold. Laws can then use the others in place of that column.
func aligned(cols [][]float64) bool {
	var varying [][]float64
	for _, c := range cols {
		mean := 0.0
		for _, v := range c {
			mean += v / float64(len(c))
		}
		centred := make([]float64, len(c))
		for i, v := range c {
			centred[i] = v - mean
		}
		if dot(centred, centred) > 0 {
			varying = append(varying, centred)
		}
	}
	for i, c := range varying {
		rest := slices.Clone(c)
		var base [][]float64
		for j, o := range varying {
			if j == i {
				continue
			}
			if u := orthogonal(base, slices.Clone(o), 1e-9); u != nil {
				base = append(base, u)
			}
		}
		for _, u := range base {
			subtract(rest, u, dot(u, rest))
		}
		if dot(rest, rest) < alignedShare*dot(c, c) {
			return true
		}
	}
	return false
}

// farFromPole reports whether t has a quotient of different columns whose denominator stays away
// from zero. There y/x may be the limit of y/(x + c), or of another law that saturates.
func farFromPole(t expr.Tree, cols [][]float64) bool {
	args := t.Args()
	if t.Root() == expr.Div {
		below := args[1].Vars()
		above := slices.ContainsFunc(args[0].Vars(), func(j int) bool { return !slices.Contains(below, j) })
		if len(below) == 1 && above && plain(args[1], false) && !summed(args[1]) {
			low, high := math.Inf(1), 0.0
			for _, v := range cols[below[0]] {
				low, high = min(low, math.Abs(v)), max(high, math.Abs(v))
			}
			if low > poleShare*high {
				return true
			}
		}
	}
	return slices.ContainsFunc(args, func(a expr.Tree) bool { return farFromPole(a, cols) })
}

// summed reports whether t contains a sum.
func summed(t expr.Tree) bool {
	return slices.ContainsFunc(t.Nodes(), func(n expr.Node) bool { return n.Op == expr.Add || n.Op == expr.Sub })
}
