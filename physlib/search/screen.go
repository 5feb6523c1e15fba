package search

import (
	"math"
	"sort"

	"github.com/physlib/lab/physlib/dataset"
)

// maxVars is how many variables the joins take on; of more, those are chosen that the target depends on most.
const maxVars = 12

// irrelevant picks the variables of a wide table that are to be left out: those with the least weight in linear regressions of
// the target, or its logarithm, on the variables, their squares and logarithms. Named constants stay.
func irrelevant(p *dataset.Problem) map[int]bool {
	var vary []int
	for i, v := range p.Vars {
		if !v.Const && !constant(v.Values) {
			vary = append(vary, i)
		}
	}
	if len(vary) <= maxVars {
		return nil
	}
	rows := sampleRows(p, vary, 4000)
	y := make([]float64, len(rows))
	for k, r := range rows {
		y[k] = p.Target.Values[r]
	}
	weight := map[int]float64{}
	for _, of := range []func(float64) float64{func(v float64) float64 { return v }, func(v float64) float64 { return math.Log(math.Abs(v)) }} {
		t := make([]float64, len(rows))
		for k := range t {
			t[k] = of(y[k])
		}
		if t = standard(t); t == nil || !finite(t) {
			continue
		}
		for _, f := range []func(float64) float64{of, func(v float64) float64 { return of(v) * of(v) }} {
			influences(p, rows, vary, t, f, weight)
		}
	}
	sort.SliceStable(vary, func(a, b int) bool { return weight[vary[a]] > weight[vary[b]] })
	drop := map[int]bool{}
	for _, i := range vary[maxVars:] {
		drop[i] = true
	}
	return drop
}

// influences raises each variable's weight to the t statistic of its column f(x) in a regression of t on all of them, or to that
// of a regression on it alone where there are too few rows.
func influences(p *dataset.Problem, rows, vary []int, t []float64, f func(float64) float64, weight map[int]float64) {
	var cols [][]float64
	var of []int
	for _, i := range vary {
		c := make([]float64, len(rows))
		for k, r := range rows {
			c[k] = f(p.Vars[i].Values[r])
		}
		if c = standard(c); c != nil && finite(c) {
			cols = append(cols, c)
			of = append(of, i)
		}
	}
	if len(rows) > 2*len(cols) {
		if coef, se, ok := leastSquares(cols, t); ok {
			for k, i := range of {
				if se[k] > 0 {
					weight[i] = max(weight[i], math.Abs(coef[k])/se[k])
				}
			}
		}
		return
	}
	for k, i := range of {
		r := dot(cols[k], t) / float64(len(rows))
		weight[i] = max(weight[i], math.Abs(r)*math.Sqrt(float64(len(rows))))
	}
}
