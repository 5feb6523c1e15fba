package unit

import (
	"math"
	"strconv"
)

// Ratio is an exact fraction. The zero value is 0, and equal fractions compare equal with ==.
type Ratio struct {
	num int16
	den int16 // denominator minus 1, so that the zero Ratio is 0/1
}

// Rat returns the fraction n/d in lowest terms. It panics if d is 0, since that is a programming
// error. Numerators and denominators are at most 32767. If the result is larger, it is rounded to a
// nearby fraction, or limited to ±32767.
func Rat(n, d int) Ratio { return lowest(int64(n), int64(d)) }

func lowest(n, d int64) Ratio {
	switch {
	case d == 0:
		panic("unit.Rat: denominator 0")
	case n == 0:
		return Ratio{}
	}
	n, d = max(n, -math.MaxInt64), max(d, -math.MaxInt64)
	if d < 0 {
		n, d = -n, -d
	}
	if g := gcd(n, d); g > 1 {
		n, d = n/g, d/g
	}
	if n > math.MaxInt16 || n < -math.MaxInt16 || d > math.MaxInt16 {
		return nearest(n, d)
	}
	return Ratio{int16(n), int16(d - 1)}
}

// nearest returns an approximation of n/d that fits into a Ratio: the last such convergent of the
// continued fraction. If there is none, it returns n/d limited to ±32767. d must be positive.
func nearest(n, d int64) Ratio {
	if n/d >= math.MaxInt16 || n/d <= -math.MaxInt16 {
		return Ratio{int16(min(max(n/d, -math.MaxInt16), math.MaxInt16)), 0}
	}
	p0, q0, p, q := int64(0), int64(1), int64(1), int64(0) // two successive convergents
	for d != 0 {
		a := n / d
		n, d = d, n-a*d
		if q > 0 && max(a, -a) > math.MaxInt16 {
			break
		}
		p1, q1 := a*p+p0, a*q+q0
		if max(p1, -p1) > math.MaxInt16 || max(q1, -q1) > math.MaxInt16 {
			break
		}
		p0, q0, p, q = p, q, p1, q1
	}
	return lowest(p, q)
}

func gcd(a, b int64) int64 {
	a, b = max(a, -a), max(b, -b)
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Num returns the numerator, which carries the sign.
func (r Ratio) Num() int { return int(r.num) }

// Den returns the denominator, at least 1.
func (r Ratio) Den() int { return int(r.den) + 1 }

// Add returns r + o.
func (r Ratio) Add(o Ratio) Ratio {
	if r.den|o.den == 0 {
		if s := int32(r.num) + int32(o.num); s >= -math.MaxInt16 && s <= math.MaxInt16 {
			return Ratio{int16(s), 0}
		}
	}
	a, b := int64(r.den)+1, int64(o.den)+1
	return lowest(int64(r.num)*b+int64(o.num)*a, a*b)
}

// Sub returns r - o.
func (r Ratio) Sub(o Ratio) Ratio { return r.Add(o.Neg()) }

// Mul returns r * o.
func (r Ratio) Mul(o Ratio) Ratio {
	return lowest(int64(r.num)*int64(o.num), (int64(r.den)+1)*(int64(o.den)+1))
}

// exactSum reports whether Add returns a + b exactly.
func exactSum(a, b Ratio) bool {
	n, d := int64(a.Num())*int64(b.Den())+int64(b.Num())*int64(a.Den()), int64(a.Den())*int64(b.Den())
	return a.Add(b).is(n, d)
}

// exactProduct reports whether Mul returns a * b exactly.
func exactProduct(a, b Ratio) bool {
	return a.Mul(b).is(int64(a.Num())*int64(b.Num()), int64(a.Den())*int64(b.Den()))
}

// is reports whether r equals n/d, for n and d up to 2·32767².
func (r Ratio) is(n, d int64) bool { return int64(r.Num())*d == n*int64(r.Den()) }

// Neg returns -r.
func (r Ratio) Neg() Ratio { return Ratio{-r.num, r.den} }

// Float64 returns the nearest float64.
func (r Ratio) Float64() float64 { return float64(r.num) / (float64(r.den) + 1) }

// IsZero reports whether r is 0.
func (r Ratio) IsZero() bool { return r.num == 0 }

// IsInt reports whether r is a whole number.
func (r Ratio) IsInt() bool { return r.den == 0 }

// String returns "2", "-1/2", ….
func (r Ratio) String() string {
	if r.den == 0 {
		return strconv.Itoa(int(r.num))
	}
	return strconv.Itoa(int(r.num)) + "/" + strconv.Itoa(r.Den())
}

// largestDenominator is the largest denominator of an exponent that Power writes as a fraction.
const largestDenominator = 8

// Power returns r as the exponent that follows the name of a unit: "^2", "^(1/2)", "^-2.06", and ""
// for 1. Parse reads it back.
func (r Ratio) Power() string {
	switch {
	case r == Rat(1, 1):
		return ""
	case r.IsInt():
		return "^" + r.String()
	case r.Den() > largestDenominator && 1000%r.Den() == 0:
		return "^" + strconv.FormatFloat(r.Float64(), 'f', -1, 64)
	}
	return "^(" + r.String() + ")"
}
