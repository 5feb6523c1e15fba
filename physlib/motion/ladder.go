package motion

import (
	"math"
)

// Windows grow by this factor from windowLength to whole runs. Together they have so many intervals
// at most, so that long recordings cost no more than a few thousand rows.
const (
	growth        = 3
	mostIntervals = 1800
)

// standsOut is how many times the variance of the noise the deviation from a straight course must
// be for windows to say anything of a law: three standard deviations.
const standsOut = 10

// ladder returns the lengths of windows in intervals, in rising order; the last are whole runs.
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

// cut returns windows of about n intervals, evenly taken where these are too many.
func (d *data) cut(n int) []window {
	limit := max(windowLimit*windowLength/n, mostIntervals/n, len(d.runs))
	return d.windows(n, min(limit, mostIntervals/min(n, windowLength)))
}

// visible is the place in lengths from which on the course of measured state k stands out of its
// noise: a constant, or at order 2 a straight line, through each window leaves several times the
// variance of the errors.
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

// straight is what a polynomial of so many coefficients, one or two, leaves of x, squared, and the
// degrees of freedom.
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
