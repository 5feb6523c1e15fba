package motion

import (
	"context"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// field is the system with law trees in the equations; empty ones are given.
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

// lengths of windows, in intervals.
const (
	windowLength = 12
	windowLimit  = 60
)

func (h *hunt) tolerance() float64 {
	worst := math.Inf(1)
	for k, s := range h.d.sigma {
		worst = min(worst, s/h.d.scale[k])
	}
	return min(max(worst*0.01, 1e-10), 1e-5)
}

// score is the description length of candidate trees with what they leave of the trajectories.
func (h *hunt) score(bits float64, f *Field, s *Shot, live func(k int) bool) float64 {
	for i, p := range s.Params {
		if se := s.StdErr[i]; se > 0 && !math.IsInf(se, 0) {
			bits += min(max(math.Log2(1+math.Abs(p)/se), 1), 40)
		} else if math.IsInf(se, 0) {
			bits++
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

// choose weighs all candidates on the trajectories: each by itself with the other states given, then together.
func (h *hunt) choose(ctx context.Context, pass int) {
	m := h.d.measured()
	wins := h.d.windows(windowLength, windowLimit)
	tol := h.tolerance()
	clean := h.clean()
	for k := range m {
		list := h.pools[k].list
		parallel(ctx, len(list), func(i int) {
			c := list[i]
			if pass == 1 && clean || !math.IsNaN(c.alone) {
				return // not needed yet, or done
			}
			trees := make([]expr.Tree, m)
			trees[k] = c.tree
			f := h.field(trees)
			s := h.d.shoot(f, wins, max(tol, 1e-7), 6, nil, nil)
			c.alone = h.score(c.bits, f, s, func(j int) bool { return j == k })
		})
		slices.SortStableFunc(list, func(a, b *candidate) int {
			x, y := a.alone, b.alone
			if math.IsNaN(x) {
				x = math.Inf(1)
			}
			if math.IsNaN(y) {
				y = math.Inf(1)
			}
			switch {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		})
		switch top := h.pools[k].top; {
		case clean && top != nil: // the derivatives are better known than what is given
			h.best[k] = top
		case len(list) > 0 && h.best[k] == nil:
			h.best[k] = list[0]
		}
	}
	h.wins = wins
	h.together(ctx, wins, tol, pass == 1 && clean)
}

// finalists is how many candidates of an equation are weighed with the other equations.
const finalists = 16

// together exchanges one equation after the other for a better one, as long as there is one, all equations integrated at once.
func (h *hunt) together(ctx context.Context, wins []window, tol float64, asTheyAre bool) {
	m := h.d.measured()
	if !slices.ContainsFunc(h.best, func(c *candidate) bool { return c != nil }) {
		return
	}
	weigh := func(trial []*candidate, old [][]float64) (*Shot, float64) {
		trees, bits := make([]expr.Tree, m), 0.0
		for k, c := range trial {
			if c != nil { // else the state is given
				trees[k] = c.tree
				bits += c.bits
			}
		}
		f := h.field(trees)
		s := h.d.shoot(f, wins, tol, 15, old, nil)
		return s, h.score(bits, f, s, func(k int) bool { return trial[k] != nil })
	}
	var score float64
	h.shot, score = weigh(h.best, nil)
	rounds := 4
	if asTheyAre {
		rounds = 0 // what comes after the correction will be better
	}
	for round := 0; round < rounds && ctx.Err() == nil; round++ {
		changed := false
		for k := range m {
			list := h.pools[k].list
			list = list[:min(len(list), finalists)]
			shots, scores := make([]*Shot, len(list)), make([]float64, len(list))
			for i := range scores {
				scores[i] = math.Inf(1)
			}
			parallel(context.WithoutCancel(ctx), len(list), func(i int) {
				if ctx.Err() != nil {
					return
				}
				trial := slices.Clone(h.best)
				trial[k] = list[i]
				shots[i], scores[i] = weigh(trial, nil)
				list[i].joint, list[i].shot = scores[i], shots[i]
			})
			for i := range list {
				if scores[i] < score-1e-6 {
					h.best[k], h.shot, score = list[i], shots[i], scores[i]
					changed = true
				}
			}
		}
		if !changed {
			break
		}
	}
	h.settle()
}

// settle writes the fitted constants into the chosen candidates.
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

// clean tells whether the derivatives of all equations come without noise.
func (h *hunt) clean() bool {
	for k := range h.d.measured() {
		if _, clean := h.table(k); !clean {
			return false
		}
	}
	return true
}

// exact tells whether the chosen system leaves nothing of the trajectories.
func (h *hunt) exact() bool {
	if h.shot == nil || h.shot.Lost > 0 || slices.Contains(h.best, nil) {
		return false
	}
	for k := range h.d.measured() {
		if h.shot.misfit(h.d, k) > 1e-7*h.d.scale[k] {
			return false
		}
	}
	return true
}
