package view

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/dataset"
)

// mostVars is the largest number of varying variables in a search. If a table has more, the search
// uses those on which the target depends most.
const mostVars = 12

// Irrelevant returns the variables of a wide table that are left out: those with the least weight.
// A forward selection chooses the columns that explain the target, one after the other. The columns
// are the variables and products of two of them. Each chosen column gets the t statistic of its
// partial correlation with the target. The weight of a variable is the largest t statistic of the
// columns that contain the variable. The selection is repeated with logarithms. In this way,
// variables that matter only together are found, and weak variables are found after the effects of
// strong ones are subtracted. Known constants are always kept.
func Irrelevant(p *dataset.Problem) map[int]bool {
	var vary []int
	for i, v := range p.Vars {
		if !v.Const && !column.Constant(v.Values) {
			vary = append(vary, i)
		}
	}
	if len(vary) <= mostVars {
		return nil
	}
	rows := SampleRows(p, vary, forwardRows)
	weight := map[int]float64{}
	for _, f := range []func(float64) float64{func(v float64) float64 { return v }, column.LogAbs} {
		t := standardized(p.Target.Values, rows, f)
		if t == nil {
			continue
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
	slices.SortStableFunc(vary, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
	drop := map[int]bool{}
	for _, i := range vary[mostVars:] {
		drop[i] = true
	}
	return drop
}

// standardized returns f(v) in the given rows, standardized. It returns nil if f(v) is constant or
// not finite.
func standardized(v []float64, rows []int, f func(float64) float64) []float64 {
	c := column.Map(dataset.Pick(v, rows), f)
	if c = column.Standardize(c); c == nil || !column.Finite(c) {
		return nil
	}
	return c
}

// Sizes of the forward selection.
const (
	forwardSteps = 16   // largest number of columns selected
	forwardRows  = 1000 // largest number of rows used
	// If there are at most this many variables, products of two different variables are among the
	// columns.
	productVars = 100
)

// withProducts lists the columns of singles that are not nil, and their squares. If there are at
// most productVars variables, it also lists the products of two different columns. singles[i] is
// made from variable vary[i]. Column k of the result is made from the two variables in of[k], which
// may be equal.
func withProducts(singles [][]float64, vary []int) (cols [][]float64, of [][2]int) {
	for a, x := range singles {
		if x == nil {
			continue
		}
		cols, of = append(cols, x), append(of, [2]int{vary[a], vary[a]})
		for b, y := range singles[:a+1] {
			if y == nil || a != b && len(vary) > productVars {
				continue
			}
			if product := column.Standardize(column.Product(x, y)); product != nil {
				cols, of = append(cols, product), append(of, [2]int{vary[a], vary[b]})
			}
		}
	}
	return cols, of
}

// forward selects columns one by one to explain t, each time the column with the greatest partial
// correlation. For each selected column, it calls enters with the index of the column and the t
// statistic of this correlation.
func forward(cols [][]float64, t []float64, enters func(k int, statistic float64)) {
	n := float64(len(t))
	residual := append([]float64(nil), t...)
	var span [][]float64
	for range min(forwardSteps, len(t)/6) {
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
		enters(best, most*math.Sqrt((n-float64(len(span)+2))/(1-most*most)))
		span = append(span, u)
		floats.AddScaled(residual, -column.Dot(u, residual), u)
	}
}
