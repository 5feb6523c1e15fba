package rewrite

import "github.com/physlib/lab/physlib/expr"

// Fold simplifies operations with 0 or 1 that have no effect or a constant result: 0·a, a + 0, 1·a,
// a**0, a**1, 0/a. If a constant disappears with its term, higher slots move down.
func Fold(t expr.Tree) expr.Tree {
	var stack []expr.Tree
	is := func(t expr.Tree, v float64) bool {
		n := t.Nodes()
		return len(n) == 1 && n[0].Op == expr.Number && n[0].Value == v
	}
	for _, n := range t.Nodes() {
		switch n.Op.Arity() {
		case 0:
			leaf, _ := expr.FromNodes([]expr.Node{n})
			stack = append(stack, leaf)
		case 1:
			a := stack[len(stack)-1]
			r := expr.Apply(n.Op, a)
			if is(a, 0) && (n.Op == expr.Exp || n.Op == expr.Cos || n.Op == expr.Cosh) {
				r = expr.Num(1)
			}
			if is(a, 0) && (n.Op == expr.Tan || n.Op == expr.Tanh || n.Op == expr.Sinh || n.Op == expr.Asin || n.Op == expr.Atan || n.Op == expr.Abs) ||
				is(a, 1) && (n.Op == expr.Square || n.Op == expr.Cube || n.Op == expr.Sqrt || n.Op == expr.Inv || n.Op == expr.Abs) {
				r = a
			}
			if is(a, 0) && (n.Op == expr.Neg || n.Op == expr.Sin || n.Op == expr.Sqrt || n.Op == expr.Square || n.Op == expr.Cube) {
				r = a
			}
			stack[len(stack)-1] = r
		case 2:
			a, b := stack[len(stack)-2], stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			stack[len(stack)-1] = foldPair(n.Op, a, b, is)
		}
	}
	return stack[0].CompactParams()
}

// foldPair returns op of a and b, simplified. is reports whether a tree is a given number.
func foldPair(op expr.Op, a, b expr.Tree, is func(expr.Tree, float64) bool) expr.Tree {
	switch {
	case op == expr.Mul && (is(a, 0) || is(b, 0)), op == expr.Div && is(a, 0):
		return expr.Num(0)
	case op == expr.Add && is(a, 0), op == expr.Mul && is(a, 1):
		return b
	case (op == expr.Add || op == expr.Sub) && is(b, 0), (op == expr.Mul || op == expr.Div || op == expr.Pow) && is(b, 1):
		return a
	case op == expr.Sub && is(a, 0):
		return expr.Apply(expr.Neg, b)
	case op == expr.Pow && is(a, 1):
		return a
	case op == expr.Pow && is(b, 0):
		return expr.Num(1)
	case op == expr.Pow && is(b, -1):
		return expr.Apply(expr.Inv, a)
	case op == expr.Pow && is(b, 0.5):
		return expr.Apply(expr.Sqrt, a)
	}
	return expr.Apply(op, a, b)
}
