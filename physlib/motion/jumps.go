package motion

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
)

// Limits for jumps.
const (
	// overJump is the least ratio of the deviation at a jump to the largest deviation of the rows
	// near it, on each side.
	overJump = 10
	// overSteps is the least ratio of a jump to the largest of the nearSteps steps on each side. At
	// a kink, only the slope jumps.
	overSteps = 3
)

// jumps returns the rows at which every column jumps, although it changes smoothly before and
// after. No law of motion describes such a step, so another trajectory begins there. Columns that
// are constant on both sides, such as a parameter of each trajectory, are not compared. runs are
// the runs known so far.
func jumps(t []float64, columns []dataset.Column, runs [][2]int) (out []int) {
	for _, run := range runs {
		from, to := run[0], run[1]
		var all []trace
		for _, c := range columns {
			all = append(all, newTrace(t[from:to], c.Values[from:to]))
		}
		for i := leastRows; i <= to-from-leastRows; i++ {
			if allJump(all, i) {
				out = append(out, from+i)
			}
		}
	}
	return out
}

// allJump reports whether all columns that do not rest around row i jump there.
func allJump(columns []trace, i int) bool {
	moving := slices.DeleteFunc(slices.Clone(columns), func(c trace) bool { return c.rests(i) })
	return len(moving) > 0 && !slices.ContainsFunc(moving, func(c trace) bool { return !c.jumps(i) })
}

// trace holds the values of a column in the rows of one run.
type trace struct {
	t, x     []float64
	floor    float64 // deviations below it are rounding
	dropouts [][2]int
	up, down []int // all rows in ascending and in descending order
}

func newTrace(t, x []float64) trace {
	s := trace{t: t, x: x, floor: smallest(x)}
	s.dropouts = dropouts(x, s.floor)
	for i := range x {
		s.up = append(s.up, i)
	}
	s.down = slices.Clone(s.up)
	slices.Reverse(s.down)
	return s
}

// rests reports whether x is constant before row i and constant from row i on.
func (s trace) rests(i int) bool {
	near := leastRows - 1
	return constant(s.x, [][2]int{{i - near, i}, {i, i + near}})
}

// jumps reports whether x jumps from row i-1 to row i. The beginning and the end of a dropout are
// no jumps.
func (s trace) jumps(i int) bool {
	for _, d := range s.dropouts {
		if i == d[0] || i == d[1] {
			return false
		}
	}
	for j := i - nearSteps; j <= i+nearSteps; j++ {
		if j != i && math.Abs(s.x[i]-s.x[i-1]) < overSteps*math.Abs(s.x[j]-s.x[j-1]) {
			return false
		}
	}
	return loose(s.t, s.x, s.up[i-1:], overJump, s.floor) && loose(s.t, s.x, s.down[len(s.x)-1-i:], overJump, s.floor)
}
