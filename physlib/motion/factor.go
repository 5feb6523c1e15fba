package motion

import (
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
)

// Sums are proposed term by term. Many laws are shorter with a common factor in front, as in x·(a −
// b·y). So the description length of a law is that of its shortest form.

// factored returns the form of t with the lowest price. The forms differ in which common factors
// are in front of sums.
func factored(t expr.Tree, columns int, price func(expr.Tree) float64) expr.Tree {
	list := rewrite.Addends(t)
	if len(list) < 2 {
		return t
	}
	best, least := t, price(t)
	for j := range columns {
		var inside, rest []expr.Tree
		for _, a := range list {
			if q, ok := quotient(a, j); ok {
				inside = append(inside, q)
			} else {
				rest = append(rest, a)
			}
		}
		if len(inside) < 2 {
			continue
		}
		form := expr.Apply(expr.Mul, expr.X(j), factored(total(inside), columns, price))
		if len(rest) > 0 {
			form = expr.Apply(expr.Add, form, factored(total(rest), columns, price))
		}
		if bits := price(form); bits < least {
			best, least = form, bits
		}
	}
	return best
}

// total returns the sum of terms.
func total(list []expr.Tree) expr.Tree {
	t := list[0]
	for _, a := range list[1:] {
		t = expr.Apply(expr.Add, t, a)
	}
	return t
}

// quotient returns t divided by column j. ok reports whether the column is a factor of t.
func quotient(t expr.Tree, j int) (q expr.Tree, ok bool) {
	x, args := expr.X(j), t.Args()
	switch t.Root() {
	case expr.Var:
		return expr.Num(1), int(t.Nodes()[0].Index) == j
	case expr.Square:
		return x, expr.Equal(args[0], x)
	case expr.Cube:
		return expr.Apply(expr.Square, x), expr.Equal(args[0], x)
	case expr.Pow:
		if n := args[1].Nodes()[0]; args[1].Root() == expr.Number && n.Value > 1 && expr.Equal(args[0], x) {
			return expr.Apply(expr.Pow, x, expr.Num(n.Value-1)).Simplify(), true
		}
	case expr.Neg:
		if q, ok = quotient(args[0], j); ok {
			return expr.Apply(expr.Neg, q), true
		}
	case expr.Div:
		if q, ok = quotient(args[0], j); ok {
			return expr.Apply(expr.Div, q, args[1]), true
		}
	case expr.Mul:
		for i, a := range args {
			if q, ok = quotient(a, j); ok {
				other := args[1-i]
				if q.Root() == expr.Number && q.Nodes()[0].Value == 1 {
					return other, true
				}
				return expr.Apply(expr.Mul, q, other), true
			}
		}
	}
	return t, false
}
