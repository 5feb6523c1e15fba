package motion

import (
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// curved reports whether t has a constant inside a function, a root or a denominator, or a function
// inside another function. Such a law is easily confused with a law of another form. exp(x) and the
// hyperbolic functions count as well, since exp(x) is exp(c·x) with c = 1.
func curved(t expr.Tree) bool {
	args := t.Args()
	if slices.ContainsFunc(args, curved) {
		return true
	}
	switch t.Root() {
	case expr.Add, expr.Sub, expr.Mul, expr.Neg, expr.Abs, expr.Square, expr.Cube, expr.Var, expr.Param, expr.Number, expr.Pi, expr.Euler:
		return false
	case expr.Div:
		return len(args[1].Vars()) > 0 && !plain(args[1], true)
	case expr.Exp, expr.Sinh, expr.Cosh, expr.Tanh: // exp(x) counts like exp(c·x) with c = 1
		return true
	case expr.Log:
		return !factors(args[0])
	}
	return !plain(args[0], false)
}

// factors reports whether t is a product of constants and of factors without functions (see plain).
// In the logarithm of such a product, each constant becomes an addend.
func factors(t expr.Tree) bool {
	switch t.Root() {
	case expr.Mul, expr.Div, expr.Inv, expr.Sqrt, expr.Pow, expr.Square, expr.Cube, expr.Abs:
		return !slices.ContainsFunc(t.Args(), func(a expr.Tree) bool { return !factors(a) })
	}
	return len(t.Vars()) == 0 || plain(t, false)
}

// plain reports whether t consists only of columns and of sums, products and powers of columns. If
// functions is true, t may also contain functions such as a sine.
func plain(t expr.Tree, functions bool) bool {
	args := t.Args()
	switch t.Root() {
	case expr.Var:
		return true
	case expr.Param, expr.Number, expr.Pi, expr.Euler:
		return false
	case expr.Pow:
		return plain(args[0], functions)
	case expr.Add, expr.Sub, expr.Mul, expr.Neg, expr.Abs, expr.Square, expr.Cube:
	default:
		if !functions {
			return false
		}
	}
	return !slices.ContainsFunc(args, func(a expr.Tree) bool { return !plain(a, functions) })
}
