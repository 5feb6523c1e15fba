package fit

import "github.com/physlib/lab/physlib/expr"

// split finds the constants that the law is linear in, together, and the others. Slots that do not occur are in neither.
func split(t expr.Tree, n int) (linear, nonlinear []int) {
	in := make([]bool, n)
	occurs := make([]bool, n)
	for _, x := range t.Nodes() {
		if x.Op == expr.Param {
			occurs[x.Index] = true
		}
	}
	stack := make([]degree, 0, t.Len())
	for slot := range n {
		if !occurs[slot] {
			continue
		}
		in[slot] = true
		if affine(t, in, stack) {
			linear = append(linear, slot)
		} else {
			in[slot] = false
			nonlinear = append(nonlinear, slot)
		}
	}
	return linear, nonlinear
}

// degree of a subtree in the constants looked at: 0 they are not in it, 1 it is linear in them, 2 it is not.
type degree uint8

// affine tells whether t is linear in the constants of in.
func affine(t expr.Tree, in []bool, stack []degree) bool {
	stack = stack[:0]
	for _, x := range t.Nodes() {
		switch x.Op.Arity() {
		case 0:
			d := degree(0)
			if x.Op == expr.Param && in[x.Index] {
				d = 1
			}
			stack = append(stack, d)
		case 1:
			top := len(stack) - 1
			if stack[top] > 0 && x.Op != expr.Neg {
				return false
			}
		case 2:
			top := len(stack) - 1
			a, b := stack[top-1], stack[top]
			switch x.Op {
			case expr.Add, expr.Sub:
				a = max(a, b)
			case expr.Mul:
				a += b
			case expr.Div:
				a += 2 * b
			default:
				a = 2 * (a + b)
			}
			if a > 1 {
				return false
			}
			stack = stack[:top]
			stack[top-1] = a
		}
	}
	return true
}
