package genetic

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// undo returns the value of the operand at node child, in row k, for which node `at` has the value
// want. op is the operator of that node. If there are several such values, undo returns the one
// nearest to the operand's present value. If there is none, it returns NaN.
func undo(c *scaler, op expr.Op, at, child, k int, want float64) float64 {
	if op.Arity() == 1 {
		return undoUnary(op, want, c.at(child, k))
	}
	left := child == c.left[at]
	other := c.left[at]
	if left {
		other = at - 1
	}
	o := c.at(other, k)
	switch op {
	case expr.Add:
		return want - o
	case expr.Sub:
		if left {
			return want + o
		}
		return o - want
	case expr.Mul:
		return want / o
	case expr.Div:
		if left {
			return want * o
		}
		return o / want
	// The operand gets the value want if the result then is want. Otherwise no value gives want.
	case expr.Min, expr.Max:
		if op.Operator().F2(want, o) == want {
			return want
		}
		return math.NaN()
	}
	if left { // solve x**o = want for x
		if o == math.Trunc(o) && math.Mod(o, 2) == 0 {
			return math.Copysign(math.Pow(want, 1/o), c.at(child, k))
		}
		return math.Copysign(math.Pow(math.Abs(want), 1/o), want)
	}
	return math.Log(want) / math.Log(o)
}

func undoUnary(op expr.Op, want, now float64) float64 {
	if inverse := op.Operator().Inverse; inverse != nil {
		return inverse(want, now)
	}
	return math.NaN()
}
