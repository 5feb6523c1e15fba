package rewrite

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// Decimal returns t with a decimal beside a column in place of the whole numbers of a canonical
// form, T + 273.15 for 20*T + 5463. The factor 20 is left to a constant of the law.
func Decimal(t expr.Tree) expr.Tree {
	var stack []expr.Tree
	for _, n := range t.Nodes() {
		k := len(stack) - n.Op.Arity()
		args := stack[k:]
		part, ok := expr.Tree{}, false
		if n.Op == expr.Add {
			part, ok = decimalSum(args[0], args[1])
		}
		switch {
		case ok:
		case n.Op.Arity() == 0:
			part, _ = expr.FromNodes([]expr.Node{n})
		default:
			part = expr.Apply(n.Op, args...)
		}
		stack = append(stack[:k], part)
	}
	return stack[0]
}

// fewestDigits is the whole number from which a sum is written with a decimal.
const fewestDigits = 1000

// decimalSum returns x + b/a for the sum of a*x and b, if b/a has at most three decimals.
func decimalSum(x, b expr.Tree) (expr.Tree, bool) {
	if x.Root() != expr.Mul || b.Root() != expr.Number {
		return expr.Tree{}, false
	}
	args := x.Args()
	if args[0].Root() != expr.Number || args[1].Root() != expr.Var {
		return expr.Tree{}, false
	}
	factor, number := args[0].Nodes()[0].Value, b.Nodes()[0].Value
	decimal := number / factor
	if math.Abs(number) < fewestDigits || math.Abs(1000*decimal-math.Round(1000*decimal)) > 1e-9*math.Abs(decimal) {
		return expr.Tree{}, false
	}
	return expr.Apply(expr.Add, args[1], expr.Num(decimal)), true
}
