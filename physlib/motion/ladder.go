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

// standsOut is the least ratio of variance to noise variance in informative windows, which is about
// three standard deviations. The variance is that about a constant, or at order 2 about a straight
// line.
const standsOut = 10

// ladder returns the lengths of windows in intervals, in ascending order. The last one is a whole
// run.
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
// its noise. It compares with the noise the residual variance of a constant, or at order 2 of a
// straight line, in each window.
func (d *data) visible(k int, lengths []int) int {
	for i, n := range lengths {
		var rss, dof float64
		for _, w := range d.cut(n) {
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

// cut returns windows of about n intervals, evenly selected if there are too many.
func (d *data) cut(n int) []window {
	limit := max(mostIntervals/n, len(d.runs))
	return d.windows(n, min(limit, mostIntervals/min(n, windowLength)))
}

// straight returns the residual sum of squares of x about a constant or a straight line, which have
// one or two coefficients, and the degrees of freedom.
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
