package law

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/closed"
)

// Prices in bits. Only differences between laws matter. An operation of arithmetic is about 2 bits,
// a function that physics uses often 4. One that more often imitates another within the noise
// (acos(x²) for 1/sqrt(1 - x²), tanh for 1/(1 + x)) costs 6 to 10 bits more. They were chosen on
// laws of the Feynman lectures with noise and then left alone.
const (
	addBits      = 2.0  // a + b
	mulBits      = 2.0  // a·b
	negBits      = 1.0  // a sign
	inverseBits  = 1.0  // the sign of a power
	powBits      = 5.0  // a**b with b not a constant
	exponentBits = 10.5 // a power with a fitted exponent, its constant included: it is a number of order one
	functionBits = 4.0  // a function that is in no row of the table below
	halfBits     = 2.0  // a power p/q costs as much more than a whole one
	freeBits     = 9.0  // a fitted constant, without its precision, which Score prices
	otherBits    = 14.0 // a number without a closed form
	leafBits     = 1.0  // a variable, besides log₂ of their number
)

// functionCost returns the price of a function without its operands. It comes from the table of
// operators, with a default for functions that have none.
func functionCost(op expr.Op) float64 {
	if price := op.Operator().Price; price > 0 {
		return price
	}
	return functionBits
}

// powerBits returns the price of raising to the constant power e: squares 1.5, cubes 2.4, roots
// 3.5.
func powerBits(e float64) float64 {
	bits := 0.0
	if e < 0 {
		bits, e = inverseBits, -e
	}
	switch p, q, ok := closed.Rational(e*(1-1e-12), e*(1+1e-12), 1000); {
	case e == 0:
		return bits
	case !ok:
		return bits + halfBits + otherBits
	case q == 1:
		return bits + 1.5*math.Log2(float64(p))
	default:
		return bits + halfBits + 1.5*(math.Log2(float64(p))+math.Log2(float64(q)))
	}
}

// ConstantBits returns the price of the number v in a law. It is 0 for 1, a few bits for 2, 1/2, π
// or 4π², and at most 14 without a short closed form. A negative number costs 1 more.
func ConstantBits(v float64) float64 {
	bits := otherBits
	if f, ok := closed.Nearest(v, 1e-12*math.Abs(v)); ok {
		bits = min(bits, f.Bits())
	}
	if v < 0 {
		bits += negBits
	}
	return bits
}
