package knownform

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// wanted is a law for which a known form is sought.
type wanted struct {
	table  *dataset.Table
	law    law.Law
	inputs []int // variables that the law depends on
	// For each variable that occurs only in differences, the zero point, such as 1971 in year -
	// 1971.
	zeros  map[int]float64
	cols   [][]float64 // values of each variable in some rows
	values []float64   // values of the law in the rows of cols
	grad   [][]float64 // for each constant, the derivatives of the law in the rows of cols
	spread float64     // largest value minus smallest value
}

// newWanted evaluates l in some rows of t and returns the result. ok is false if l has no constants
// or variables, is constant, or is not finite.
func newWanted(t *dataset.Table, l law.Law) (w wanted, ok bool) {
	w = wanted{table: t, law: l, inputs: l.Inputs(), zeros: map[int]float64{}}
	if l.Tree.NumParams() == 0 || len(w.inputs) == 0 {
		return w, false
	}
	some := t
	if t.Rows() > mostRows {
		some = t.Subset(dataset.Evenly(t.Rows(), mostRows))
	}
	for _, name := range l.Vars {
		w.cols = append(w.cols, withMiddles(some.ValuesOf(name)))
	}
	for _, v := range w.inputs {
		w.count(v)
	}
	w.values, w.grad = gradient(w.law.Tree, w.cols, 2*some.Rows()-1, l.Params())
	w.spread = slices.Max(w.values) - slices.Min(w.values)
	return w, w.spread > 0 && !math.IsInf(w.spread, 0)
}

// count replaces v - c by v if the law contains variable v only in differences v - c, always with
// the same number c. The zero point of v is then c.
func (w *wanted) count(v int) {
	nodes := w.law.Tree.Nodes()
	zero := math.NaN()
	var kept []expr.Node
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		kept = append(kept, n)
		if n.Op != expr.Var || int(n.Index) != v {
			continue
		}
		if i+2 >= len(nodes) || nodes[i+1].Op != expr.Number || nodes[i+2].Op != expr.Sub || nodes[i+1].Value != zero && !math.IsNaN(zero) {
			return
		}
		zero = nodes[i+1].Value
		i += 2
	}
	tree, ok := expr.FromNodes(kept)
	if !ok || math.IsNaN(zero) {
		return
	}
	w.law.Tree = tree
	w.zeros[v] = zero
	w.cols[v] = slices.Clone(w.cols[v])
	floats.AddConst(-zero, w.cols[v])
}

// withMiddles returns v, followed by the means of neighbouring values. The means are needed since
// two oscillations may agree in all rows, but not between them.
func withMiddles(v []float64) []float64 {
	out := slices.Clone(v)
	for i := 1; i < len(v); i++ {
		out = append(out, (v[i-1]+v[i])/2)
	}
	return out
}

// gradient returns the values of t in the rows of cols, and their derivatives with respect to each
// constant.
func gradient(t expr.Tree, cols [][]float64, rows int, params []float64) (values []float64, grad [][]float64) {
	values, grad = make([]float64, rows), make([][]float64, len(params))
	for i := range grad {
		grad[i] = make([]float64, rows)
	}
	expr.Compile(t).Grad(values, grad, cols, params)
	return values, grad
}
