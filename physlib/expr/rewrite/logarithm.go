package rewrite

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// CommonLogarithms returns t with k*x/log(10) in place of a number times x. The number is k/ln 10
// for a small whole k, as in laws of decibels and pH.
func CommonLogarithms(t expr.Tree) expr.Tree {
	return bottomUp(t, func(part expr.Tree) expr.Tree {
		if part.Root() != expr.Mul {
			return part
		}
		args := part.Args()
		for i, a := range args {
			if a.Root() != expr.Number {
				continue
			}
			v := a.Nodes()[0].Value * math.Ln10
			k := math.Round(v)
			if k == 0 || math.Abs(k) > 100 || math.Abs(v-k) > 1e-12*math.Abs(k) {
				continue
			}
			x := args[1-i]
			if k != 1 {
				x = expr.Apply(expr.Mul, expr.Num(k), x)
			}
			return expr.Apply(expr.Div, x, expr.Apply(expr.Log, expr.Num(10)))
		}
		return part
	})
}
