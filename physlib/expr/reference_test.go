package expr

import (
	"math"

	"pgregory.net/rapid"
)

// reference returns the value of t, calculated node by node. Tests of rewriting use it.
func reference(t Tree, x, c []float64) float64 {
	var stack []float64
	for _, n := range t.nodes {
		k := len(stack)
		switch n.Op.Arity() {
		case 0:
			v := n.Value
			switch n.Op {
			case Var:
				v = x[n.Index]
			case Param:
				v = c[n.Index]
			case Pi:
				v = math.Pi
			case Euler:
				v = math.E
			}
			stack = append(stack, v)
		case 1:
			stack[k-1] = apply(n.Op, stack[k-1], 0)
		case 2:
			stack[k-2] = apply(n.Op, stack[k-2], stack[k-1])
			stack = stack[:k-1]
		}
	}
	return stack[0]
}

// agree reports whether a and b differ by at most eps times scale, where scale is the size of
// intermediate values. If one of them is not finite, they agree.
func agree(a, b, scale, eps float64) bool {
	bad := func(v float64) bool { return math.IsNaN(v) || math.Abs(v) > 1e12 }
	return bad(a) || bad(b) || math.Abs(a-b) <= eps*(1+math.Abs(a)+math.Abs(b)+scale)
}

// drawTree draws a tree of at most the given depth over three columns. If params is true, it may
// contain free constants.
func drawTree(t *rapid.T, depth int, params bool) Tree {
	leaf := depth <= 1 || rapid.IntRange(0, 4).Draw(t, "leaf") == 0
	if !leaf {
		op := Op(rapid.IntRange(int(Neg), int(numOps)-1).Draw(t, "op"))
		if rapid.IntRange(0, 2).Draw(t, "arithmetic") > 0 {
			op = Op(rapid.IntRange(int(Add), int(Pow)).Draw(t, "op"))
		}
		a := drawTree(t, depth-1, params)
		if op.Arity() == 1 {
			return Apply(op, a)
		}
		if op == Pow && rapid.Bool().Draw(t, "number") {
			e := rapid.SampledFrom([]float64{2, 3, -1, -2, 0.5, -0.5, 1.5, 1. / 3, 4, 0, 1, 2.5}).Draw(t, "exponent")
			return Apply(op, a, Num(e))
		}
		return Apply(op, a, drawTree(t, depth-1, params))
	}
	switch k := rapid.IntRange(0, 9).Draw(t, "kind"); {
	case k < 5:
		return X(rapid.IntRange(0, 2).Draw(t, "x"))
	case k == 5:
		return Leaf(rapid.SampledFrom([]Op{Pi, Euler}).Draw(t, "constant"))
	case k == 6 && params:
		return C(rapid.IntRange(0, 3).Draw(t, "c"), 1)
	case k == 7:
		return Num(rapid.SampledFrom([]float64{0.1, 1.2345, -2.71, 1. / 3, 1e-7, 6.02e23}).Draw(t, "number"))
	}
	return Num(float64(rapid.IntRange(-4, 12).Draw(t, "integer")))
}
