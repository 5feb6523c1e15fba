package search

import (
	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/fit/qr"
	"github.com/physlib/lab/physlib/search/match"
)

// simplest offers a constant, a product of powers and a linear function. It reports whether the
// product is exact. An exact linear function does not end the search, since some of its
// coefficients may be almost 0.
func (w *work) simplest() (exact bool) {
	w.report("simplest laws")
	c := w.writer()
	if !w.space.Units || w.space.TargetDim.IsZero() {
		w.yield(c.Free(column.Median(w.space.Y)))
	}
	// Size 0: a product of powers of the variables, without further factors.
	if j, ok := w.productJoin(identity, 0); ok {
		exact = w.offer(j, identity, match.Bare())
	}
	var cols [][]float64
	var of []expr.Tree
	if !w.space.Units || w.space.TargetDim.IsZero() {
		cols, of = append(cols, column.Ones(w.space.Points())), append(of, expr.Num(1))
	}
	for i, x := range w.space.X {
		if !w.space.Units || w.space.Dims[i] == w.space.TargetDim {
			cols, of = append(cols, x), append(of, expr.X(w.space.Vars[i]))
		}
	}
	coef, _, ok := qr.LeastSquares(cols, w.space.Y)
	if exact || !ok {
		return exact
	}
	w.yield(sumOf(coef, of))
	return false
}

// sumOf returns Σ coefᵢ·termsᵢ with free coefficients. The terms have no free constants.
func sumOf(coef []float64, terms []expr.Tree) (sum expr.Tree) {
	var b build.Constants
	for i, k := range coef {
		sum = rewrite.Plus(sum, build.Mul(b.Free(k), terms[i]))
	}
	return sum
}
