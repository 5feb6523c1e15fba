package stream

import "math"

// A coef is a constant of a form: a number, or a free constant with its starting value. A free
// constant is a power of the symbol sym. So c/c becomes 1, while c/d remains a free constant. A
// combination of several free constants becomes a new symbol.
type coef struct {
	v   float64
	sym int32 // number of the symbol; 0: the constant is a number
	pow int8  // exponent of the symbol, in quarters
}

var one = coef{v: 1}

// near is the largest relative difference of two numbers that count as equal.
const near = 1e-9

func number(v float64) coef { return coef{v: v} }

func (c coef) isNumber(v float64) bool { return c.sym == 0 && math.Abs(c.v-v) <= near*math.Abs(v) }

// isUnit reports whether c is 1 or -1.
func (c coef) isUnit() bool { return c.isNumber(1) || c.isNumber(-1) }

func (c coef) isZero() bool { return c.sym == 0 && c.v == 0 }

// same reports whether c and d are equal up to sign.
func (c coef) same(d coef) bool {
	return c.sym == d.sym && c.pow == d.pow && math.Abs(math.Abs(c.v)-math.Abs(d.v)) <= near*math.Abs(d.v)
}

func (c coef) neg() coef { c.v = -c.v; return c }

func (c coef) abs() coef { c.v = math.Abs(c.v); return c }

func (a *algebra) mul(c, d coef) coef {
	v := c.v * d.v
	switch {
	case v == 0:
		return coef{}
	case c.sym == 0:
		return coef{v, d.sym, d.pow}
	case d.sym == 0:
		return coef{v, c.sym, c.pow}
	case c.sym == d.sym && c.pow == -d.pow:
		return coef{v: v}
	case c.sym == d.sym && c.pow < 64 && c.pow > -64 && d.pow < 64 && d.pow > -64:
		return coef{v, c.sym, c.pow + d.pow}
	}
	return a.fresh(v)
}

func (a *algebra) add(c, d coef) coef {
	switch {
	case c.sym == d.sym && c.pow == d.pow:
		if v := c.v + d.v; math.Abs(v) > near*math.Abs(c.v) {
			return coef{v, c.sym, c.pow}
		}
		return coef{} // the sum of multiples of one constant is zero
	case c.isZero():
		return d
	case d.isZero():
		return c
	}
	return a.fresh(c.v + d.v)
}

// pow returns c to the power q/4. It is NaN for a negative c unless the power is a whole number.
func (a *algebra) pow(c coef, q int8) coef {
	if q == quarters {
		return c
	}
	v := 0.0
	switch q {
	case -quarters:
		v = 1 / c.v
	case 2 * quarters:
		v = c.v * c.v
	case quarters / 2:
		v = math.Sqrt(c.v)
	default:
		v = math.Pow(c.v, float64(q)/quarters)
	}
	if c.sym == 0 {
		return coef{v: v}
	}
	if n := int(c.pow) * int(q) / quarters; n*quarters == int(c.pow)*int(q) && n < 100 && n > -100 {
		return coef{v, c.sym, int8(n)}
	}
	return a.fresh(v)
}

// fresh returns a new free constant of value v.
func (a *algebra) fresh(v float64) coef {
	a.symbols++
	return coef{v, a.symbols, quarters}
}

// bits returns a hash of c; numbers that agree to about 10 digits have the same hash.
func (c coef) bits() uint64 {
	v := c.v
	if r := math.Round(v); math.Abs(v-r) <= near*math.Abs(r) {
		v = r
	}
	return (math.Float64bits(v)+1<<18)>>19 ^ uint64(uint32(c.sym))<<40 ^ uint64(uint8(c.pow))<<56
}
