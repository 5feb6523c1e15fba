package rewrite

import (
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// SharedConstants returns t with c*(f - 1) in place of c*f - c in its sums. c is a free constant
// that occurs in both terms. The values are the same.
func SharedConstants(t expr.Tree) expr.Tree {
	return bottomUp(t, func(part expr.Tree) expr.Tree {
		if !isSum(part) {
			return part
		}
		terms := addends(part, 1)
		for i, constant := range terms {
			if constant.tree.Root() != expr.Param {
				continue
			}
			for j, term := range terms {
				if j == i {
					continue
				}
				if rest, ok := without(term.tree, constant.tree); ok {
					sum := plusSigned(plusSigned(expr.Tree{}, rest, term.sign), expr.Num(1), constant.sign)
					if term.sign < 0 && constant.sign > 0 {
						sum = expr.Apply(expr.Sub, expr.Num(1), rest)
					}
					terms[j] = addend{expr.Apply(expr.Mul, constant.tree, sum), 1}
					return total(slices.Delete(terms, i, i+1))
				}
			}
		}
		return part
	})
}

// without returns t without its factor c. ok is false if c is not a factor of t.
func without(t, c expr.Tree) (rest expr.Tree, ok bool) {
	a := t.Args()
	switch t.Root() {
	case expr.Mul:
		for i := range a {
			if isConstant(a[i], c) {
				return a[1-i], true
			}
			if rest, ok := without(a[i], c); ok {
				a[i] = rest
				return expr.Apply(expr.Mul, a...), true
			}
		}
	case expr.Div:
		if isConstant(a[0], c) {
			return expr.Apply(expr.Div, expr.Num(1), a[1]), true
		}
		if rest, ok := without(a[0], c); ok {
			return expr.Apply(expr.Div, rest, a[1]), true
		}
	}
	return expr.Tree{}, false
}

// isConstant reports whether t is the free constant c.
func isConstant(t, c expr.Tree) bool {
	return t.Root() == expr.Param && t.Nodes()[0].Index == c.Nodes()[0].Index
}

// total returns the sum of the terms.
func total(terms []addend) (sum expr.Tree) {
	for _, term := range terms {
		sum = plusSigned(sum, term.tree, term.sign)
	}
	return sum
}
