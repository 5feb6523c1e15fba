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

// field returns the system whose rates are trees. A state whose tree is empty is given, not
// integrated.
func (h *hunt) field(trees []expr.Tree) *Field {
	m := h.d.measured()
	rates := make([]expr.Tree, h.d.states())
	for k, t := range trees {
		if t.Len() == 0 {
			continue
		}
		if h.d.order == 2 {
			rates[k] = expr.X(m + k)
		}
		rates[h.d.states()-m+k] = t
	}
	return NewField(rates, len(h.tr.Params)+len(h.tr.Consts), h.tr.With)
}

// Lengths of windows, in intervals.
const (
	windowLength = 12 // shortest windows
	windowLimit  = 60 // number of windows
)

// tolerance returns the relative integration tolerance, 1 % of the smallest relative noise
// within fixed bounds.
func (h *hunt) tolerance() float64 {
	worst := math.Inf(1)
	for k, s := range h.d.sigma {
		worst = min(worst, s/h.d.scale[k])
	}
	return min(max(worst*0.01, 1e-10), 1e-5)
}

// score returns the description length of a fitted system: its laws, constants and residuals.
// bits is the complexity of the laws. live reports whether state k is integrated.
func (h *hunt) score(bits float64, f *Field, s *Shot, live func(k int) bool) float64 {
	least := math.Log2(max(s.Rows, 2)) / 2 // minimum price of an unresolved constant
	for i, p := range s.Params {
		if se := s.StdErr[i]; se > 0 && !math.IsInf(se, 0) {
			bits += min(max(math.Log2(1+math.Abs(p)/se), least), 40)
		} else if math.IsInf(se, 0) {
			bits += least
		} else {
			bits += 40
		}
	}
	for k := range h.d.measured() {
		if !live(k) {
			continue
		}
		rms := math.Sqrt(s.RSS[k]/s.Rows) * h.d.sigma[k]
		bits += s.Rows * math.Log2(max(rms/h.d.scale[k], 10*exactly))
	}
	if math.IsNaN(bits) {
		return math.Inf(1)
	}
	return bits
}

// choose scores all candidates on the trajectories. Each is first scored by itself with the
// other states given, then jointly.
func (h *hunt) choose(ctx context.Context, pass int) {
	m := h.laws()
	clean := h.clean()
	lengths := h.d.ladder()
	level := 0
	for k := range m {
		at := h.d.visible(k, lengths)
		level = max(level, at)
		form := h.integralForm(k, h.d.cut(lengths[at]))
		if !clean && pass <= 3 {
			h.match(ctx, k, form)
			if at+1 < len(lengths) {
				h.match(ctx, k, h.integralForm(k, h.d.cut(lengths[at+1])))
			}
		}
		if pass > 1 || !clean {
			h.scoreAlone(ctx, k, form)
		}
		if !clean && pass <= 3 {
			h.refine(ctx, k, form)
		}
		slices.SortStableFunc(h.pools[k].list, func(a, b *candidate) int { return compareScores(a.alone, b.alone) })
		list := h.pools[k].list
		switch top := h.pools[k].top; {
		case clean && top != nil: // the derivatives are more accurate than the given states
			h.best[k] = top
		case len(list) > 0 && h.best[k] == nil:
			h.best[k] = list[0]
		}
	}
	h.wins = h.d.cut(lengths[level])
	h.level = lengths[level]
	if pass == 1 && clean {
		h.together(ctx, 0, nil) // the next pass has corrected derivatives
		return
	}
	h.together(ctx, 4, h.foremost())
	if !clean {
		h.grow(ctx, lengths[level:])
	}
}

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

// scoreAlone fits the candidates of equation k to its integral form and scores them by it.
func (h *hunt) scoreAlone(ctx context.Context, k int, f *integralForm) {
	list := h.pools[k].list
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
		if !slices.Contains(h.best, c) { // chosen candidates already have joint fits
			c.tree = c.tree.WithStarts(params)
		}
		c.alone = c.bits + precision + h.dataBits(f, k, rss)
	})
}

// dataBits returns the description length of the residuals of an integral form of equation k.
func (h *hunt) dataBits(f *integralForm, k int, rss float64) float64 {
	floor := f.rows * math.Pow(max(0.3*h.d.sigma[k], 10*exactly*h.d.scale[k]), 2)
	return f.rows / smoothing / 2 * math.Log2(max(rss, floor))
}

// ranOff reports whether a fit enlarged any constant by more than mostMoved. Such a term usually
// approximates its limit only.
func ranOff(starts, params []float64) bool {
	for i, p := range params {
		if math.Abs(p) > mostMoved*math.Abs(starts[i]) {
			return true
		}
	}
	return false
}

// mostMoved is the largest factor by which a fit may enlarge a constant of a sum with fitted
// coefficients.
const mostMoved = 8

// smoothing is the number of correlated rows of an integral form that count as one independent
// row. Neighbouring rows share the errors of the smoothed states, and long sums would fit these.
const smoothing = 3

// finalists is the number of candidates of an equation that are scored jointly.
const finalists = 12

// foremost returns the best candidates of each equation.
func (h *hunt) foremost() [][]*candidate {
	out := make([][]*candidate, len(h.pools))
	for k := range h.pools {
		list := h.pools[k].list
		out[k] = slices.Clone(list[:min(len(list), finalists)])
	}
	return out
}

// evaluate fits the system of candidates trial over the windows and returns the fit and its
// score. old holds starts of the windows, or nil. enough stops the fit early, as in shoot.
func (h *hunt) evaluate(trial []*candidate, old [][]float64, enough func(float64, int) bool) (*Shot, float64) {
	trees, bits := make([]expr.Tree, len(trial)), 0.0
	for k, c := range trial {
		if c != nil { // otherwise the state is given
			trees[k] = c.tree
			bits += c.bits
		}
	}
	f := h.field(trees)
	s := h.d.shoot(f, h.wins, h.tolerance(), 15, old, enough)
	bits -= h.mutual(trees, s.Params, h.some())
	return s, h.score(bits, f, s, func(k int) bool { return trial[k] != nil })
}

// hopeless returns a stopping rule for fits whose cost stays far above best, the cost of the
// best system.
func hopeless(ctx context.Context, best float64) func(float64, int) bool {
	before := math.Inf(1)
	return func(cost float64, step int) bool {
		stop := ctx.Err() != nil || step >= 1 && cost > 4*best && cost > 0.5*before || step >= 3 && cost > 1.3*best && cost > 0.9*before
		before = cost
		return stop
	}
}

// together fits all equations jointly and exchanges one candidate at a time for a better one
// from lists. It stops after the given number of rounds, or when nothing improves.
func (h *hunt) together(ctx context.Context, rounds int, lists [][]*candidate) {
	if !slices.ContainsFunc(h.best, func(c *candidate) bool { return c != nil }) {
		return
	}
	h.shot, h.total = h.evaluate(h.best, nil, func(_ float64, step int) bool { return step >= 3 && ctx.Err() != nil })
	for k, c := range h.best {
		if c != nil {
			h.note(k, c, h.shot, h.total)
		}
	}
	for round := 0; round < rounds && ctx.Err() == nil; round++ {
		changed := false
		for k, list := range lists {
			shots, scores := make([]*Shot, len(list)), make([]float64, len(list))
			for i := range scores {
				scores[i] = math.Inf(1)
			}
			cost := sum64(h.shot.RSS)
			parallel(context.WithoutCancel(ctx), len(list), func(i int) {
				if ctx.Err() != nil || list[i] == h.best[k] {
					return
				}
				trial := slices.Clone(h.best)
				trial[k] = list[i]
				shots[i], scores[i] = h.evaluate(trial, nil, hopeless(ctx, cost))
			})
			for i, c := range list {
				if shots[i] != nil && ctx.Err() == nil {
					h.note(k, c, shots[i], scores[i])
				}
				if scores[i] < h.total-1e-6 {
					h.best[k], h.shot, h.total = c, shots[i], scores[i]
					changed = true
				}
			}
		}
		if !changed || len(lists) == 1 && round > 0 {
			break
		}
	}
	h.settle()
}

func sum64(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

// note stores the joint fit and score of candidate c of equation k.
func (h *hunt) note(k int, c *candidate, s *Shot, score float64) {
	c.joint, c.shot, c.others, c.level = score, s, h.others(k), h.level
}

// others returns a key of the chosen laws of all equations except k.
func (h *hunt) others(k int) string {
	var b strings.Builder
	for j, c := range h.best {
		if j != k && c != nil {
			fmt.Fprintf(&b, "%d:%x ", j, c.tree.Hash())
		}
	}
	return b.String()
}

// settle copies the fitted constants into the chosen candidates.
func (h *hunt) settle() {
	at := 0
	for _, c := range h.best {
		if c == nil {
			continue
		}
		n := c.tree.NumParams()
		c.tree = c.tree.WithStarts(h.shot.Params[at : at+n])
		at += n
	}
}

// clean reports whether the derivatives of all equations are free of noise.
func (h *hunt) clean() bool {
	for k := range h.laws() {
		if _, clean := h.table(k); !clean {
			return false
		}
	}
	return true
}

// exact reports whether the chosen system fits the trajectories to rounding error.
func (h *hunt) exact() bool {
	if h.shot == nil || h.shot.Lost > 0 || slices.Contains(h.best[:h.laws()], nil) {
		return false
	}
	for k := range h.d.measured() {
		if h.shot.misfit(h.d, k) > 1e-7*h.d.scale[k] {
			return false
		}
	}
	return true
}
