package genetic

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// undo is the value of operand child of node at in row k that would make the node's value want; NaN
// if there is none. Of several the one nearest to the operand's value is taken.
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
	}
	if left { // x**o = want
		if o == math.Trunc(o) && math.Mod(o, 2) == 0 {
			return math.Copysign(math.Pow(want, 1/o), c.at(child, k))
		}
		return math.Copysign(math.Pow(math.Abs(want), 1/o), want)
	}
	return math.Log(want) / math.Log(o)
}

func undoUnary(op expr.Op, want, now float64) float64 {
	switch op {
	case expr.Neg:
		return -want
	case expr.Inv:
		return 1 / want
	case expr.Abs:
		if want < 0 {
			return math.NaN()
		}
		return math.Copysign(want, now)
	case expr.Sqrt:
		if want < 0 {
			return math.NaN()
		}
		return want * want
	case expr.Square:
		return math.Copysign(math.Sqrt(want), now)
	case expr.Cube:
		return math.Cbrt(want)
	case expr.Exp:
		return math.Log(want)
	case expr.Log:
		return math.Exp(want)
	case expr.Sin: // a or π - a, plus turns
		a := math.Asin(want)
		return nearer(now, turn(a, now), turn(math.Pi-a, now))
	case expr.Cos:
		a := math.Acos(want)
		return nearer(now, turn(a, now), turn(-a, now))
	case expr.Tan:
		a := math.Atan(want)
		return a + math.Pi*math.Round((now-a)/math.Pi)
	case expr.Asin:
		return math.Sin(want)
	case expr.Acos:
		return math.Cos(want)
	case expr.Atan:
		return math.Tan(want)
	case expr.Sinh:
		return math.Asinh(want)
	case expr.Cosh:
		return math.Copysign(math.Acosh(want), now)
	case expr.Tanh:
		return math.Atanh(want)
	}
	return math.NaN()
}

// turn is a plus the whole turns that bring it nearest to now.
func turn(a, now float64) float64 { return a + 2*math.Pi*math.Round((now-a)/(2*math.Pi)) }

func nearer(now, a, b float64) float64 {
	if math.Abs(a-now) <= math.Abs(b-now) {
		return a
	}
	return b
}
