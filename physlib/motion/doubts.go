package motion

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// poleShare is the smallest ratio of the least to the greatest value of a denominator for which the
// denominator counts as far from zero.
const poleShare = 0.2

// objection is a reason against a law. Its factor multiplies the probability of the law.
type objection struct {
	factor float64
	why    string
}

// residualObjections returns the objections that follow from the residuals of equation k: they
// exceed the noise, they are alike at neighbouring points, or it takes many constants to make them
// small.
func (sr *searcher) residualObjections(k int, e *Equation, ev evidence) (out []objection) {
	residual := e.Error
	if ev.shot != sr.shot { // the residuals of the system contain those of another law
		residual = ev.shot.misfit(sr.d, k)
	}
	switch times := residual / max(sr.scatter(k), ev.known[k]); {
	case times > farAboveNoise:
		out = append(out, objection{farAboveFactor, fmt.Sprintf("the residuals are %.3g times the noise, so something is missing", times)})
	case times > aboveNoise:
		out = append(out, objection{aboveFactor, fmt.Sprintf("the residuals are %.3g times the noise", times)})
	}
	if n := e.Law.Tree.NumParams(); n >= manyConstants {
		out = append(out, objection{manyFactor, fmt.Sprintf("a law with %d constants may only approximate another one", n)})
	}
	if !sr.noisy(k) || residual <= aboveNoise*ev.known[k] {
		return out
	}
	if n, r := sr.autocorrelation(k, ev.paths); r > 5/math.Sqrt(n) {
		out = append(out, objection{correlatedFactor, "residuals are alike at neighbouring points"})
	}
	return out
}

// formObjections returns the objections to the form of the law of equation k, if there is noise.
// nearest is the distance in bits to the next different law.
func (sr *searcher) formObjections(
	ctx context.Context, k int, e *Equation, nearest float64,
) (out []objection) {
	if !sr.noisy(k) {
		return nil
	}
	if sr.oneSided(k) {
		out = append(out, objection{oneSidedFactor, sr.tr.States[k].Name +
			" only rises or only falls in the only run, which some function of it always describes, also if hidden states act; add a run from another start"})
	}
	if curved(e.Law.Tree) && nearest < curvedMargin {
		out = append(out, objection{curvedFactor, "under noise other functions with a constant inside may do as well"})
	}
	if sr.replaceable(ctx, k) {
		out = append(out, objection{alignedFactor, "a column is nearly a function of the others, which may replace it in the law"})
	}
	if farFromPole(e.Law.Tree, sr.rateColumns(k)) {
		out = append(out, objection{poleFactor, "far from its pole a quotient may be the limit of a saturating law"})
	}
	if sr.uncertain(k) {
		out = append(out, objection{uncertainFactor,
			"a constant is known to 5 % at best, so another term may stand in its place"})
	}
	return out
}

// oneSided reports whether the state k, alone and without an input, only rises or only falls in a
// single run, up to its noise.
func (sr *searcher) oneSided(k int) bool {
	d := sr.d
	if d.numMeasured() != 1 || d.order != 1 || len(d.runs) != 1 || sr.tr.TimeDependent {
		return false
	}
	x := d.runs[0].x[k]
	low, high, fall, rise := x[0], x[0], 0.0, 0.0 // largest fall and rise up to a row
	for _, v := range x {
		low, high = min(low, v), max(high, v)
		fall, rise = max(fall, high-v), max(rise, v-low)
	}
	return min(fall, rise) < reversal*d.sigma[k]
}

// missing returns the library term that the law of equation k most likely lacks, by Rao's score
// test (see tangent). It also returns
//   - gain, the number of bits by which the term would shorten the description of the residuals,
//   - chance, the number of terms, among those no longer than this one, that are expected to gain
//     as many bits by chance.
//
// Three kinds of terms are ignored: those that gain at most missingBits, those with a pole on a
// trajectory, and those whose effect on the state is below the error known.
func (sr *searcher) missing(ctx context.Context, k int, g *tangent, known float64) (gain, chance float64, term expr.Tree) {
	n := float64(len(g.rest))
	list := g.lacking(ctx, k, append(sr.termsFor(k), sr.recurring(k)...))
	for i := range list { // bits becomes the complexity, by which the terms are sorted
		list[i].bits = law.Complexity(list[i].term, len(sr.names))
	}
	slices.SortStableFunc(list, func(a, b addition) int { return cmp.Compare(a.bits, b.bits) })
	chance = math.Inf(1)
	for i, a := range list {
		bits := n / 2 * math.Log2(g.cost/a.cost)
		expected := float64(i+1) * math.Erfc(math.Sqrt(math.Ln2*bits))                // P(χ² > 2·ln 2·bits)
		effect := math.Sqrt((g.cost-a.cost)/(n/float64(len(g.seen)))) * sr.d.sigma[k] // RMS
		if bits > missingBits && effect > known && expected < chance && !g.crossesPole(a.term) {
			gain, chance, term = bits, expected, a.term
		}
	}
	return gain, chance, term
}

// crossesPole reports whether a denominator of t changes sign along a window. If so, a law with the
// term t could not be integrated there.
func (g *tangent) crossesPole(t expr.Tree) bool {
	value := make([]float64, len(g.step))
	return slices.ContainsFunc(zeros(t), func(below expr.Tree) bool {
		expr.Compile(below).Eval(value, g.cols, below.Params())
		for w, win := range g.wins {
			for row := g.first[w]; row < g.first[w]+win.n; row++ {
				if value[row]*value[row+1] < 0 {
					return true
				}
			}
		}
		return false
	})
}

// zeros returns expressions that are zero where t is infinite. For a tangent in a denominator, that
// is the sine of its argument.
func zeros(t expr.Tree) (out []expr.Tree) {
	args := t.Args()
	switch t.Root() {
	case expr.Div, expr.Inv:
		below := args[len(args)-1]
		if below.Root() == expr.Tan {
			angle := below.Args()[0]
			out = append(out, expr.Apply(expr.Sin, angle))
			args[len(args)-1] = angle
			break
		}
		out = append(out, below)
	case expr.Tan:
		out = append(out, expr.Apply(expr.Cos, args[0]))
	}
	for _, a := range args {
		out = append(out, zeros(a)...)
	}
	return out
}

// missingObjections returns an objection if the residuals of equation k are noisy and correlate
// with a term that its law lacks. It also returns an objection if ctx ends before all terms are
// tested.
func (sr *searcher) missingObjections(ctx context.Context, k int, ev evidence) []objection {
	g := ev.g
	untested := []objection{{cutFactor, "no time was left to test whether a term is missing"}}
	switch {
	case !sr.noisy(k) || sr.shot.Rows > mostTested:
		return nil
	case ctx.Err() != nil:
		return untested
	case g == nil:
		return nil
	}
	gain, chance, term := sr.missing(ctx, k, g, ev.known[k])
	factor := missingTermFactor
	switch {
	case chance > missingChance && ctx.Err() != nil:
		return untested
	case chance > missingChance:
		return nil
	case gain > farMissingBits && chance < farMissingChance:
		factor = farMissingFactor
	}
	return []objection{{factor, fmt.Sprintf("a further term such as %s would explain %.0f bits of the residuals",
		term.Infix(sr.names), gain)}}
}

// mostTested is the largest number of rows for which missing terms are tested. With more rows the
// test takes long and is not needed, since the search then finds such terms.
const mostTested = 6000

// scatter returns the largest of three errors of state k: the standard deviation of its noise, the
// integration error, and inputDoubt times the error that the inputs cause between the rows.
func (sr *searcher) scatter(k int) float64 {
	return max(sr.d.sigma[k], integrationError*sr.d.scale[k], inputDoubt*sr.inputError(k))
}

// inputError returns the RMS error of state k that the errors of the inputs between the rows cause,
// 0 if it is not known.
func (sr *searcher) inputError(k int) float64 {
	if sr.d.unsure == nil {
		return 0
	}
	return sr.d.unsure[k]
}

// noisy reports whether both the noise of state k and its residuals exceed the integration error.
// The condition on the residuals is needed because a fast oscillation may be taken for noise.
func (sr *searcher) noisy(k int) bool {
	least := integrationError * sr.d.scale[k]
	return sr.d.sigma[k] >= least && sr.shot.misfit(sr.d, k) > least
}

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

// autocorrelation returns the lag-one autocorrelation r of the residuals of state k from the
// integrated windows, and the number n of pairs.
func (sr *searcher) autocorrelation(k int, paths []traced) (n, r float64) {
	var with, size float64
	for _, w := range paths {
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

// farFromPole reports whether t has a quotient of different columns whose denominator stays away
// from zero. Such a quotient may be only the limit of a law that saturates. For example, y/x may be
// the limit of y/(x + c).
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
