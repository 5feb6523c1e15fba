package motion

import "slices"

// A gap is a step much longer than the usual step, and than the median step near it.
const (
	gapSteps  = 12  // least ratio of a gap to the usual step, and to the median step near it
	nearlyAll = 0.8 // the usual step is the quantile of all steps for this fraction
	nearSteps = 4   // number of steps around a gap, on each side
)

// gaps returns the rows of t that follow a gap. A gap is much longer than the usual step and than
// the steps around it, so uneven or geometrically spaced times have no gaps.
func gaps(t, steps []float64) (out []int) {
	usual := quantile(steps, nearlyAll)
	for i := 1; i < len(t); i++ {
		if t[i]-t[i-1] <= gapSteps*usual {
			continue
		}
		var near []float64
		for j := max(1, i-nearSteps); j <= min(len(t)-1, i+nearSteps); j++ {
			if step := t[j] - t[j-1]; j != i && step > 0 {
				near = append(near, step)
			}
		}
		if t[i]-t[i-1] > gapSteps*quantile(near, 0.5) {
			out = append(out, i)
		}
	}
	return out
}

// quantile returns the quantile of v for the fraction share, or 0 if v is empty. It sorts v.
func quantile(v []float64, share float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[int(share*float64(len(v)-1))]
}
