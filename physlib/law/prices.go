package law

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/closed"
)

// Prices in bits. Only differences between laws matter. An arithmetic operation costs about 2 bits,
// and a function that is frequent in physics costs 4. Some functions are often nearly equal to
// another expression within the noise. They cost 4 to 10 bits more. Examples are acos(x²), which
// resembles 1/sqrt(1 - x²), and tanh, which resembles 1/(1 + x). The prices were chosen for the
// laws of the Feynman lectures with noise.
const (
	addBits     = 2.0 // a + b
	mulBits     = 2.0 // a·b
	negBits     = 1.0 // a minus sign
	inverseBits = 1.0 // the sign of an exponent
	powBits     = 5.0 // a**b, where b is not constant
	// A power with a fitted exponent. The bits of the exponent, which is of order one, are
	// included.
	exponentBits = 10.5
	functionBits = 4.0  // a function without a price in the table of operators
	halfBits     = 2.0  // for an exponent p/q, in addition to the bits of a whole exponent
	freeBits     = 9.0  // a fitted constant, without the bits for its precision, which Score adds
	otherBits    = 14.0 // a number without a closed form
	leafBits     = 1.0  // a variable, in addition to log₂ of the number of variables
)

// functionCost returns the bits of a function, without the bits of its operands.
func functionCost(op expr.Op) float64 {
	if price := op.Operator().Price; price > 0 {
		return price
	}
	return functionBits
}

// powerBits returns the bits for a power with the constant exponent e: 1.5 for a square, 2.4 for a
// cube, and 3.5 for a square root.
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

// NumberBits returns the bits of the number v in a law. They are 0 for 1, a few for 2, 1/2, π or
// 4π², and at most 14 for a number without a short closed form. A minus sign adds 1.
func NumberBits(v float64) float64 {
	bits := otherBits
	if f, ok := closed.Nearest(v, 1e-12*math.Abs(v)); ok {
		bits = min(bits, f.Bits())
	}
	if v < 0 {
		bits += negBits
	}
	return bits
}
