package motion

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/outlier"
)

const (
	// overNear is how far a glitch is off at least, as a multiple of what its neighbours are off
	// without it and of how many rows it has.
	overNear = 4
	// overFar is the same of what seven in ten of more distant rows are off at most.
	overFar = 8
	// overEnd is the same of what any of the next rows is off, where the glitch is one of the first
	// or last two.
	overEnd = 20
	// overStep is how far x jumps where a sensor fails, as a multiple of its usual step.
	overStep = 3
	// longest is how many rows in turn may be off where they have not all one value.
	longest = 3
	// around is how many rows or steps before and after are asked.
	around = 10
)

// glitches are the rows of t in which a state jumps away and back, and what is to be said of them.
func (tr *Trajectories) glitches(t *dataset.Table) (rows []int, said string) {
	var told []string
	for _, c := range tr.States {
		var odd []int
		for _, run := range tr.Runs {
			for _, i := range glitches(tr.Time.Values[run[0]:run[1]], c.Values[run[0]:run[1]]) {
				odd = append(odd, run[0]+i)
			}
		}
		if len(odd) > 0 {
			rows = outlier.Union(rows, odd)
			told = append(told, fmt.Sprintf("%s jumps away and back in %s", c.Name, t.RowNames(odd)))
		}
	}
	return rows, strings.Join(told, ", ") + "; left out"
}

// glitches are the rows of one run, from 0, at which x jumps away and back: up to three in turn
// that lie far from the cubic through the two rows before and after, while without them the
// neighbours do not; more of them that all have one value, as where a sensor fails; the first and
// the last two. Errors that come close together are found by turns.
func glitches(t, x []float64) (out []int) {
	rows := make([]int, len(t)) // those that are left
	for i := range rows {
		rows[i] = i
	}
	floor := max(quantum(x), 1e-12*(slices.Max(x)-slices.Min(x)))
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
			if loose(t, x, rows[k:], floor) {
				take(k, k+1)
			}
			last := slices.Clone(rows[:len(rows)-k])
			slices.Reverse(last)
			if loose(t, x, last, floor) {
				take(len(last)-1, len(last))
			}
		}
		if len(out) == before {
			slices.Sort(out)
			return out
		}
	}
	return nil // they do not come to an end
}

// dropouts are stretches [from, to) of more than a few rows with one value, away from which x is
// before and after by more than it moves there.
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

// oddest are the first places in rows of glitches so many rows wide; of those nearby, that without
// which the neighbours are off by least.
func oddest(t, x []float64, rows []int, width int, floor float64) (out []int) {
	end := len(rows) - width - 1
	off, most := make([]float64, len(rows)), make([]float64, len(rows)) // the least and the most of the rows from each place on
	size := make([]float64, len(rows))                                  // what the remainder of the cubic is proportional to there
	for k := 2; k < end; k++ {
		off[k] = math.Inf(1)
		for m := k; m < k+width; m++ {
			d := math.Abs(apart(t, x, rows[m], rows[k-2], rows[k-1], rows[k+width], rows[k+width+1]))
			off[k], most[k] = min(off[k], d), max(most[k], d)
			size[k] = max(size[k], remainder(t, rows[m], rows[k-2], rows[k-1], rows[k+width], rows[k+width+1]))
		}
	}
	reach, least := width+2, 0.0 // what the last of out leaves
	far, curved := make([]float64, 0, 2*around), make([]float64, 0, 2*around)
	for k := 2; k < end; k++ {
		if off[k] <= overFar*floor {
			continue
		}
		far, curved = far[:0], curved[:0]
		for d := reach; d < reach+around; d++ {
			if k-d >= 2 {
				far, curved = append(far, most[k-d]), append(curved, most[k-d]/size[k-d])
			}
			if k+d < end {
				far, curved = append(far, most[k+d]), append(curved, most[k+d]/size[k+d])
			}
		}
		if len(far) < around {
			continue
		}
		slices.Sort(far)
		slices.Sort(curved) // at uneven times a smooth course is off by as much as its fourth derivative and the steps make it
		if !(off[k] > overFar*max(far[len(far)*7/10], floor, curved[len(curved)*7/10]*size[k])) {
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

// without is the most that the two neighbours on each side are off by without width rows from place
// k.
func without(t, x []float64, rows []int, k, width int) (most float64) {
	rest := slices.Concat(rows[max(0, k-4):k], rows[k+width:min(len(rows), k+width+4)])
	at := min(k, 4) // rest[at-1] and rest[at] are the neighbours
	for m := max(2, at-2); m < min(len(rest)-2, at+2); m++ {
		most = max(most, math.Abs(apart(t, x, rest[m], rest[m-2], rest[m-1], rest[m+1], rest[m+2])))
	}
	return most
}

// loose reports whether the first of rows, from either end of a run, is far from the cubic or the
// line through the next of them, beside what those after it are from theirs.
func loose(t, x []float64, rows []int, floor float64) bool {
	if len(rows) < leastRows+around {
		return false
	}
	for _, nodes := range []int{4, 2} {
		off := func(k int) float64 { return math.Abs(apart(t, x, rows[k], rows[k+1:k+1+nodes]...)) }
		size := func(k int) float64 { return remainder(t, rows[k], rows[k+1:k+1+nodes]...) }
		most := floor
		for k := 1; k <= around; k++ {
			most = max(most, off(k), off(k)/size(k)*size(0))
		}
		if off(0) > overEnd*most {
			return true
		}
	}
	return false
}

// apart is how far x in row i is from the polynomial through the rows of nodes.
func apart(t, x []float64, i int, nodes ...int) float64 {
	said := 0.0
	for _, k := range nodes {
		weight := 1.0
		for _, m := range nodes {
			if m != k {
				weight *= (t[i] - t[m]) / (t[k] - t[m])
			}
		}
		said += weight * x[k]
	}
	return x[i] - said
}

// remainder is the product of the steps from row i to the nodes, to which what a polynomial through
// these leaves out of a smooth course is proportional.
func remainder(t []float64, i int, nodes ...int) float64 {
	out := 1.0
	for _, k := range nodes {
		out *= math.Abs(t[i] - t[k])
	}
	return out
}

// quantum is the least step between values of x in rows next to one another.
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
