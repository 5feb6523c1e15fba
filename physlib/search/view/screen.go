package view

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/search/column"
)

// maxVars is how many variables the joins take on; of more, those are chosen that the target
// depends on most.
const maxVars = 12

// Irrelevant returns the variables of a wide table that are left out, those of least weight.
// Weights come from linear regressions of the target, or its logarithm, on the variables, their
// squares and logarithms. They also come from a forward selection that has products of two. Named
// constants stay.
func Irrelevant(p *dataset.Problem) map[int]bool {
	var vary []int
	for i, v := range p.Vars {
		if !v.Const && !column.Constant(v.Values) {
			vary = append(vary, i)
		}
	}
	if len(vary) <= maxVars {
		return nil
	}
	rows := SampleRows(p, vary, 4000)
	weight := map[int]float64{}
	for _, of := range []func(float64) float64{func(v float64) float64 { return v }, column.LogAbs} {
		t := standardized(p.Target.Values, rows, of)
		if t == nil {
			continue
		}
		for _, f := range []func(float64) float64{of, func(v float64) float64 { return of(v) * of(v) }} {
			influences(p, rows, vary, t, f, weight)
		}
		together(p, rows, vary, t, of, weight)
	}
	sort.SliceStable(vary, func(a, b int) bool { return weight[vary[a]] > weight[vary[b]] })
	drop := map[int]bool{}
	for _, i := range vary[maxVars:] {
		drop[i] = true
	}
	return drop
}

// standardized returns f of v in some rows, standardized; nil if it is constant or not finite.
func standardized(v []float64, rows []int, f func(float64) float64) []float64 {
	c := column.Map(dataset.Pick(v, rows), f)
	if c = column.Standardize(c); c == nil || !column.Finite(c) {
		return nil
	}
	return c
}

// influences raises each variable's weight to the t statistic of its column f(x) in a regression of
// t on all of them. Where there are too few rows, the regression is on it alone.
func influences(p *dataset.Problem, rows, vary []int, t []float64, f func(float64) float64, weight map[int]float64) {
	var cols [][]float64
	var of []int
	for _, i := range vary {
		if c := standardized(p.Vars[i].Values, rows, f); c != nil {
			cols = append(cols, c)
			of = append(of, i)
		}
	}
	if len(rows) > 2*len(cols) {
		if coef, se, ok := column.LeastSquares(cols, t); ok {
			for k, i := range of {
				if se[k] > 0 {
					weight[i] = max(weight[i], math.Abs(coef[k])/se[k])
				}
			}
		}
		return
	}
	for k, i := range of {
		r := column.Dot(cols[k], t) / float64(len(rows))
		weight[i] = max(weight[i], math.Abs(r)*math.Sqrt(float64(len(rows))))
	}
}

const (
	productSteps  = 10   // terms of a forward selection
	productRows   = 400  // rows for it
	productVars   = 100  // variables up to which it is made
	productWeight = 0.75 // factor relative to single columns: the best of many products is high by chance
)

// together raises each variable's weight by a forward selection of t from f(x), their squares and
// the products of two. The weight is the statistic of the partial correlation with which its column
// enters. This finds variables that count only together, and weak ones once the strong are
// explained.
func together(p *dataset.Problem, rows, vary []int, t []float64, f func(float64) float64, weight map[int]float64) {
	if len(rows) > productRows {
		rows, t = rows[:productRows], column.Standardize(t[:productRows])
	}
	if t == nil || len(vary) > productVars {
		return
	}
	singles := make([][]float64, len(vary))
	for k, i := range vary {
		singles[k] = standardized(p.Vars[i].Values, rows, f)
	}
	cols, of := withProducts(singles, vary)
	forward(cols, t, func(k int, statistic float64) {
		for _, i := range of[k] {
			weight[i] = max(weight[i], statistic)
		}
	})
}

// withProducts lists the columns that are not nil and the products of two of them, and which of the
// variables each is of.
func withProducts(singles [][]float64, vary []int) (cols [][]float64, of [][2]int) {
	for a, x := range singles {
		if x == nil {
			continue
		}
		cols, of = append(cols, x), append(of, [2]int{vary[a], vary[a]})
		for b, y := range singles[:a+1] {
			if y == nil {
				continue
			}
			if product := column.Standardize(column.Product(x, y)); product != nil {
				cols, of = append(cols, product), append(of, [2]int{vary[a], vary[b]})
			}
		}
	}
	return cols, of
}

// forward selects columns for t one by one, each time the one of greatest partial correlation. It
// reports each with the statistic with which it enters.
func forward(cols [][]float64, t []float64, enters func(k int, statistic float64)) {
	n := float64(len(t))
	residual := append([]float64(nil), t...)
	var span [][]float64
	for range min(productSteps, len(t)/6) {
		best, most := -1, 0.0
		norm := math.Sqrt(column.Dot(residual, residual))
		for k, c := range cols {
			rest := n
			for _, q := range span {
				d := column.Dot(q, c)
				rest -= d * d
			}
			if rest < 1e-6*n {
				continue
			}
			if r := math.Abs(column.Dot(residual, c)) / (norm * math.Sqrt(rest)); r > most {
				best, most = k, r
			}
		}
		u, ok := []float64(nil), false
		if best >= 0 {
			u, ok = column.Independent(span, cols[best])
		}
		if !ok {
			return
		}
		most = min(most, 1-1e-9)
		enters(best, productWeight*most*math.Sqrt((n-float64(len(span)+2))/(1-most*most)))
		span = append(span, u)
		floats.AddScaled(residual, -column.Dot(u, residual), u)
	}
}
