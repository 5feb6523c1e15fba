package prior

import (
	"math"

	"github.com/physlib/lab/physlib/expr/closed"
	"github.com/physlib/lab/physlib/expr/skeleton"
)

// value codes the number v, whose symbol is s.
func (c *coder) value(s skeleton.Symbol, v float64) {
	if c.counts != nil {
		c.counts.values[numeral{s, v}] += c.weight
		c.counts.ofClass[s] += c.weight
		return
	}
	if bits, ok := c.model.values[numeral{s, v}]; ok {
		c.bits += bits
		return
	}
	c.bits += numberBits(s, v) + c.model.newValue[s]
}

// A numeral is a number and its class, Integer to Decimal or IntegerPower to DecimalPower.
type numeral struct {
	class skeleton.Symbol
	value float64
}

// otherBits is the length of the code of a number without a short closed form, as in package law.
const otherBits = 14

// numberBits returns the length of the code of the number v of a class, independent of the
// catalogue. For whole numbers and fractions it is Elias' gamma code, for decimals that of the
// closed form.
func numberBits(class skeleton.Symbol, v float64) float64 {
	sign := 0.0
	if class >= skeleton.IntegerPower {
		sign = 1
	}
	v = math.Abs(v)
	bits := math.Inf(1)
	switch class {
	case skeleton.Integer:
		bits = gamma(v - 1)
	case skeleton.IntegerPower:
		bits = gamma(v - 2)
	case skeleton.Ratio, skeleton.RatioPower:
		if p, q, ok := closed.Rational(v*(1-1e-13), v*(1+1e-13), 1000); ok {
			bits = gamma(float64(p)) + gamma(float64(q-1))
		}
	default:
		if f, ok := closed.Nearest(v, 1e-12*v); ok {
			bits = f.Bits()
		}
	}
	return sign + 1 + min(bits, otherBits)
}

// gamma returns the length of Elias' gamma code of a positive whole number.
func gamma(n float64) float64 { return 2*math.Floor(math.Log2(max(n, 1))) + 1 }
