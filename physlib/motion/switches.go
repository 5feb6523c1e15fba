package motion

import (
	"context"
	"math"
	"slices"
)

// A logger notes the value of a switched input at its rows. If it was switched between two rows,
// the state follows the earlier value for an unknown part of the interval.

const (
	// Two variances of residuals are compared: without the intervals in which an input is switched,
	// and without as many other intervals. If their ratio is at most switchShare, the moments of
	// the switches count as unknown.
	switchShare = 0.7
	// Least number of intervals between two switches that windows cover.
	leastBetween = 3
	// Least share of all intervals that windows must cover if the intervals with a switch are left
	// out.
	leastCovered = 0.6
)

// leaveOutSwitches excludes the intervals in which an input is switched from all windows. It does
// so if the variance of the residuals of one of the given laws is then clearly smaller. Any
// exclusion shortens the windows, and thus lowers the residuals of a wrong law. So it is compared
// with the exclusion of intervals halfway between the switches. It reports whether intervals are
// newly excluded.
func (sr *searcher) leaveOutSwitches(ctx context.Context, laws []int, variance func(k int) float64) bool {
	d := sr.d
	at := d.switches(d.switchedInputs())
	if d.left != nil || len(slices.Concat(at...)) == 0 {
		return false
	}
	d.left = at
	if !d.covered() {
		d.left = nil
		return false
	}
	unknown := slices.ContainsFunc(laws, func(k int) bool {
		d.left = at
		without := variance(k)
		d.left = halfway(at)
		return without < switchShare*variance(k)
	})
	d.left = nil
	if unknown && ctx.Err() == nil {
		d.left = at
	}
	return d.left != nil
}

// reconsiderSwitches calls leaveOutSwitches for the chosen system if the residuals exceed the
// noise. If intervals are newly excluded, the scores over the previous windows are forgotten.
func (sr *searcher) reconsiderSwitches(ctx context.Context) bool {
	if sr.shot == nil || ctx.Err() != nil || !slices.Contains(sr.d.switchedInputs(), true) {
		return false
	}
	f := sr.field(sr.trees())
	if !sr.leaveOutSwitches(ctx, sr.unexplained(), func(k int) float64 {
		s := sr.d.shoot(f, sr.d.windowsOf(sr.windowLength), sr.tolerance(), shootSteps, nil, func(float64, int) bool { return ctx.Err() != nil })
		return math.Pow(s.misfit(sr.d, k)/s.expectedRMS(), 2)
	}) {
		return false
	}
	for _, p := range sr.pools {
		for _, c := range p.list {
			c.joint, c.shot = math.NaN(), nil
		}
	}
	sr.twins = nil
	return true
}

// leastVariance returns the variance of the residuals of the sum of terms that best describes state
// k, but at least that of its errors. It is infinite if there is none.
func (sr *searcher) leastVariance(ctx context.Context, k int) float64 {
	m := sr.matching(k)
	if m == nil {
		return math.Inf(1)
	}
	b := sr.newBeam(ctx, k, m)
	sums := b.sums(ctx)
	if len(sums) == 0 {
		return math.Inf(1)
	}
	terms := sums[0].terms
	last := len(terms) - 1
	rss := b.remaining(terms[:last])[terms[last]].rss
	return max(rss/m.rows, math.Pow(sr.scatter(k), 2))
}

// switches returns, for each run, the rows after which an input in switched changes, ascending.
func (d *data) switches(switched []bool) [][]int {
	out := make([][]int, len(d.runs))
	for r, run := range d.runs {
		for i := range len(run.t) - 1 {
			for k, yes := range switched {
				if yes && run.x[k][i] != run.x[k][i+1] {
					out[r] = append(out[r], i)
					break
				}
			}
		}
	}
	return out
}

// halfway returns the rows in the middle between successive rows of each list, except rows of the
// list itself. Row -1 precedes the first row.
func halfway(rows [][]int) [][]int {
	out := make([][]int, len(rows))
	for r, list := range rows {
		for i, row := range list {
			before := -1
			if i > 0 {
				before = list[i-1]
			}
			if middle := (before + row) / 2; middle != before && middle != row {
				out[r] = append(out[r], middle)
			}
		}
	}
	return out
}

// parts returns the parts of run r between the intervals that are left out, as windows. Short parts
// are dropped.
func (d *data) parts(r int) (out []window) {
	begin, last := 0, len(d.runs[r].t)-1
	if d.left == nil {
		return []window{{r, 0, last}}
	}
	for _, row := range d.left[r] {
		if row-begin >= leastBetween {
			out = append(out, window{r, begin, row - begin})
		}
		begin = row + 1
	}
	if last-begin >= leastBetween {
		out = append(out, window{r, begin, last - begin})
	}
	return out
}

// covered reports whether the parts between the intervals that are left out contain enough
// intervals.
func (d *data) covered() bool {
	parts, all := 0, 0
	for r, run := range d.runs {
		all += len(run.t) - 1
		for _, w := range d.parts(r) {
			parts += w.n
		}
	}
	return float64(parts) >= leastCovered*float64(all)
}
