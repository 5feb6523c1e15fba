package motion

import "slices"

// A gap is so many times as wide as nearly all steps, and as the steps around it.
const (
	gapSteps  = 12
	nearlyAll = 0.8 // of steps; where runs are as short as may be, one in seven is a gap
	nearSteps = 4   // before a gap, and after it
)

// gaps are the rows before which the time goes on by many times its usual steps, and by many times
// the steps around it: times that are uneven, or spaced by a factor, have none.
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

// quantile is the value that a share of v does not exceed; it sorts v. Of none it is 0.
func quantile(v []float64, share float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[int(share*float64(len(v)-1))]
}
