package motion

import (
	"math"
)

// Simulate integrates the field from start, which holds a value for each state. It returns the
// states at the times, as [state][time], with NaN where the field is undefined. extra holds the
// values of the constant columns.
func Simulate(f *Field, start, times, extra []float64) [][]float64 {
	p := f.starts()
	column := func(v []float64) [][]float64 {
		c := make([][]float64, len(v))
		for i := range c {
			c[i] = []float64{v[i]}
		}
		return c
	}
	scale := make([]float64, f.states)
	for k := range scale {
		scale[k] = max(math.Abs(start[k]), 1e-3)
	}
	w := newFlow(f, 1, 1e-11, scale)
	w.limit, w.maxSteps = math.Inf(1), 20000
	x, e, q := column(start), column(extra), column(p)
	out := make([][]float64, f.states)
	given := make([][]quintic, f.states)
	for i := range times {
		if i > 0 {
			w.Interval(x, times[i-1:i], []float64{times[i] - times[i-1]}, e, q, given)
		}
		for k := range out {
			out[k] = append(out[k], x[k][0])
			scale[k] = max(scale[k], math.Abs(x[k][0]))
		}
	}
	return out
}
