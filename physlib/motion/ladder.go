package motion

import (
	"math"
)

// The lengths of windows grow geometrically from windowLength to whole runs.
const (
	growth = 3 // ratio of successive lengths
	// Largest total number of intervals in all windows, to limit the cost of long recordings.
	mostIntervals = 1800
)

// standsOut is the least ratio of the variance of the data to the noise variance in informative
// windows; it corresponds to about three standard deviations. The variance is taken about a
// constant, or at order 2 about a straight line.
const standsOut = 10

// ladder returns the lengths of windows in intervals, in ascending order. The last length is that
// of whole runs.
func (d *data) ladder() []int {
	longest := 0
	for _, r := range d.runs {
		longest = max(longest, len(r.t)-1)
	}
	var out []int
	for n := windowLength; 2*n < longest; n *= growth {
		out = append(out, n)
	}
	return append(out, longest)
}

// visible returns the index in lengths of the shortest windows in which measured state k exceeds
// its noise. In each window it fits a constant, or at order 2 a straight line, and compares the
// residual variance with the noise.
func (d *data) visible(k int, lengths []int) int {
	for i, n := range lengths {
		var rss, dof float64
		for _, w := range d.windowsOf(n) {
			r := &d.runs[w.run]
			s, f := straight(r.t[w.at:w.at+w.n+1], r.x[k][w.at:w.at+w.n+1], d.order)
			rss, dof = rss+s, dof+f
		}
		if rss >= standsOut*dof*d.sigma[k]*d.sigma[k] {
			return i
		}
	}
	return len(lengths) - 1
}

// windowsOf returns windows of about n intervals. If there are too many windows, it returns an evenly
// spaced selection of them.
func (d *data) windowsOf(n int) []window {
	limit := max(mostIntervals/n, len(d.runs))
	if d.left != nil { // windows also end at switches, so they may be much shorter than n
		limit = mostIntervals
	}
	return d.windows(n, min(limit, mostIntervals/min(n, windowLength)))
}

// straight fits x by a constant (1 coefficient) or a straight line (2 coefficients). It returns the
// residual sum of squares and the degrees of freedom.
func straight(t, x []float64, coefficients int) (rss, dof float64) {
	n := float64(len(t))
	var mt, mx float64
	for i := range t {
		mt += t[i] / n
		mx += x[i] / n
	}
	var tt, tx, xx float64
	for i := range t {
		u, v := t[i]-mt, x[i]-mx
		tt, tx, xx = tt+u*u, tx+u*v, xx+v*v
	}
	if coefficients == 2 && tt > 0 {
		return max(0, xx-tx*tx/tt), math.Max(0, n-2)
	}
	return xx, math.Max(0, n-1)
}
