package motion

import (
	"context"
	"slices"
)

// Limits on the rivals of an equation.
const (
	// Largest number of candidates of an equation that are scored again over longer windows.
	rivals = 6
	// A candidate is scored again if it is at most this many bits above the best system.
	rivalMargin = 60
)

// diverged is the factor by which the squared misfit may grow with longer windows. If it grows
// more, small errors are amplified, as in chaos, and longer windows add no information.
const diverged = 1.5

// grow scores the chosen system and its rivals over windows of increasing length, up to whole
// runs. It adds missing terms at each length. It restores the previous state if the misfit grows
// by more than the factor diverged.
func (sr *searcher) grow(ctx context.Context, lengths []int) {
	for i, n := range lengths {
		if ctx.Err() != nil {
			return
		}
		before := sr.snapshot()
		lists := sr.rivals()
		if i > 0 {
			sr.wins, sr.windowLength = sr.d.windowsOf(n), n
			if sr.d.inputs > 0 {
				sr.together(ctx, 0, nil)
				sr.measureInputs(ctx)
			}
			sr.together(ctx, 2, lists)
			sr.exchangePairs(ctx, sr.pairs)
			if i > 1 { // for shorter windows, see scoreEquation
				sr.rematch(ctx)
			}
		}
		sr.improve(ctx, mostImprovements)
		if drags, sums := sr.exchangeDrags(ctx), sr.resum(ctx); drags || sums {
			sr.improve(ctx, mostImprovements)
		}
		if i > 0 && (ctx.Err() != nil || sr.misfitPerDof() > diverged*before.spread) {
			before.restore(sr)
			return
		}
	}
}

// rematch tries the sums of terms that best describe the integral forms over the current windows,
// first sums of all equations at once, then each sum alone. It does so once for each length of
// windows. Slow changes stand out of the noise only over long windows.
func (sr *searcher) rematch(ctx context.Context) {
	if sr.rematched[sr.windowLength] {
		return
	}
	lists := make([][]*candidate, len(sr.best))
	for k := range sr.numLaws() {
		form := sr.integralForm(k, sr.wins)
		all := sr.sumsOf(ctx, k, form)
		tried := 0
		for s := range firstOfFamilies(all.sums) {
			if tried == mostRematched {
				break
			}
			tried++
			if c := sr.offerSum(k, all, s); c != nil && c != sr.best[k] {
				params, _, _ := form.fit(c.tree, editSteps, nil)
				c.tree = c.tree.WithStarts(params)
				lists[k] = append(lists[k], c)
			}
		}
	}
	if ctx.Err() != nil {
		return
	}
	if sr.rematched == nil {
		sr.rematched = map[int]bool{}
	}
	sr.rematched[sr.windowLength] = true
	sr.exchangeSeveral(ctx, combinations(lists, mostCombined))
	sr.replaceBy(ctx, lists)
}

// Limits on what rematch tries.
const (
	mostRematched = 4  // largest number of sums of an equation
	mostCombined  = 12 // largest number of combinations of sums of all equations
)

// combinations returns the first most combinations of one candidate of each list that is not empty.
// Those with the smallest sum of indices come first.
func combinations(lists [][]*candidate, most int) (out [][]*candidate) {
	last := 0
	for _, l := range lists {
		last += max(len(l)-1, 0)
	}
	laws := make([]*candidate, len(lists))
	var add func(k, left int)
	add = func(k, left int) {
		if k == len(lists) {
			if left == 0 && len(out) < most {
				out = append(out, slices.Clone(laws))
			}
			return
		}
		if len(lists[k]) == 0 {
			add(k+1, left)
			return
		}
		for i := range min(len(lists[k]), left+1) {
			laws[k] = lists[k][i]
			add(k+1, left-i)
		}
	}
	for sum := 0; sum <= last && len(out) < most; sum++ {
		add(0, sum)
	}
	return out
}

// mostImprovements is the largest number of one-term changes of a system for each length of
// windows.
const mostImprovements = 4

// improve changes the chosen system by one term at a time, as long as its score improves. most is
// the largest number of changes.
func (sr *searcher) improve(ctx context.Context, most int) {
	for range most {
		if ctx.Err() != nil {
			return
		}
		if !sr.replaceBy(ctx, sr.extend(ctx)) {
			return
		}
	}
}

// replaceBy replaces chosen candidates by better ones from fresh, which holds candidates by
// equation. It reports whether one was replaced. If ctx has ended, none is.
func (sr *searcher) replaceBy(ctx context.Context, fresh [][]*candidate) (changed bool) {
	if ctx.Err() != nil || !slices.ContainsFunc(fresh, func(l []*candidate) bool { return len(l) > 0 }) {
		return false
	}
	old := slices.Clone(sr.best)
	sr.together(ctx, 1, fresh)
	return !slices.Equal(old, sr.best)
}

// snapshot is a copy of the chosen system and its fit.
type snapshot struct {
	best         []*candidate
	candidates   []candidate
	wins         []window
	windowLength int
	shot         *trajectoryFit
	total        float64
	spread       float64
	unsure       []float64 // data.unsure
}

// snapshot returns a copy of the chosen system.
func (sr *searcher) snapshot() snapshot {
	s := snapshot{best: slices.Clone(sr.best), wins: sr.wins, windowLength: sr.windowLength, shot: sr.shot, total: sr.total, spread: sr.misfitPerDof(), unsure: sr.d.unsure}
	for _, c := range sr.best {
		if c != nil {
			s.candidates = append(s.candidates, *c)
		} else {
			s.candidates = append(s.candidates, candidate{})
		}
	}
	return s
}

// misfitPerDof returns the squared misfit of the chosen system per degree of freedom.
func (sr *searcher) misfitPerDof() float64 {
	if sr.shot == nil {
		return 0
	}
	return sum64(sr.shot.RSS) / sr.shot.dof
}

// restore makes s the chosen system of sr again.
func (s snapshot) restore(sr *searcher) {
	sr.best, sr.wins, sr.windowLength, sr.shot, sr.total = s.best, s.wins, s.windowLength, s.shot, s.total
	sr.d.unsure = s.unsure
	for k, c := range sr.best {
		if c != nil {
			*c = s.candidates[k]
		}
	}
}

// rivals returns the candidates of each equation that are within rivalMargin of the best system.
func (sr *searcher) rivals() [][]*candidate {
	out := make([][]*candidate, len(sr.pools))
	for k := range sr.pools {
		for _, c := range sr.pools[k].list {
			if c.shot != nil && c.windowLength == sr.windowLength && c.joint < sr.total+rivalMargin {
				out[k] = append(out[k], c)
			}
		}
		slices.SortStableFunc(out[k], func(a, b *candidate) int { return compareScores(a.joint, b.joint) })
		out[k] = out[k][:min(len(out[k]), rivals)]
	}
	return out
}
