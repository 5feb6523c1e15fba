package closed

import (
	"math"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/expr"
)

// Number is a closed form of a number, (Num/Den)·π^(HalfPi/2)·√Root·e^E·10^Ten. At most one of the
// last three factors may differ from 1. The zero Number is 0.
type Number struct {
	Num, Den int64 // Num carries the sign
	HalfPi   int   // twice the exponent of π
	Root     int64 // number under the square root; 0 and 1: none
	E        int   // the exponent of e, 0 or 1
	Ten      int   // the exponent of ten
}

// Value returns the value of the form.
func (f Number) Value() float64 {
	if f.Num == 0 {
		return 0
	}
	v := float64(f.Num) / float64(f.Den)
	if f.Ten > 0 {
		v *= math.Pow10(f.Ten)
	} else if f.Ten < 0 {
		v /= math.Pow10(-f.Ten)
	}
	if f.HalfPi%2 == 0 {
		v *= math.Pow(math.Pi, float64(f.HalfPi/2))
	} else {
		v *= math.Pow(math.Pi, float64(f.HalfPi)/2)
	}
	if f.Root > 1 {
		v *= math.Sqrt(float64(f.Root))
	}
	if f.E != 0 {
		v *= math.Pow(math.E, float64(f.E))
	}
	return v
}

// Bits returns the description length in bits. It is 2 log₂ of the numerator, plus 2 log₂ of the
// denominator, plus the bits of the other factors. π costs 3 bits, each further power of π 1 more,
// and a half-integer power 3 more. √2 costs 4.5 bits, √3 5.4, √5 6.5 and e 6. A power of ten costs
// 5 bits plus the absolute value of its exponent.
func (f Number) Bits() float64 {
	num := f.Num
	if num < 0 {
		num = -num
	}
	bits := IntegerBits(num) + IntegerBits(f.Den)
	if h := max(f.HalfPi, -f.HalfPi); h > 0 {
		bits += 2 + float64((h+1)/2)
		if h%2 == 1 {
			bits += 3
		}
	}
	if f.Root > 1 {
		bits += 3 + 1.5*math.Log2(float64(f.Root))
	}
	if f.E != 0 {
		bits += 6
	}
	if f.Ten != 0 {
		bits += 5 + math.Abs(float64(f.Ten))
	}
	return bits
}

// String returns the form as an expression that expr.Parse reads: 4*pi**2, 3/(8*pi), sqrt(2)/2.
func (f Number) String() string {
	if f.Num == 0 {
		return "0"
	}
	if f.Ten != 0 && f.Den == 1 && f.HalfPi == 0 && f.Root <= 1 && f.E == 0 {
		return strconv.FormatFloat(f.Value(), 'g', -1, 64)
	}
	num, sign := f.Num, ""
	if num < 0 {
		num, sign = -num, "-"
	}
	var above, below []string
	if num != 1 {
		above = append(above, strconv.FormatInt(num, 10))
	}
	if f.Den != 1 {
		below = append(below, strconv.FormatInt(f.Den, 10))
	}
	if f.Ten != 0 {
		above = append(above, "1e"+strconv.Itoa(f.Ten))
	}
	if f.Root > 1 {
		above = append(above, "sqrt("+strconv.FormatInt(f.Root, 10)+")")
	}
	if f.HalfPi > 0 {
		above = append(above, piPower(f.HalfPi))
	} else if f.HalfPi < 0 {
		below = append(below, piPower(-f.HalfPi))
	}
	if f.E != 0 {
		above = append(above, "e")
	}
	if len(above) == 0 {
		above = []string{"1"}
	}
	text := sign + strings.Join(above, "*")
	switch len(below) {
	case 0:
		return text
	case 1:
		return text + "/" + below[0]
	}
	return text + "/(" + strings.Join(below, "*") + ")"
}

// piPower returns π^(h/2) as text, for h > 0.
func piPower(h int) string {
	switch {
	case h == 1:
		return "sqrt(pi)"
	case h == 2:
		return "pi"
	case h%2 == 0:
		return "pi**" + strconv.Itoa(h/2)
	}
	return "pi**(" + strconv.Itoa(h) + "/2)"
}

// Tree returns the form as an expression without variables.
func (f Number) Tree() expr.Tree {
	t := expr.Num(float64(f.Num))
	one := f.Num == 1
	times := func(b expr.Tree) {
		if one {
			t, one = b, false
			return
		}
		t = expr.Apply(expr.Mul, t, b)
	}
	if f.Num == 0 {
		return t
	}
	if f.Ten != 0 {
		return expr.Num(f.Value())
	}
	if f.Root > 1 {
		times(expr.Apply(expr.Sqrt, expr.Num(float64(f.Root))))
	}
	if f.E != 0 {
		times(expr.Leaf(expr.Euler))
	}
	if f.HalfPi > 0 {
		times(piTree(f.HalfPi))
	}
	below := expr.Num(float64(f.Den))
	switch {
	case f.HalfPi < 0 && f.Den == 1:
		below = piTree(-f.HalfPi)
	case f.HalfPi < 0:
		below = expr.Apply(expr.Mul, below, piTree(-f.HalfPi))
	case f.Den == 1:
		return t
	}
	return expr.Apply(expr.Div, t, below)
}

// piTree returns π^(h/2) as a tree, for h > 0.
func piTree(h int) expr.Tree {
	pi := expr.Leaf(expr.Pi)
	switch h {
	case 1:
		return expr.Apply(expr.Sqrt, pi)
	case 2:
		return pi
	case 4:
		return expr.Apply(expr.Square, pi)
	}
	return expr.Apply(expr.Pow, pi, expr.Num(float64(h)/2))
}

// IntegerBits returns 2 log₂ n, which is 0 for 1, 2 for 2, and 13.3 for 100. This is approximately
// the length of the Elias gamma code of n, less one bit.
func IntegerBits(n int64) float64 {
	if n <= 1 {
		return 0
	}
	return 2 * math.Log2(float64(n))
}
