package rewrite

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// Spreads reports whether t contains a power of a product or of a power. SpreadPowers changes the
// form of such a law: it writes x0**(3/2)/sqrt(x1) for sqrt(x0**3/x1).
func Spreads(t expr.Tree) bool {
	nodes := t.Nodes()
	for i, n := range nodes {
		base := i - 1
		switch n.Op {
		case expr.Sqrt, expr.Square, expr.Cube:
		case expr.Pow:
			if nodes[i-1].Op != expr.Number {
				continue
			}
			base = i - 2
		default:
			continue
		}
		switch nodes[base].Op {
		case expr.Mul, expr.Div, expr.Pow, expr.Sqrt, expr.Square, expr.Cube, expr.Inv:
			return true
		}
	}
	return false
}

// SpreadPowers returns t with powers of products written as products of powers. A free constant
// absorbs its power, so its value changes.
func SpreadPowers(t expr.Tree) expr.Tree {
	args := t.Args()
	for i := range args {
		args[i] = SpreadPowers(args[i])
	}
	switch op := t.Root(); op {
	case expr.Sqrt:
		return powered(args[0], 0.5)
	case expr.Square:
		return powered(args[0], 2)
	case expr.Cube:
		return powered(args[0], 3)
	case expr.Pow:
		if args[1].Root() == expr.Number {
			return powered(args[0], args[1].Nodes()[0].Value)
		}
	}
	if len(args) == 0 {
		return t
	}
	return expr.Apply(t.Root(), args...)
}

// powered returns t to the power e, factor by factor. If e is a fraction and the product has a
// minus sign, the sign moves into a factor that is a difference. If there is no such factor,
// powered does not split the power.
func powered(t expr.Tree, e float64) expr.Tree {
	if e != math.Trunc(e) {
		turned, ok := positive(t)
		if !ok {
			return expr.Apply(expr.Pow, t, expr.Num(e))
		}
		t = turned
	}
	args := t.Args()
	switch t.Root() {
	case expr.Param: // a power of a free constant is just another free constant
		return t
	case expr.Number:
		if p := math.Pow(t.Nodes()[0].Value, e); !math.IsNaN(p) {
			return expr.Num(p)
		}
	case expr.Mul:
		return expr.Apply(expr.Mul, powered(args[0], e), powered(args[1], e))
	case expr.Div:
		return expr.Apply(expr.Div, powered(args[0], e), powered(args[1], e))
	case expr.Inv:
		return expr.Apply(expr.Inv, powered(args[0], e))
	case expr.Sqrt:
		return powered(args[0], e/2)
	case expr.Square:
		return powered(args[0], 2*e)
	case expr.Cube:
		return powered(args[0], 3*e)
	case expr.Pow:
		if args[1].Root() == expr.Number {
			return powered(args[0], e*args[1].Nodes()[0].Value)
		}
	}
	return expr.Apply(expr.Pow, t, expr.Num(e))
}

// positive returns the product t with its minus sign moved into a factor that is a difference. ok
// is false if t has a minus sign and no such factor.
func positive(t expr.Tree) (_ expr.Tree, ok bool) {
	bare, minus := withoutSigns(t)
	if !minus {
		return bare, true
	}
	return turned(bare)
}

// withoutSigns returns the product t without the signs of its factors, and whether the number of
// minus signs was odd.
func withoutSigns(t expr.Tree) (bare expr.Tree, minus bool) {
	args := t.Args()
	switch t.Root() {
	case expr.Number:
		v := t.Nodes()[0].Value
		return expr.Num(math.Abs(v)), v < 0
	case expr.Neg:
		bare, minus = withoutSigns(args[0])
		return bare, !minus
	case expr.Mul, expr.Div:
		a, minusA := withoutSigns(args[0])
		b, minusB := withoutSigns(args[1])
		return expr.Apply(t.Root(), a, b), minusA != minusB
	case expr.Inv:
		bare, minus = withoutSigns(args[0])
		return expr.Apply(expr.Inv, bare), minus
	}
	return t, false
}

// turned returns -t for a product t in which a difference or a free constant absorbs the sign. ok
// is false if there is no such factor.
func turned(t expr.Tree) (_ expr.Tree, ok bool) {
	args := t.Args()
	switch t.Root() {
	case expr.Param:
		return t, true
	case expr.Sub:
		return expr.Apply(expr.Sub, args[1], args[0]), true
	case expr.Mul, expr.Div, expr.Inv:
		for i := range args {
			if args[i], ok = turned(args[i]); ok {
				return expr.Apply(t.Root(), args...), true
			}
		}
	}
	return t, false
}
