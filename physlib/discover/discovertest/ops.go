package discovertest

import (
	"math"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
)

// TestOperators tests that a Proposer uses only the operators that a problem allows, and still
// yields expressions.
func TestOperators(t *testing.T, newProposer func() discover.Proposer) {
	for i, ops := range [][]string{
		{"+", "-", "*"},
		{"+", "-", "*", "/"},
		{"+", "-", "*", "/", "sin"},
		{"+", "-", "*", "/", "sqrt", "log"},
		{"+", "-", "*", "/", "exp", "arcsin"},
		{"+", "*", "/", "**", "exp"},
	} {
		p := scattered(i%2 == 0)
		p.Ops = ops
		for _, tree := range take(t, newProposer(), p, enough/2) {
			if op, bad := Disallowed(tree, ops); bad {
				t.Errorf("%v (units: %v) do not allow %s in %s", ops, p.Units, op, tree)
				break
			}
		}
	}
}

// Disallowed returns an operator of t that is not allowed by ops, which holds names as in
// dataset.Problem.Ops. bad is false if there is none. An allowed operator also allows related ones:
// * allows whole powers, and / allows the reciprocal and negative powers. A change of sign is
// always allowed. Roots are allowed with sqrt, and all powers with **.
func Disallowed(t expr.Tree, ops []string) (op expr.Op, bad bool) {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(ops, n) })
	}
	power := has("**", "^", "pow")
	for i, n := range t.Nodes() {
		ok := true
		switch n.Op {
		// -a is (-1)·a, and a constant's sign is free
		case expr.Number, expr.Param, expr.Var, expr.Pi, expr.Euler, expr.Neg:
		case expr.Add:
			ok = has("+")
		case expr.Sub:
			ok = has("-", "+")
		case expr.Mul:
			ok = has("*")
		case expr.Div:
			ok = has("/")
		case expr.Inv:
			ok = has("inv", "/") || power
		case expr.Square, expr.Cube:
			ok = has(n.Op.String(), "*") || power
		case expr.Sqrt:
			ok = has("sqrt") || power
		case expr.Pow:
			// In postfix order, the node before a power is the root of its exponent.
			ok = power || arithmetic(t.Nodes()[i-1], has)
		case expr.Log:
			ok = has("log", "ln")
		case expr.Asin, expr.Acos, expr.Atan:
			ok = has(n.Op.String(), "arc"+n.Op.String()[1:])
		default:
			ok = has(n.Op.String())
		}
		if !ok {
			return n.Op, true
		}
	}
	return 0, false
}

// arithmetic reports whether a power with this exponent can be written with the allowed operations.
func arithmetic(exponent expr.Node, has func(...string) bool) bool {
	if exponent.Op != expr.Number {
		return false
	}
	e := exponent.Value
	if e < 0 && !has("/", "inv") {
		return false
	}
	return e == math.Trunc(e) && has("*") || 2*e == math.Trunc(2*e) && has("sqrt") && has("*")
}
