package fit

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// reciprocal returns constants of a law c·n/(d + r). Here c is a constant, n and d contain no
// constants, and r contains the other constants. It fits
//
//	p·d + q = n/y,   p = 1/c,   q = r/c.
//
// The left side is linear in the coefficients of the denominator. In c0/(1 + c1·exp(c2·x)), for
// example, only c2 remains nonlinear. The fit of n/y weights the errors only approximately, but
// gives good starting values. reciprocal returns nil if the transformation does not lead to a
// simpler fit.
func (f *Fitter) reciprocal(s Settings) []float64 {
	above, below, ok := quotient(f.nodes)
	if !ok {
		return nil
	}
	slot, ok := onlyParam(above)
	free, rest := sumOf(below)
	if !ok || len(free) == 0 || len(rest) == 0 {
		return nil
	}
	p := []expr.Node{{Op: expr.Param, Index: slot, Value: 1}, {Op: expr.Mul}}
	t, ok := expr.FromNodes(joined(append(append([]expr.Node{}, free...), p...), rest, expr.Node{Op: expr.Add}))
	if !ok || t.NumParams() != len(f.params) {
		return nil
	}
	y, slope, ok := f.inverse(above)
	if !ok {
		return nil
	}
	c := f.within(t, y, slope, s)
	if c == nil || c[slot] == 0 {
		return nil
	}
	scale := 1 / c[slot]
	for _, k := range f.inner.linear {
		c[k] *= scale
	}
	c[slot] = scale
	return c
}

// inverse returns n/y, where c·n is the given numerator. slope is the derivative of y with respect
// to n/y in each row, up to its sign. In rows in which n or y is 0, both results are 0, so that the
// row has no weight. ok is false if the numerator is not proportional to a constant c.
func (f *Fitter) inverse(numerator []expr.Node) (y, slope []float64, ok bool) {
	t, ok := expr.FromNodes(numerator)
	if !ok {
		return nil, nil, false
	}
	rows := len(f.y)
	n, double, c := make([]float64, rows), make([]float64, rows), make([]float64, len(f.params))
	program := expr.Compile(t)
	for i := range c {
		c[i] = 1
	}
	program.Eval(n, f.cols, c)
	for i := range c {
		c[i] = 2
	}
	program.Eval(double, f.cols, c)
	y, slope = make([]float64, rows), make([]float64, rows)
	for i, v := range f.y {
		if !(math.Abs(double[i]-2*n[i]) <= 1e-12*math.Abs(n[i])) || math.IsInf(n[i], 0) {
			return nil, nil, false
		}
		if v != 0 && n[i] != 0 {
			y[i], slope[i] = n[i]/v, v*v/n[i]
		}
	}
	return y, slope, true
}

// quotient returns the nodes above and below the division at the root of a tree. ok is false if the
// root is not a division.
func quotient(nodes []expr.Node) (above, below []expr.Node, ok bool) {
	end := len(nodes) - 1
	if nodes[end].Op != expr.Div {
		return nil, nil, false
	}
	first := expr.SubtreeStart(nodes, end-1)
	return nodes[:first], nodes[first:end], true
}

// onlyParam returns the slot of the only free constant in nodes. ok reports whether there is
// exactly one.
func onlyParam(nodes []expr.Node) (slot int32, ok bool) {
	for _, n := range nodes {
		if n.Op != expr.Param {
			continue
		}
		if ok {
			return 0, false
		}
		slot, ok = n.Index, true
	}
	return slot, ok
}

// sumOf splits a sum into its terms without free constants and its other terms. Either part is nil
// if it has no terms.
func sumOf(nodes []expr.Node) (free, rest []expr.Node) {
	end := len(nodes) - 1
	op := nodes[end]
	if op.Op != expr.Add && op.Op != expr.Sub {
		for _, n := range nodes {
			if n.Op == expr.Param {
				return nil, nodes
			}
		}
		return nodes, nil
	}
	first := expr.SubtreeStart(nodes, end-1)
	freeA, restA := sumOf(nodes[:first])
	freeB, restB := sumOf(nodes[first:end])
	return joined(freeA, freeB, op), joined(restA, restB, op)
}

// joined returns the nodes of a op b, where op is a sum or difference. a or b may be nil.
func joined(a, b []expr.Node, op expr.Node) []expr.Node {
	switch {
	case b == nil:
		return a
	case a == nil && op.Op == expr.Add:
		return b
	case a == nil:
		return append(append([]expr.Node{}, b...), expr.Node{Op: expr.Neg})
	}
	return append(append(append([]expr.Node{}, a...), b...), op)
}
