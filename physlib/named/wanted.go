package named

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/regression"
)

// wanted is a law whose usual form is looked for.
type wanted struct {
	table  *dataset.Table
	law    law.Law
	inputs []int           // variables that it depends on
	zeros  map[int]float64 // from which some of them count: 1971 in year - 1971
	cols   [][]float64     // of some rows, by variable
	values []float64       // of the law on them
	grad   [][]float64     // their derivatives, by constant
	spread float64         // of the values
}

// newWanted evaluates l. ok is false if it has no constants, or values that are not finite.
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
		w.cols = append(w.cols, withMiddles(regression.Column(some, name)))
	}
	for _, v := range w.inputs {
		w.count(v)
	}
	w.values, w.grad = gradient(w.law.Tree, w.cols, 2*some.Rows()-1, l.Params())
	w.spread = slices.Max(w.values) - slices.Min(w.values)
	return w, w.spread > 0 && !math.IsInf(w.spread, 0)
}

// count lets variable v count from c if the law has it in x - c alone, c being the same number.
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

// withMiddles returns v and the means of neighbours. Two oscillations may agree in all rows and not
// between them.
func withMiddles(v []float64) []float64 {
	out := slices.Clone(v)
	for i := 1; i < len(v); i++ {
		out = append(out, (v[i-1]+v[i])/2)
	}
	return out
}

// gradient returns the values of t on rows and their derivatives by each of its constants.
func gradient(t expr.Tree, cols [][]float64, rows int, params []float64) (values []float64, grad [][]float64) {
	values, grad = make([]float64, rows), make([][]float64, len(params))
	for i := range grad {
		grad[i] = make([]float64, rows)
	}
	expr.Compile(t).Grad(values, grad, cols, params)
	return values, grad
}
