package rewrite

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// CommonLogarithms returns t with k*x/log(10) in place of a number times x, and k*x/log(10)**2 for
// squares of logarithms. The number is k/ln 10 or k/(ln 10)² for a small whole or half k, as in
// laws of decibels, pH, and peaks on a logarithmic axis.
func CommonLogarithms(t expr.Tree) expr.Tree {
	ten := expr.Apply(expr.Log, expr.Num(10))
	return bottomUp(t, func(part expr.Tree) expr.Tree {
		if part.Root() != expr.Mul {
			return part
		}
		args := part.Args()
		for i, a := range args {
			if a.Root() != expr.Number {
				continue
			}
			for _, by := range []struct {
				value float64
				tree  expr.Tree
			}{{math.Ln10, ten}, {math.Ln10 * math.Ln10, expr.Apply(expr.Pow, ten, expr.Num(2))}} {
				v := 2 * a.Nodes()[0].Value * by.value
				k := math.Round(v)
				if k == 0 || math.Abs(k) > 200 || math.Abs(v-k) > 1e-12*math.Abs(k) {
					continue
				}
				x, below := args[1-i], by.tree
				if k /= 2; k != math.Trunc(k) {
					k, below = 2*k, expr.Apply(expr.Mul, expr.Num(2), below)
				}
				switch k {
				case 1:
				case -1:
					x = expr.Apply(expr.Neg, x)
				default:
					x = expr.Apply(expr.Mul, expr.Num(k), x)
				}
				return expr.Apply(expr.Div, x, below)
			}
		}
		return part
	})
}
