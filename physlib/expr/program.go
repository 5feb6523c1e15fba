package expr

import "math"

// ref is a value of a graph.
type ref int32

const none ref = -1

// value is one step of an evaluation: a leaf, or an operation on earlier values.
type value struct {
	op    Op
	index int32   // of a Var or Param
	num   float64 // of a Number; of a Param its start
	a, b  ref     // operands, none where there is none
	part  part    // of an operator without a kernel: its value or a derivative
	// varies says that the value differs from row to row. The others are computed once for a call,
	// in float64.
	varies bool
}

// part is which function of its operands an operator without a kernel stands for.
type part uint8

const (
	itself   part = iota
	slopeBy       // the derivative with respect to the first operand
	slopeBy2      // and to the second
)

// graph is what a tape computes: values in the order in which they are computed, operands first.
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

// addTree appends the values of t, the subtree that needs more registers first (Sethi and Ullman,
// 1970). Nothing is simplified, so that NaN and infinities stay where the tree puts them. It gives
// the root, and the graph's value of every node.
func (g *graph) addTree(t Tree) (root ref) {
	need := make([]int32, len(t.nodes)) // registers that node i needs
	first := make([]int32, len(t.nodes))
	for i, n := range t.nodes {
		first[i] = int32(i)
		switch n.Op.Arity() {
		case 1:
			first[i], need[i] = first[i-1], max(need[i-1], 1)
		case 2:
			left := first[i-1] - 1
			first[i] = first[left]
			if need[i] = max(need[left], need[i-1], 1); need[left] == need[i-1] && need[left] > 0 {
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

// scalar computes value v, which does not vary, from the earlier ones in done.
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

// of returns what v computes of its operands; of one operand y does not matter.
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
