package motion

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/outlier"
)

// Limits for glitches. Unless stated otherwise, the deviation of a row is the distance of its value
// from the cubic through two rows on each side.
const (
	// overNear is the least ratio of two deviations: that of a one-row glitch, and that of its
	// neighbours after the glitch is removed. For a glitch of n rows the least ratio is n times as
	// large.
	overNear = 4
	// overFar is the least ratio of the deviation of a glitch to the 70 % quantile of the
	// deviations of more distant rows. At uneven times, a deviation depends on the steps. So the
	// deviations are also scaled to equal steps, once as for a smooth curve and once as for noise.
	// The ratio must be this large in all three cases.
	overFar = 8
	// overEnd is the least ratio of two deviations: that of a glitch in the first or last two rows,
	// and the largest one of the next rows. A wrong first or last value must also be far from the
	// values inside the run: its distance must be at least overEnd times the range of these values.
	overEnd = 20
	// overStep is the least ratio of the jump of x at a dropout to the median step of x nearby.
	overStep = 3
	// longest is the largest number of consecutive rows in a glitch. A longer stretch can only be a
	// dropout, which has a single value.
	longest = 3
	// around is the number of rows or steps compared on each side.
	around = 10
)

// glitches returns the rows of t in which a state jumps away and, after at most longest rows, jumps
// back. It also returns rows at the ends of runs with values far from all others. warning names
// these rows. Inputs are not checked: they are set, often in steps and pulses.
func (tr *Trajectories) glitches(t *dataset.Table) (rows []int, warning string) {
	var notes []string
	for _, c := range tr.States[:len(tr.States)-tr.Inputs] {
		var inside, ends []int
		for _, run := range tr.Runs {
			for _, i := range glitches(tr.Time.Values[run[0]:run[1]], c.Values[run[0]:run[1]]) {
				if at := run[0] + i; at == run[0] || at == run[1]-1 {
					ends = append(ends, at)
				} else {
					inside = append(inside, at)
				}
			}
		}
		if len(inside) > 0 {
			notes = append(notes, fmt.Sprintf("%s jumps away and back in %s", c.Name, t.RowNames(inside)))
		}
		if len(ends) > 0 {
			notes = append(notes, fmt.Sprintf("%s is far from all its other values in %s", c.Name, t.RowNames(ends)))
		}
		rows = outlier.Union(rows, outlier.Union(inside, ends))
	}
	return rows, strings.Join(notes, ", ") + "; left out"
}

// glitches returns the rows in which x jumps away and back. t and x hold the rows of one run; the
// result counts them from 0.
//
// A glitch is up to three consecutive rows far from the cubic through two rows on each side. When
// the glitch is removed, its neighbours must be near such cubics. Longer stretches of one value,
// as from a failing sensor, are dropouts. The first and last two rows are checked as well (see
// wrongEnd). The search is iterated, because glitches close to one another hide each other.
func glitches(t, x []float64) (out []int) {
	rows := make([]int, len(t)) // rows not yet rejected
	for i := range rows {
		rows[i] = i
	}
	floor := smallest(x)
	take := func(from, to int) {
		out = append(out, rows[from:to]...)
		rows = slices.Delete(rows, from, to)
	}
	for _, d := range slices.Backward(dropouts(x, floor)) {
		take(d[0], d[1])
	}
	for turn := 0; turn < 4 && len(out) <= len(t)/10; turn++ {
		before := len(out)
		for width := 1; width <= longest; width++ {
			for _, k := range slices.Backward(oddest(t, x, rows, width, floor)) {
				take(k, k+width)
			}
		}
		for k := range 2 {
			if wrongEnd(t, x, rows, k, floor) {
				take(k, k+1)
			}
			reversed := slices.Clone(rows)
			slices.Reverse(reversed)
			last := len(rows) - 1 - k
			if wrongEnd(t, x, reversed, k, floor) {
				take(last, last+1)
			}
		}
		if len(out) == before {
			slices.Sort(out)
			return out
		}
	}
	return nil // no convergence
}

// dropouts returns the stretches [from, to) of more than longest rows in which x is constant. At
// both ends of a dropout, x jumps by more than its usual step.
func dropouts(x []float64, floor float64) (out [][2]int) {
	for from := 2; from < len(x)-2; {
		to := from + 1
		for to < len(x) && x[to] == x[from] {
			to++
		}
		if to-from > longest && to <= len(x)-2 && to-from <= len(x)/4 {
			var steps []float64
			for i := max(1, from-around); i < min(len(x), to+1+around); i++ {
				if i < from || i > to {
					steps = append(steps, math.Abs(x[i]-x[i-1]))
				}
			}
			slices.Sort(steps)
			usual := steps[len(steps)/2]
			if jump := min(math.Abs(x[from]-x[from-1]), math.Abs(x[to]-x[to-1])); usual > 0 && jump > overStep*max(usual, floor) {
				out = append(out, [2]int{from, to})
			}
		}
		from = to
	}
	return out
}

// oddest returns the positions in rows at which glitches of the given width begin. Of several
// positions close together, it keeps the one whose removal leaves the neighbours with the smallest
// deviation.
func oddest(t, x []float64, rows []int, width int, floor float64) (out []int) {
	end := len(rows) - width - 1
	// The four slices describe a glitch that begins at each position. off and most are the least
	// and the largest deviation in its rows. size is the largest remainder (see remainder), and
	// gain the largest gain (see apart).
	off, most := make([]float64, len(rows)), make([]float64, len(rows))
	size, gain := make([]float64, len(rows)), make([]float64, len(rows))
	for k := 2; k < end; k++ {
		off[k] = math.Inf(1)
		nodes := [...]int{rows[k-2], rows[k-1], rows[k+width], rows[k+width+1]}
		for m := k; m < k+width; m++ {
			d, g := apart(t, x, rows[m], nodes[:]...)
			off[k], most[k] = min(off[k], math.Abs(d)), max(most[k], math.Abs(d))
			size[k], gain[k] = max(size[k], remainder(t, rows[m], nodes[:]...)), max(gain[k], g)
		}
	}
	reach, least := width+2, 0.0 // least: deviation of the neighbours after removal of the last glitch in out
	for k := 2; k < end; k++ {
		if off[k] <= overFar*floor {
			continue
		}
		// n counts the rows that are compared. The other counters count the rows whose deviation is
		// far smaller than that of the glitch. For far, the deviation is not scaled. For curved, it
		// is scaled to the steps at row k as for a smooth curve, and for noisy, as for noise.
		n, far, curved, noisy := 0, 0, 0, 0
		for d := reach; d < reach+around; d++ {
			for _, m := range [2]int{k - d, k + d} {
				if m < 2 || m >= end {
					continue
				}
				n++
				far += oneIfLess(overFar*most[m], off[k])
				curved += oneIfLess(overFar*(most[m]/size[m]*size[k]), off[k])
				noisy += oneIfLess(overFar*(most[m]/gain[m]*gain[k]), off[k])
			}
		}
		if n < around || min(far, curved, noisy) <= n*7/10 {
			continue
		}
		left := max(without(t, x, rows, k, width), floor)
		last := len(out) - 1
		switch {
		case !(off[k] > overNear*float64(width)*left):
		case last < 0 || k > out[last]+reach:
			out, least = append(out, k), left
		case left < least:
			out[last], least = k, left
		}
	}
	return out
}

// without removes width rows from position k on, and returns the largest deviation of the two
// neighbours on each side.
func without(t, x []float64, rows []int, k, width int) (most float64) {
	rest := slices.Concat(rows[max(0, k-4):k], rows[k+width:min(len(rows), k+width+4)])
	at := min(k, 4) // rest[at-1] and rest[at] are the neighbours
	for m := max(2, at-2); m < min(len(rest)-2, at+2); m++ {
		off, _ := apart(t, x, rest[m], rest[m-2], rest[m-1], rest[m+1], rest[m+2])
		most = max(most, math.Abs(off))
	}
	return most
}

// wrongEnd reports whether position k of rows, 0 or 1, is a glitch. rows may begin at either end
// of a run. A run may begin with a fast transient, so it is not enough to be far from the curve
// through the next rows. In addition, either the row before it must lie on this curve, or the value
// must be far from all values that are not at the ends.
func wrongEnd(t, x []float64, rows []int, k int, floor float64) bool {
	if len(rows) < k+leastRows+around || !loose(t, x, rows[k:], overEnd, floor) {
		return false
	}
	if k == 1 && !loose(t, x, slices.Concat(rows[:1], rows[2:]), overEnd, floor) {
		return true
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, i := range rows[2 : len(rows)-2] {
		low, high = min(low, x[i]), max(high, x[i])
	}
	at := x[rows[k]]
	return max(low-at, at-high) > overEnd*(high-low)
}

// loose reports whether the first of rows is far from the cubic or the line through the next rows.
// The deviation must exceed over times the corresponding deviations of the following rows.
// rows may begin at either end of a run, and must be at least leastRows.
func loose(t, x []float64, rows []int, over, floor float64) bool {
	for _, nodes := range []int{4, 2} {
		at := func(k int) (off, gain, size float64) {
			off, gain = apart(t, x, rows[k], rows[k+1:k+1+nodes]...)
			return math.Abs(off), gain, remainder(t, rows[k], rows[k+1:k+1+nodes]...)
		}
		first, gain, size := at(0)
		most := floor
		for k := 1; k <= min(around, len(rows)-1-nodes) && first > over*most; k++ {
			off, g, s := at(k)
			most = max(most, off, off/s*size, off/g*gain)
		}
		if first > over*most {
			return true
		}
	}
	return false
}

// apart returns the deviation of x in row i from the polynomial through the rows of nodes. gain is
// the standard deviation of off if the errors of x are independent and have standard deviation 1.
func apart(t, x []float64, i int, nodes ...int) (off, gain float64) {
	off, gain = x[i], 1
	for _, k := range nodes {
		weight := 1.0
		for _, m := range nodes {
			if m != k {
				weight *= (t[i] - t[m]) / (t[k] - t[m])
			}
		}
		off -= weight * x[k]
		gain += weight * weight
	}
	return off, math.Sqrt(gain)
}

// oneIfLess returns 1 if a is less than b, otherwise 0.
func oneIfLess(a, b float64) int {
	if a < b {
		return 1
	}
	return 0
}

// remainder returns the product of the steps from row i to the nodes. The interpolation error of
// a smooth curve is proportional to it.
func remainder(t []float64, i int, nodes ...int) float64 {
	out := 1.0
	for _, k := range nodes {
		out *= math.Abs(t[i] - t[k])
	}
	return out
}

// smallest returns the least deviation of x that is not due to rounding.
func smallest(x []float64) float64 {
	return max(quantum(x), 1e-12*(slices.Max(x)-slices.Min(x)))
}

// quantum returns the smallest nonzero step between values of x in adjacent rows, or 0 if there
// is none.
func quantum(x []float64) float64 {
	least := math.Inf(1)
	for i := 1; i < len(x); i++ {
		if step := math.Abs(x[i] - x[i-1]); step > 0 {
			least = min(least, step)
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}
