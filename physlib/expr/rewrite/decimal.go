package rewrite

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// Decimal returns t with x + b/a in place of a*x + b, if b/a is a short decimal. Here a and b are
// numbers and x is a column. So T + 273.15 replaces 20*T + 5463 in a canonical form. The result
// differs from t by the factor a, here 20, which a constant of the law must absorb.
func Decimal(t expr.Tree) expr.Tree {
	return bottomUp(t, func(part expr.Tree) expr.Tree {
		if part.Root() == expr.Add {
			args := part.Args()
			if sum, ok := decimalSum(args[0], args[1]); ok {
				return sum
			}
		}
		return part
	})
}

// bottomUp replaces each subtree of t by the result of f. It replaces operands before their
// operators.
func bottomUp(t expr.Tree, f func(part expr.Tree) expr.Tree) expr.Tree {
	var stack []expr.Tree
	for _, n := range t.Nodes() {
		k := len(stack) - n.Op.Arity()
		var part expr.Tree
		if n.Op.Arity() == 0 {
			part, _ = expr.FromNodes([]expr.Node{n})
		} else {
			part = expr.Apply(n.Op, stack[k:]...)
		}
		stack = append(stack[:k], f(part))
	}
	return stack[0]
}

// leastWhole is the least |b| for which a*x + b is rewritten.
const leastWhole = 1000

// decimalSum returns x + b/a for ax = a*x and a number b, if b/a has at most three decimals.
func decimalSum(ax, b expr.Tree) (expr.Tree, bool) {
	x, factor := NumberFactor(ax)
	if ax.Root() != expr.Mul || x.Len() != 1 || x.Root() != expr.Var || b.Root() != expr.Number {
		return expr.Tree{}, false
	}
	number := b.Nodes()[0].Value
	decimal := number / factor
	if math.Abs(number) < leastWhole || math.Abs(1000*decimal-math.Round(1000*decimal)) > 1e-9*math.Abs(decimal) {
		return expr.Tree{}, false
	}
	return expr.Apply(expr.Add, x, expr.Num(decimal)), true
}
