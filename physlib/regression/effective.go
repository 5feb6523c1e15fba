package regression

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/outlier"
)

// EffectiveSigma returns the standard errors of t's target with the errors of columns included,
//
//	σ² = σ_y² + Σ (∂l/∂x)²·σ_x².
//
// The slopes ∂l/∂x, and σ_y if it is a share of the target, follow from l with its fitted
// constants. xsigma holds the standard errors of columns, by name. In a row in which the slope for
// a column is not finite, the error of that column adds nothing.
func EffectiveSigma(l law.Law, t *dataset.Table, xsigma map[string][]float64) []float64 {
	cols := columnsOf(l, t)
	sigma := transferred(l, cols, xsigma, t.Rows())
	for i, v := range targetErrors(l, t, cols) {
		sigma[i] += v * v
	}
	for i, v := range sigma {
		sigma[i] = math.Sqrt(v)
	}
	return sigma
}

// Scatter estimates the standard error σ_y of t's target, equal in all rows, from the residuals r
// of l. It maximizes the likelihood of residuals with the variance
//
//	σ² = σ_y² + Σ (∂l/∂x)²·σ_x².
//
// With s² the mean of r² + Σ (∂l/∂x)²·σ_x² over the rows, the estimate lies between s/1000 and s.
// Without the lower limit, a few rows with a slope of 0 could decide alone. out lists the outliers,
// in rising order. These rows do not count, nor do rows whose residual is not finite.
func Scatter(l law.Law, t *dataset.Table, xsigma map[string][]float64, out []int) float64 {
	const (
		least     = 1e-3 // lowest estimate, as a share of the largest
		perDecade = 20   // number of estimates that are compared for each factor of ten
	)
	cols := columnsOf(l, t)
	known := transferred(l, cols, xsigma, t.Rows())
	f := make([]float64, t.Rows())
	expr.Compile(l.Tree).Eval(f, cols, l.Params())
	rows, sum := outlier.Others(t.Rows(), out), 0.0
	rows = slices.DeleteFunc(rows, func(i int) bool {
		f[i] = t.Target.Values[i] - f[i]
		return math.IsNaN(f[i]) || math.IsInf(f[i], 0)
	})
	for _, i := range rows {
		sum += (f[i]*f[i] + known[i]) / float64(len(rows))
	}
	best, lowest := 0.0, math.Inf(1)
	for k := range 3*perDecade + 1 {
		sigma := least * math.Sqrt(sum) * math.Pow(10, float64(k)/perDecade)
		minusLog := 0.0
		for _, i := range rows {
			v := sigma*sigma + known[i]
			minusLog += math.Log(v) + f[i]*f[i]/v
		}
		if minusLog < lowest {
			best, lowest = sigma, minusLog
		}
	}
	return best
}

// columnsOf returns the columns of t that are the variables of l.
func columnsOf(l law.Law, t *dataset.Table) [][]float64 {
	cols := make([][]float64, len(l.Vars))
	for i, name := range l.Vars {
		cols[i] = Column(t, name)
	}
	return cols
}

// transferred returns Σ (∂l/∂x)²·σ_x², the variance of l that is due to the errors of columns, in
// each row.
func transferred(l law.Law, cols [][]float64, xsigma map[string][]float64, rows int) []float64 {
	square, slope := make([]float64, rows), make([]float64, rows)
	for _, v := range l.Tree.Vars() {
		sigma := xsigma[l.Vars[v]]
		if sigma == nil {
			continue
		}
		expr.Compile(l.Tree.Diff(v)).Eval(slope, cols, l.Params())
		for i, s := range slope {
			if d := s * sigma[i]; !math.IsNaN(d) && !math.IsInf(d, 0) {
				square[i] += d * d
			}
		}
	}
	return square
}

// targetErrors returns the standard errors of t's target, which may be a share of the values of l.
func targetErrors(l law.Law, t *dataset.Table, cols [][]float64) []float64 {
	if t.Share > 0 {
		f := make([]float64, t.Rows())
		expr.Compile(l.Tree).Eval(f, cols, l.Params())
		return dataset.ShareErrors(t.Share, f, t.Target.Values)
	}
	return t.Sigma
}
