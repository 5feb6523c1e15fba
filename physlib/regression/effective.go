package regression

import (
	"math"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// EffectiveSigma returns the standard errors of t's target with the errors of columns included,
//
//	σ² = σ_y² + Σ (∂l/∂x)²·σ_x².
//
// The slopes ∂l/∂x, and σ_y if it is a share of the target, follow from l with its fitted
// constants. xsigma holds the standard errors of columns, by name. In a row in which the slope for
// a column is not finite, the error of that column adds nothing.
func EffectiveSigma(l law.Law, t *dataset.Table, xsigma map[string][]float64) []float64 {
	square := make([]float64, t.Rows())
	cols := make([][]float64, len(l.Vars))
	for i, name := range l.Vars {
		cols[i] = Column(t, name)
	}
	slope := make([]float64, t.Rows())
	for i, v := range targetErrors(l, t, cols) {
		square[i] = v * v
	}
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
	for i, v := range square {
		square[i] = math.Sqrt(v)
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
