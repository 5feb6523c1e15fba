package expr

import "math"

// ref is the index of a value in a graph.
type ref int32

const none ref = -1

// value is one step of an evaluation: a leaf, or an operation on earlier values.
type value struct {
	op    Op
	index int32   // column of a Var, slot of a Param
	num   float64 // value of a Number, start of a Param
	a, b  ref     // operands, or the constant none
	// For an operator without a kernel: selects its value or a derivative.
	part part
	// varies reports whether the value differs from row to row. Other values are calculated once
	// per call, in float64.
	varies bool
}

// part selects what is calculated for an operator without a kernel: its value or a derivative.
type part uint8

const (
	itself   part = iota
	slopeBy       // the derivative with respect to the first operand
	slopeBy2      // the derivative with respect to the second operand
)

// graph is what a tape calculates: values in the order of calculation, with operands before
// results.
type graph struct{ values []value }

func (g *graph) number(v float64) ref { return g.add(value{op: Number, num: v, a: none, b: none}) }

func (g *graph) add(v value) ref {
	v.varies = v.op == Var
	for _, o := range [2]ref{v.a, v.b} {
		if o != none && g.values[o].varies {
			v.varies = true
		}
	}
	g.values = append(g.values, v)
	return ref(len(g.values) - 1)
}

func (g *graph) unary(op Op, a ref) ref     { return g.add(value{op: op, a: a, b: none}) }
func (g *graph) binary(op Op, a, b ref) ref { return g.add(value{op: op, a: a, b: b}) }

// addTree appends the values of t and returns the root. If there are two operands, the one that
// needs more registers comes first (Sethi and Ullman, 1970). Nothing is simplified, so that every
// NaN and infinity of the tree also arises in the graph.
func (g *graph) addTree(t Tree) (root ref) {
	need := make([]int32, len(t.nodes)) // number of registers that node i needs
	first := make([]int32, len(t.nodes))
	for i, n := range t.nodes {
		first[i] = int32(i)
		switch n.Op.Arity() {
		case 1:
			first[i], need[i] = first[i-1], max(need[i-1], 1)
		case 2:
			left := first[i-1] - 1
			first[i] = first[left]
			need[i] = max(need[left], need[i-1], 1)
			if need[left] == need[i-1] && need[left] > 0 {
				need[i]++
			}
		}
	}
	var walk func(i int32) ref
	walk = func(i int32) ref {
		n := t.nodes[i]
		switch n.Op.Arity() {
		case 0:
			return g.add(value{op: n.Op, index: n.Index, num: n.Value, a: none, b: none})
		case 1:
			return g.unary(n.Op, walk(i-1))
		}
		left := first[i-1] - 1
		if need[left] >= need[i-1] {
			a := walk(left)
			return g.binary(n.Op, a, walk(i-1))
		}
		b := walk(i - 1)
		return g.binary(n.Op, walk(left), b)
	}
	return walk(int32(len(t.nodes) - 1))
}

// scalar calculates v, a value that does not vary, from the earlier values in done.
func (v *value) scalar(done []float64, params []float64) float64 {
	switch v.op {
	case Number:
		return v.num
	case Param:
		if int(v.index) < len(params) {
			return params[v.index]
		}
		return v.num
	case Pi:
		return math.Pi
	case Euler:
		return math.E
	}
	x, y := done[v.a], 0.0
	if v.b != none {
		y = done[v.b]
	}
	return v.of(x, y)
}

// of returns the value or the derivative that v calculates, for the operands x and y. An operation
// with one operand ignores y.
func (v *value) of(x, y float64) float64 {
	o := &operators[v.op]
	switch {
	case v.part == itself:
		return o.Apply(x, y)
	case o.Arity == 1:
		return o.Slope1(x)
	}
	dx, dy := o.Slope2(x, y)
	if v.part == slopeBy {
		return dx
	}
	return dy
}

// hasKernel reports whether package vec has a function for v.
func (v *value) hasKernel() bool { return operators[v.op].chain != nil || v.op >= Add && v.op <= Pow }
