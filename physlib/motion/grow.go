package motion

import (
	"context"
	"slices"
)

// rivals is how many candidates of an equation are weighed again over longer windows, and within
// how many bits of the best they are.
const (
	rivals      = 6
	rivalMargin = 60
)

// diverged is by how much the misfit of a system may grow with longer windows: beyond, small errors
// grow along the way, as in chaos, and longer windows say no more.
const diverged = 1.5

// grow weighs the chosen system and its rivals over windows of rising lengths, up to whole runs,
// and adds what it is seen to lack there, for as long as the system gets through them as well as
// through short ones.
func (h *hunt) grow(ctx context.Context, lengths []int) {
	for i, n := range lengths {
		before := h.kept()
		lists := h.rivals()
		if i > 0 {
			h.wins, h.level = h.d.cut(n), n
			h.together(ctx, 2, lists)
		}
		h.improve(ctx, mostImprovements)
		if i > 0 && (ctx.Err() != nil || h.spread() > diverged*before.spread) {
			before.restore(h)
			return
		}
	}
}

// mostImprovements is how often a system is changed by a term over windows of one length.
const mostImprovements = 4

// improve changes the chosen system by a term at a time for as long as it gets better, at most so
// often.
func (h *hunt) improve(ctx context.Context, most int) {
	for range most {
		fresh := h.extend(ctx)
		if ctx.Err() != nil || !slices.ContainsFunc(fresh, func(l []*candidate) bool { return len(l) > 0 }) {
			return
		}
		old := slices.Clone(h.best)
		h.together(ctx, 1, fresh)
		if slices.Equal(old, h.best) {
			return
		}
	}
}

// spread is the squared misfit of the chosen system for each degree of freedom.
func (h *hunt) spread() float64 {
	if h.shot == nil {
		return 0
	}
	return sum64(h.shot.RSS) / h.shot.dof
}

// state is the chosen system with its fit.
type state struct {
	best   []*candidate
	trees  []candidate
	wins   []window
	level  int
	shot   *Shot
	total  float64
	spread float64
}

// kept is the state of the choice.
func (h *hunt) kept() state {
	s := state{best: slices.Clone(h.best), wins: h.wins, level: h.level, shot: h.shot, total: h.total, spread: h.spread()}
	for _, c := range h.best {
		if c != nil {
			s.trees = append(s.trees, *c)
		} else {
			s.trees = append(s.trees, candidate{})
		}
	}
	return s
}

// restore goes back to an earlier choice.
func (s state) restore(h *hunt) {
	h.best, h.wins, h.level, h.shot, h.total = s.best, s.wins, s.level, s.shot, s.total
	for k, c := range h.best {
		if c != nil {
			*c = s.trees[k]
		}
	}
}

// rivals are the candidates of each equation that came near the best system.
func (h *hunt) rivals() [][]*candidate {
	out := make([][]*candidate, len(h.pools))
	for k := range h.pools {
		for _, c := range h.pools[k].list {
			if c.shot != nil && c.level == h.level && c.joint < h.total+rivalMargin {
				out[k] = append(out[k], c)
			}
		}
		slices.SortStableFunc(out[k], func(a, b *candidate) int { return compareScores(a.joint, b.joint) })
		out[k] = out[k][:min(len(out[k]), rivals)]
	}
	return out
}
