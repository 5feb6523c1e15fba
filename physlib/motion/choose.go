package motion

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/expr"
)

// choose scores all candidates on the trajectories. First it scores each candidate alone, with the
// other states taken from the measurements. Then it scores all equations jointly.
func (sr *searcher) choose(ctx context.Context, pass int) {
	m := sr.numLaws()
	sr.compared = false
	clean := sr.clean()
	lengths := sr.d.ladder()
	level := 0
	sums := make([]matched, m)
	for k := range m {
		at := sr.d.visible(k, lengths)
		level = max(level, at)
		sums[k] = sr.scoreEquation(ctx, k, pass, clean, lengths[at:])
		slices.SortStableFunc(sr.pools[k].list, func(a, b *candidate) int { return compareScores(a.alone, b.alone) })
		list := sr.pools[k].list
		switch top := sr.pools[k].top; {
		// If derivatives are clean, the law found from them is preferred, since clean derivatives
		// are more accurate than the measured states.
		case clean && top != nil:
			sr.best[k] = top
		case len(list) > 0 && sr.best[k] == nil:
			sr.best[k] = list[0]
		}
	}
	if pass <= matchedPasses {
		sr.matchPairs(ctx, sums)
	}
	sr.wins = sr.d.windowsOf(lengths[level])
	sr.windowLength = lengths[level]
	if pass == 1 && clean {
		sr.together(ctx, 0, nil) // no replacements yet, since the next pass has better derivatives
		sr.replaceCancelling(ctx)
		sr.prune(ctx)
		return
	}
	sr.together(ctx, 4, sr.foremost())
	sr.exchangePairs(ctx, sr.pairs)
	sr.compared = ctx.Err() == nil
	if !clean {
		sr.grow(ctx, lengths[level:])
		sr.editCommon(ctx)
	}
	sr.replaceCancelling(ctx)
	sr.dropUnresolved(ctx)
	sr.prune(ctx)
}

// scoreEquation scores the candidates of equation k alone, in its integral form over windows of the
// length lengths[0]. Under noise it also finds sums of terms by integral matching, and returns
// them.
func (sr *searcher) scoreEquation(ctx context.Context, k, pass int, clean bool, lengths []int) (sums matched) {
	var form *integralForm
	if ctx.Err() == nil {
		form = sr.integralForm(k, sr.d.windowsOf(lengths[0]))
	}
	if !clean && pass <= matchedPasses {
		sums = sr.match(ctx, k, form)
		if len(lengths) > 1 && ctx.Err() == nil {
			longer := sr.match(ctx, k, sr.integralForm(k, sr.d.windowsOf(lengths[1])))
			if len(longer.sums) > 0 {
				sums = longer
			}
		}
	}
	if pass > 1 || !clean {
		sr.scoreAlone(ctx, k, form)
	}
	if !clean && pass <= matchedPasses {
		sr.refine(ctx, k, form)
	}
	return sums
}

// matchedPasses is the number of passes in which, under noise, sums of terms are found by integral
// matching and laws are edited. Later passes would work on the same data, since corrections of the
// derivatives do not change the integral forms.
const matchedPasses = 3

// compareScores orders scores in ascending order, NaN last.
func compareScores(x, y float64) int {
	if math.IsNaN(x) {
		x = math.Inf(1)
	}
	if math.IsNaN(y) {
		y = math.Inf(1)
	}
	return cmp.Compare(x, y)
}

// scoreAlone fits the candidates of equation k to the integral form of the equation, and scores
// them by this fit.
func (sr *searcher) scoreAlone(ctx context.Context, k int, f *integralForm) {
	list := sr.pools[k].list
	parallel(ctx, len(list), func(i int) {
		c := list[i]
		c.alone = math.Inf(1)
		if f == nil {
			return
		}
		params, rss, precision := f.fit(c.tree, 8, nil)
		if math.IsInf(rss, 0) || math.IsNaN(rss) {
			return
		}
		if c.law.Proposer == stepwiseName && math.IsNaN(c.joint) && ranOff(c.tree.Params(), params) {
			return
		}
		if !slices.Contains(sr.best, c) { // a chosen candidate keeps the constants of its joint fit
			c.tree = c.tree.WithStarts(params)
		}
		c.alone = c.bits + precision + sr.dataBits(f, k, rss) + sr.oddities([]expr.Tree{c.tree}, params)
	})
}

// dataBits returns the description length of the residuals of equation k in integral form. rss is
// their sum of squares.
func (sr *searcher) dataBits(f *integralForm, k int, rss float64) float64 {
	floor := f.rows * math.Pow(max(0.3*sr.d.sigma[k], 10*exactly*sr.d.scale[k]), 2)
	return f.rows / smoothing / 2 * math.Log2(max(rss, floor))
}

// ranOff reports whether a fit increased the absolute value of any constant by more than the factor
// mostMoved. Such a constant usually tends to infinity, and the limit of its term is a simpler
// term.
func ranOff(starts, params []float64) bool {
	for i, p := range params {
		if math.Abs(p) > mostMoved*math.Abs(starts[i]) {
			return true
		}
	}
	return false
}

// mostMoved is the largest factor by which a fit may increase the absolute value of a constant (see
// ranOff).
const mostMoved = 8

// smoothing is the number of neighbouring rows of an integral form that count as one independent
// row. Neighbouring rows share the errors of the smoothed states. If each row counted in full, long
// sums would fit these errors.
const smoothing = 3

// finalists is the number of candidates of an equation that are scored jointly.
const finalists = 12

// foremost returns the best candidates of each equation, at most finalists of each.
func (sr *searcher) foremost() [][]*candidate {
	out := make([][]*candidate, len(sr.pools))
	for k := range sr.pools {
		list := sr.pools[k].list
		out[k] = slices.Clone(list[:min(len(list), finalists)])
	}
	return out
}

// together fits all equations jointly. Then it replaces one chosen candidate at a time by a better
// one from lists, which holds the candidates by equation. In each round it tries all candidates of
// all equations. It stops after the given number of rounds, or after a round that does not improve
// the score.
func (sr *searcher) together(ctx context.Context, rounds int, lists [][]*candidate) {
	if !slices.ContainsFunc(sr.best, func(c *candidate) bool { return c != nil }) {
		return
	}
	sr.shot, sr.total = sr.evaluate(sr.best, nil, func(_ float64, step int) bool {
		return step >= 3 && ctx.Err() != nil || step >= 1 && ctx.Err() == context.Canceled
	})
	sr.noteBest()
	for round := 0; round < rounds && ctx.Err() == nil; round++ {
		changed := false
		for k, list := range lists {
			shots, scores := make([]*trajectoryFit, len(list)), make([]float64, len(list))
			for i := range scores {
				scores[i] = math.Inf(1)
			}
			cost := sum64(sr.shot.RSS)
			parallel(context.WithoutCancel(ctx), len(list), func(i int) {
				if ctx.Err() != nil || list[i] == sr.best[k] {
					return
				}
				trial := slices.Clone(sr.best)
				trial[k] = list[i]
				shots[i], scores[i] = sr.evaluate(trial, nil, hopeless(ctx, cost))
			})
			for i, c := range list {
				if shots[i] != nil && ctx.Err() == nil {
					sr.note(k, c, shots[i], scores[i])
				}
				if scores[i] < sr.total-1e-6 {
					sr.best[k], sr.shot, sr.total = c, shots[i], scores[i]
					changed = true
				}
			}
		}
		if !changed || len(lists) == 1 && round > 0 {
			break
		}
	}
	sr.storeConstants()
}

// shootSteps is the largest number of steps of a fit to trajectories while laws are compared.
const shootSteps = 15

// evaluate fits the system of the candidates in trial over the windows. It returns the fit and its
// score. old and stop are arguments of shoot: the starting values of the windows, which may be
// nil, and a function that ends the fit early.
func (sr *searcher) evaluate(trial []*candidate, old [][]float64, stop func(float64, int) bool) (*trajectoryFit, float64) {
	trees, bits := make([]expr.Tree, len(trial)), 0.0
	for k, c := range trial {
		if c != nil { // a state without a candidate follows the data
			trees[k] = c.tree
			bits += c.bits
		}
	}
	f := sr.field(trees)
	s := sr.d.shoot(f, sr.wins, sr.tolerance(), shootSteps, old, stop)
	bits += sr.oddities(trees, s.Params) - sr.mutual(trees, s.Params, s.cov, sr.sampledColumns())
	return s, sr.score(bits, f, s, func(k int) bool { return trial[k] != nil })
}

// field returns the system whose rates are trees. If a tree is empty, the values of its state are
// given and not integrated.
func (sr *searcher) field(trees []expr.Tree) *Field {
	m := sr.d.numMeasured()
	rates := make([]expr.Tree, sr.d.numStates())
	for k, t := range trees {
		if t.Len() == 0 {
			continue
		}
		if sr.d.order == 2 {
			rates[k] = expr.X(m + k)
		}
		rates[sr.d.numStates()-m+k] = t
	}
	f := NewField(rates, len(sr.tr.Params)+len(sr.tr.Consts), sr.tr.TimeDependent)
	f.least = sr.d.least
	return f
}

// tolerance returns the relative tolerance of the integration. It is 1 % of the smallest relative
// noise of a state, but at least 1e-10 and at most 1e-5.
func (sr *searcher) tolerance() float64 {
	worst := math.Inf(1)
	for k, s := range sr.d.sigma {
		worst = min(worst, s/sr.d.scale[k])
	}
	return min(max(worst*0.01, 1e-10), 1e-5)
}

// hopeless returns a function that ends a fit (see shoot) if its cost stays far above best, the
// cost of the best system.
func hopeless(ctx context.Context, best float64) func(float64, int) bool {
	before := math.Inf(1)
	return func(cost float64, step int) bool {
		far := step >= 1 && cost > 4*best && cost > 0.5*before     // far above, and not halved by the last step
		stuck := step >= 3 && cost > 1.3*best && cost > 0.9*before // above, and hardly falling any more
		before = cost
		return far || stuck || ctx.Err() != nil
	}
}

func sum64(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

// noteBest stores the joint fit of the chosen system in the chosen candidates.
func (sr *searcher) noteBest() {
	for k, c := range sr.best {
		if c != nil {
			sr.note(k, c, sr.shot, sr.total)
		}
	}
}

// note stores a joint fit and its score in candidate c of equation k.
func (sr *searcher) note(k int, c *candidate, s *trajectoryFit, score float64) {
	c.joint, c.shot, c.others, c.windowLength = score, s, sr.others(k), sr.windowLength
	c.first = constantsBefore(sr.best, k)
}

// score returns the description length of a fitted system: its laws, constants and residuals. bits
// is the complexity of the laws. live reports whether state k is integrated.
func (sr *searcher) score(bits float64, f *Field, s *trajectoryFit, live func(k int) bool) float64 {
	bits += s.precision(math.Log2(max(s.Rows, 2)) / 2)
	for k := range sr.d.numMeasured() {
		if !live(k) {
			continue
		}
		rms := math.Sqrt(s.RSS[k]/s.Rows) * sr.d.sigma[k]
		bits += s.Rows * math.Log2(max(rms, inputDoubt*sr.inputError(k), 10*exactly*sr.d.scale[k])/sr.d.scale[k])
	}
	if math.IsNaN(bits) {
		return math.Inf(1)
	}
	return bits
}

// others returns a key of the chosen laws of all equations except the given ones.
func (sr *searcher) others(except ...int) string {
	var b strings.Builder
	for j, c := range sr.best {
		if !slices.Contains(except, j) && c != nil {
			fmt.Fprintf(&b, "%d:%x ", j, c.tree.Hash())
		}
	}
	return b.String()
}

// storeConstants copies the fitted constants into the chosen candidates.
func (sr *searcher) storeConstants() {
	at := 0
	for _, c := range sr.best {
		if c == nil {
			continue
		}
		n := c.tree.NumParams()
		c.tree = c.tree.WithStarts(sr.shot.Params[at : at+n])
		at += n
	}
}

// clean reports whether the derivatives of all equations are free of noise.
func (sr *searcher) clean() bool {
	for k := range sr.numLaws() {
		if _, clean := sr.table(k); !clean {
			return false
		}
	}
	return true
}

// exact reports whether the chosen system fits the trajectories to rounding error.
func (sr *searcher) exact() bool {
	if sr.shot == nil || sr.shot.Lost > 0 || slices.Contains(sr.best[:sr.numLaws()], nil) {
		return false
	}
	for k := range sr.d.numMeasured() {
		if sr.shot.misfit(sr.d, k) > 1e-7*sr.d.scale[k] {
			return false
		}
	}
	return true
}
