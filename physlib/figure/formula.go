package figure

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// formula is the layout of a law in two dimensions. Its parts are next to, above and below each
// other. [MathML] and [Text] render it.
type formula struct {
	kind  kind
	text  string // text of a number, name, operator or call
	parts []formula
}

type kind uint8

const (
	number   kind = iota // text
	name                 // text: a variable
	operator             // text: + − =
	row                  // parts next to each other
	product              // parts multiplied
	fraction             // parts[0] over parts[1]
	power                // parts[0] to the power parts[1]
	root                 // √parts[0]
	call                 // text(parts[0])
	fence                // (parts[0])
	bars                 // |parts[0]|
)

// binding says how strongly the outermost operation of a formula binds. A formula gets parentheses
// if it binds less strongly than its context needs.
type binding uint8

const (
	loose  binding = iota // sums and signs
	factor                // products
	tight                 // powers, functions, names
)

// tall reports whether f would be illegible as an exponent. This is so if f or a part of it is a
// root, a power, or a fraction. A fraction of two numbers, such as 3/2, is not tall.
func (f formula) tall() bool {
	if _, _, ok := plainFraction(f); ok {
		return false
	}
	return f.kind == fraction || f.kind == root || f.kind == power || slices.ContainsFunc(f.parts, formula.tall)
}

// plainFraction returns the numerator and denominator of a fraction of two numbers.
func plainFraction(f formula) (over, under string, ok bool) {
	if f.kind != fraction || f.parts[0].kind != number || f.parts[1].kind != number {
		return "", "", false
	}
	return f.parts[0].text, f.parts[1].text, true
}

// raise returns base to the power of exponent, with base in parentheses if needed.
func raise(base, exponent formula) formula {
	if base.kind == power || base.kind == fraction || base.kind == call || base.kind == root {
		base = formula{kind: fence, parts: []formula{base}}
	}
	return formula{kind: power, parts: []formula{base, exponent}}
}

// multiply returns the product of the factors, with numbers before names.
func multiply(fs []formula) formula {
	switch len(fs) {
	case 0:
		return formula{kind: number, text: "1"}
	case 1:
		return fs[0]
	}
	fs = slices.Clone(fs)
	slices.SortStableFunc(fs, func(a, b formula) int { return rank(a) - rank(b) })
	return formula{kind: product, parts: fs}
}

// rank returns a number by which factors of a product are sorted: numbers, π, names, and then all
// others.
func rank(f formula) int {
	if f.kind == power || f.kind == product {
		f = f.parts[0]
	}
	switch {
	case f.kind == number && f.text == "e":
		return 3
	case f.kind == number && f.text == "π":
		return 1
	case f.kind == number:
		return 0
	case f.kind == name:
		return 2
	}
	return 3
}

// bare removes the parentheses around f. Numerators and denominators do not need them.
func bare(f formula) formula {
	if f.kind == fence {
		return f.parts[0]
	}
	return f
}

// arrangeNumber lays out v as a fraction if asFraction finds one. Otherwise it lays out m×10ⁿ if
// |v| is below 10⁻³ or at least 10⁶, and else a decimal.
func arrangeNumber(v float64) (formula, binding) {
	if v < 0 {
		f, _ := arrangeNumber(-v)
		return formula{kind: row, parts: []formula{{kind: operator, text: "−"}, f}}, loose
	}
	if p, q, ok := asFraction(v); ok {
		return formula{kind: fraction, parts: []formula{
			{kind: number, text: strconv.Itoa(p)}, {kind: number, text: strconv.Itoa(q)}}}, factor
	}
	if v != 0 && (v < 1e-3 || v >= 1e6) && !math.IsInf(v, 0) {
		m, after, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
		e, _ := strconv.Atoi(after)
		ten := formula{kind: power, parts: []formula{{kind: number, text: "10"}, {kind: number, text: signed(e)}}}
		if m == "1" {
			return ten, tight
		}
		return formula{kind: product, parts: []formula{{kind: number, text: m}, ten}}, factor
	}
	return formula{kind: number, text: strconv.FormatFloat(v, 'f', -1, 64)}, tight
}

// signed formats n with a minus sign instead of a hyphen.
func signed(n int) string {
	if n < 0 {
		return "−" + strconv.Itoa(-n)
	}
	return strconv.Itoa(n)
}

// asFraction returns p/q equal to v with 2 ≤ q ≤ 100. ok is false for whole numbers and for v >
// 1000. It is also false for short decimals that are at least 10 or not a multiple of 1/8, such as
// 365.26.
func asFraction(v float64) (p, q int, ok bool) {
	short := len(strconv.FormatFloat(v, 'f', -1, 64)) < 12
	if v > 1000 || v == math.Trunc(v) || short && (v >= 10 || v*8 != math.Trunc(v*8)) {
		return 0, 0, false
	}
	for q = 2; q <= 100; q++ {
		if n := math.Round(v * float64(q)); n > 0 && n/float64(q) == v {
			return int(n), q, true
		}
	}
	return 0, 0, false
}
