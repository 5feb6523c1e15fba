package token

import (
	"math"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/expr"
)

// number returns the shortest code of x, or nil if there is none. The code is a single token, a
// fraction, a decimal number, or an integer times a power of ten. Decode returns exactly x for this
// code, also if the canonical form is taken afterwards.
func (v *Vocabulary) number(x float64) []int32 {
	if id, ok := v.values[x]; ok {
		return []int32{id}
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	var best []int32
	consider := func(parts ...[]int32) {
		var ids []int32
		for _, p := range parts {
			if p == nil {
				return
			}
			ids = append(ids, p...)
		}
		if best == nil || len(ids) < len(best) {
			best = ids
		}
	}
	consider(v.decimal(x))
	if x == math.Trunc(x) && math.Abs(x) < 1e18 {
		consider(v.whole(int64(x)))
	}
	if x < 0 && v.operator(expr.Neg) != nil {
		consider(v.operator(expr.Neg), v.number(-x))
	}
	if p, q, ok := fraction(x); ok {
		consider(v.operator(expr.Div), v.whole(p), v.whole(q))
	}
	digits, e := shortest(x)
	if m, err := strconv.ParseInt(digits, 10, 64); err == nil {
		op := expr.Mul
		if e < 0 {
			op = expr.Div
		}
		consider(v.operator(op), v.whole(m), v.operator(expr.Pow), v.whole(10), v.whole(int64(max(e, -e))))
	}
	return best
}

// operator returns the token of op as a code of length 1, or nil if there is no such token.
func (v *Vocabulary) operator(op expr.Op) []int32 {
	if id, ok := v.ops[op]; ok {
		return []int32{id}
	}
	return nil
}

// whole returns a code of the integer n. It is nil if the vocabulary has none, or if n is too large
// for float64 to represent it exactly.
func (v *Vocabulary) whole(n int64) []int32 {
	if max(n, -n) > 1<<53 {
		return nil
	}
	if id, ok := v.values[float64(n)]; ok {
		return []int32{id}
	}
	if v.hundredth != none {
		return v.composed(n)
	}
	return v.decimal(float64(n))
}

// composed returns the code of an integer as a*b + c, recursively. It serves vocabularies that only
// have tokens for small integers. For example, 981 is 20*49 + 1.
func (v *Vocabulary) composed(n int64) []int32 {
	if id, ok := v.values[float64(n)]; ok {
		return []int32{id}
	}
	var best []int32
	for b := int64(49); b >= 10; b-- {
		if n > 49*50 || n < -49*50 { // for large n, only a = 49 is tried at each level
			if b < 49 {
				break
			}
		}
		q := int64(math.RoundToEven(float64(n) / float64(b)))
		c := n - q*b
		var ids []int32
		if c != 0 {
			ids = append(ids, v.ops[expr.Add])
		}
		ids = append(ids, v.ops[expr.Mul])
		ids = append(ids, v.composed(q)...)
		ids = append(ids, v.values[float64(b)])
		if c != 0 {
			ids = append(ids, v.values[float64(c)])
		}
		if best == nil || len(ids) < len(best) {
			best = ids
		}
	}
	return best
}

// decimal returns the code of x in decimal digits, or nil if there is none.
func (v *Vocabulary) decimal(x float64) []int32 {
	switch {
	case v.hundredth != none:
		return v.hundredths(x)
	case v.digits[0] == none:
		return nil
	case v.point == none:
		return v.mantissa(x)
	}
	var ids []int32
	if x < 0 {
		ids = append(ids, v.minus)
	}
	text := strings.TrimPrefix(strconv.FormatFloat(math.Abs(x), 'f', -1, 64), "0")
	last, ends := v.values[float64(text[len(text)-1]-'0')]
	if !ends && !strings.Contains(text, ".") {
		text += "."
	}
	if ends {
		text = text[:len(text)-1]
	} else {
		last = v.values[0] // append a zero after the point
	}
	for _, c := range []byte(text) {
		if c == '.' {
			ids = append(ids, v.point)
		} else {
			ids = append(ids, v.digits[c-'0'])
		}
	}
	return append(ids, last)
}

// mantissa returns the code of x ≥ 0 as an integer times a power of ten, or nil for other x.
func (v *Vocabulary) mantissa(x float64) []int32 {
	if x < 0 {
		return nil // number encodes negative numbers with neg
	}
	digits, e := shortest(x)
	var ids []int32
	for _, p := range v.powers { // by increasing exponent
		if p.exponent < 0 {
			for ; e <= p.exponent; e -= p.exponent {
				ids = append(ids, p.id)
			}
		}
	}
	for i := len(v.powers) - 1; i >= 0; i-- {
		if p := v.powers[i]; p.exponent > 0 {
			for ; e >= p.exponent; e -= p.exponent {
				ids = append(ids, p.id)
			}
		}
	}
	for _, c := range []byte(digits[:len(digits)-1]) {
		ids = append(ids, v.digits[c-'0'])
	}
	return append(ids, v.values[float64(digits[len(digits)-1]-'0')])
}

// hundredths returns the code of x as a + (b + (c + …)/100)/100 with |a|, |b|, |c|, … ≤ 49. It is
// nil if there is no such code, for example if a remainder is about one half.
func (v *Vocabulary) hundredths(x float64) []int32 {
	digits, e := shortest(x)
	m, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || e >= 0 || e < -16 || math.Abs(x) > 49.5 {
		return nil
	}
	unit := int64(1)
	for range (1 - e) / 2 {
		unit *= 100
	}
	if e%2 != 0 {
		m *= 10
	}
	var ids []int32
	for ; ; unit /= 100 {
		a := m / unit // the nearest integer; the remainder is at most one half
		switch rest := m - a*unit; {
		case 2*rest > unit:
			a++
		case 2*rest < -unit:
			a--
		}
		id, ok := v.values[float64(a)]
		if !ok {
			return nil
		}
		if m -= a * unit; m == 0 || unit == 1 {
			return append(ids, id)
		}
		ids = append(ids, v.hundredth, id)
	}
}

// shortest returns the fewest decimal digits from which x can be read back, without the point, and
// e such that x = digits·10**e.
func shortest(x float64) (digits string, e int) {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	e, _ = strconv.Atoi(exponent)
	if _, behind, ok := strings.Cut(mantissa, "."); ok {
		e -= len(behind)
	}
	digits = strings.Replace(mantissa, ".", "", 1)
	return digits, e
}

// maxFraction is the largest numerator and denominator of fraction.
const maxFraction = 1e6

// fraction finds p/q equal to x with q ≥ 2, by continued fractions.
func fraction(x float64) (p, q int64, ok bool) {
	if math.Abs(x) > maxFraction {
		return 0, 0, false
	}
	p0, q0, p1, q1, rest := int64(0), int64(1), int64(1), int64(0), x
	for range 20 {
		a := int64(math.Floor(rest))
		p0, p1 = p1, a*p1+p0
		q0, q1 = q1, a*q1+q0
		if max(q1, p1, -p1) > maxFraction {
			break
		}
		if float64(p1)/float64(q1) == x {
			return p1, q1, q1 > 1
		}
		if rest -= float64(a); rest < 1e-12 {
			break
		}
		rest = 1 / rest
	}
	return 0, 0, false
}
