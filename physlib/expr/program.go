package expr

import (
	"math"

	"github.com/physlib/lab/physlib/vec"
)

// ref is a value of a graph.
type ref int32

const none ref = -1

// value is one step of an evaluation: a leaf, or an operation on earlier values.
type value struct {
	op    Op
	index int32   // of a Var or Param
	num   float64 // of a Number; of a Param its start
	a, b  ref     // operands, none where there is none
	// varies says that the value differs from row to row. The others are computed once for a call,
	// in float64.
	varies bool
}

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
	if v.b != none {
		return apply2(v.op, done[v.a], done[v.b])
	}
	return apply1(v.op, done[v.a])
}

func apply2(op Op, a, b float64) float64 {
	switch op {
	case Add:
		return a + b
	case Sub:
		return a - b
	case Mul:
		return a * b
	case Div:
		return a / b
	case Pow:
		return math.Pow(a, b)
	}
	return math.NaN()
}

func apply1(op Op, a float64) float64 {
	switch op {
	case Neg:
		return -a
	case Inv:
		return 1 / a
	case Square:
		return a * a
	case Cube:
		return a * a * a
	}
	if f := elementary[op]; f != nil {
		return f(a)
	}
	return math.NaN()
}

var elementary = [numOps]func(float64) float64{Abs: math.Abs, Sqrt: math.Sqrt, Exp: math.Exp, Log: math.Log, Sin: math.Sin,
	Cos: math.Cos, Tan: math.Tan, Asin: asin, Acos: acos, Atan: math.Atan, Sinh: math.Sinh, Cosh: math.Cosh,
	Tanh: math.Tanh}

// asin and acos keep their digits near ±1, which those of package math do not.
func asin(x float64) float64 { return math.Atan2(x, math.Sqrt((1-x)*(1+x))) }
func acos(x float64) float64 { return 2 * math.Atan2(math.Sqrt(1-x), math.Sqrt(1+x)) }

// The kernels of the operations.
func unaryKernel(op Op) vec.Unary   { return unaryKernels[op] }
func binaryKernel(op Op) vec.Binary { return binaryKernels[op] }

var (
	unaryKernels = [numOps]vec.Unary{Neg: vec.Neg, Inv: vec.Inv, Abs: vec.Abs, Sqrt: vec.Sqrt, Square: vec.Square,
		Cube: vec.Cube, Exp: vec.Exp, Log: vec.Log, Sin: vec.Sin, Cos: vec.Cos, Tan: vec.Tan, Asin: vec.Asin, Acos: vec.Acos,
		Atan: vec.Atan, Sinh: vec.Sinh, Cosh: vec.Cosh, Tanh: vec.Tanh}
	binaryKernels = [numOps]vec.Binary{Add: vec.Add, Sub: vec.Sub, Mul: vec.Mul, Div: vec.Div, Pow: vec.Pow}
)
