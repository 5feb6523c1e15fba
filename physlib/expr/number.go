package expr

import (
	"math"
	"strconv"
	"strings"
)

// fraction returns p/q with 1 ≤ q ≤ maxDen and |p| ≤ 1e9 that is exactly v in float64, found by
// continued fractions. ok is false if there is none.
func fraction(v float64, maxDen int64) (p, q int64, ok bool) {
	if !(math.Abs(v) <= 1e9) {
		return 0, 0, false
	}
	if v == math.Trunc(v) {
		return int64(v), 1, true
	}
	p0, q0, p1, q1, rest := int64(0), int64(1), int64(1), int64(0), v
	for range 40 {
		whole := math.Floor(rest)
		if math.Abs(whole) > 1e9 {
			break
		}
		a := int64(whole)
		p0, p1 = p1, a*p1+p0
		q0, q1 = q1, a*q1+q0
		if q1 > maxDen || q1 < 1 || p1 > 1e9 || p1 < -1e9 {
			break
		}
		if float64(p1)/float64(q1) == v {
			return p1, q1, true
		}
		rest = 1 / (rest - whole)
	}
	return 0, 0, false
}

// notation is how a printer writes numbers.
type notation struct {
	digits int  // number of significant digits; 0: the fewest that read back as the same number
	exact  bool // write v as p/q if it is a fraction, even if the decimal is shorter
	// Write v as a decimal if it has at most decimalLength characters, even if p/q is shorter.
	decimals bool
}

// decimalLength is the greatest length of decimals that replace fractions, such as 0.0125.
const decimalLength = 6

// number writes v. It also returns how tightly the text binds: like a quotient for a fraction, and
// like a negation for a negative number. A fraction p/q with q ≤ 100 is written as such if it is
// shorter than the decimal, or if it is as short and p and q are small. With q from 101 to 3600, it
// must be shorter than half of the decimal. So 1/3, 1/2 and 1/180 are fractions, but 0.1, 9.81 and
// 125.6 are not. Inf is written as 1e999 and NaN as (0/0), so that both can be parsed.
func (n notation) number(v float64) (text string, level int) {
	switch {
	case math.IsNaN(v):
		return "(0/0)", levelAtom
	case math.IsInf(v, 1):
		return "1e999", levelAtom
	case math.IsInf(v, -1):
		return "-1e999", levelNeg
	}
	text = n.decimal(v)
	level = levelAtom
	if v < 0 || v == 0 && math.Signbit(v) {
		level = levelNeg
	}
	if p, q, ok := fraction(v, 3600); ok && q > 1 && !(n.decimals && len(strings.TrimPrefix(text, "-")) <= decimalLength) {
		ratio := strconv.FormatInt(p, 10) + "/" + strconv.FormatInt(q, 10)
		shorter := len(ratio) < len(text) && (q <= 100 || 2*len(ratio) < len(text) && max(p, -p) < 100) || len(ratio) == len(text) && q <= 12 && max(p, -p) < 20
		// 14.25 rather than 57/4, and 1066.75 rather than 4267/4
		if p := max(p, -p); 1000%q == 0 && (p >= 1000 || p >= 10 && len(text) <= 5) {
			shorter = false
		}
		if shorter || n.exact && q <= 100 {
			return ratio, levelMul
		}
	}
	return text, level
}

// decimal writes v with n.digits significant digits. Numbers outside 1e-4 to 1e15 get an exponent,
// as in 1.5e-7.
func (n notation) decimal(v float64) string {
	s := strconv.FormatFloat(v, 'e', max(n.digits, 0)-1, 64) // -1: as many digits as are needed
	mantissa, exponent, _ := strings.Cut(s, "e")
	power, _ := strconv.Atoi(exponent)
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	short, _ := strconv.ParseFloat(mantissa+"e"+exponent, 64)
	if -4 <= power && power < 15 {
		return strconv.FormatFloat(short, 'f', -1, 64)
	}
	return mantissa + "e" + strconv.Itoa(power)
}

// IsSimpleExponent reports whether v is a whole number of twelfths, such as 2, 1/2, 2/3 or 7/4. An
// exponent with another value is a fitted one.
func IsSimpleExponent(v float64) bool {
	return !(math.Abs(12*v-math.Round(12*v)) > 1e-9)
}
