package dataset

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unsafe"
)

// powersOfTen are those powers of ten that are exact in float64.
var powersOfTen = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// parseNumber reads a decimal number: a sign, digits with at most one decimal sign, and an exponent
// after e, E, d or D. The value is the nearest float64, or ±Inf if it is out of range. point
// reports whether the decimal sign occurred. Hexadecimal numbers, underscores, inf and nan are not
// accepted.
func parseNumber(cell []byte, decimal byte) (v float64, point, ok bool) {
	i, n := 0, len(cell)
	negative := false
	if n > 0 && (cell[0] == '-' || cell[0] == '+') {
		negative = cell[0] == '-'
		i = 1
	}
	var mantissa uint64
	start, digits, exp10, seen := i, 0, 0, false
	for ; i < n; i++ {
		c := cell[i] - '0'
		if c > 9 {
			if cell[i] != decimal || point {
				break
			}
			point = true
			continue
		}
		seen = true
		if digits < 19 {
			mantissa = 10*mantissa + uint64(c)
			if mantissa > 0 {
				digits++
			}
			if point {
				exp10--
			}
		} else {
			digits++ // too many digits for the fast conversion
		}
	}
	if !seen {
		return 0, point, false
	}
	plain := true
	if i < n {
		e, letter, ok := parseExponent(cell[i:])
		if !ok {
			return 0, point, false
		}
		exp10 += e
		plain = letter == 'e' || letter == 'E'
	}
	if mantissa == 0 && digits == 0 {
		v = 0
	} else if digits <= 19 && mantissa < 1<<53 && exp10 >= -22 && exp10 <= 22 {
		v = float64(mantissa)
		if exp10 < 0 {
			v /= powersOfTen[-exp10]
		} else {
			v *= powersOfTen[exp10]
		}
	} else {
		v = nearestFloat(cell[start:], decimal, plain)
	}
	if negative {
		v = -v
	}
	return v, point, true
}

// vanished reports whether a cell is read as 0 although it contains another number, such as 1e-400.
func vanished(cell []byte, decimal byte) bool {
	end := bytes.IndexAny(cell, "eEdD")
	if end < 0 || !bytes.ContainsAny(cell[:end], "123456789") {
		return false
	}
	v, _, ok := parseNumber(minus(cell), decimal)
	return ok && v == 0
}

// parseExponent reads an exponent such as e-13, E+26 or d5.
func parseExponent(b []byte) (e int, letter byte, ok bool) {
	letter = b[0]
	if l := letter | 0x20; l != 'e' && l != 'd' {
		return 0, letter, false
	}
	i, sign := 1, 1
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		if b[i] == '-' {
			sign = -1
		}
		i++
	}
	if i == len(b) {
		return 0, letter, false
	}
	for ; i < len(b); i++ {
		c := b[i] - '0'
		if c > 9 {
			return 0, letter, false
		}
		e = min(10*e+int(c), 100000)
	}
	return sign * e, letter, true
}

// nearestFloat returns the float64 nearest to digits, rounded by strconv. parseNumber must have
// checked digits.
func nearestFloat(digits []byte, decimal byte, plain bool) float64 {
	if decimal != '.' || !plain {
		digits = bytes.Map(func(r rune) rune {
			switch r {
			case rune(decimal):
				return '.'
			case 'd', 'D':
				return 'e'
			}
			return r
		}, digits)
	}
	// The string is not used after the call, so it may share memory with digits.
	v, err := strconv.ParseFloat(unsafe.String(&digits[0], len(digits)), 64)
	if err != nil && !math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// absence is the reason why a cell contains no usable number.
type absence byte

const (
	present   absence = iota
	gone              // no value: empty, -, n/a, or a spreadsheet error
	undefined         // NaN, the result of a calculation
	infinite
	beyond // outside the range of a meter
)

// absent returns the reason why a cell contains no usable number, or present.
func absent(cell []byte) absence {
	var lower [14]byte
	if len(cell) == 0 {
		return gone
	}
	if len(cell) > len(lower) {
		return present
	}
	n := copy(lower[:], bytes.ToLower(cell))
	switch word := string(lower[:n]); word {
	case "na", "n/a", "n.a.", "n. a.", "n.d.", "n/d", "k.a.", "k. a.", "#n/a", "#n/d", "#nv", "null", "none", "nil", "missing", "<na>", "na()", `\n`, "nat", "na_real_", "na_integer_", "_", "nd", "unknown", "not measured", "not available", "undetermined", "tbd", "masked",
		"-", "--", "---", "?", ".", "…", "...", "–", "—", "na.", "(empty)", "(null)":
		return gone
	case "nan", "-nan", "+nan", "nan(ind)", "-nan(ind)", "1.#qnan", "-1.#ind", "nan()":
		return undefined
	case "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity", "∞", "+∞", "-∞", "1.#inf", "-1.#inf":
		return infinite
	default:
		if word[0] == '#' && (word[n-1] == '!' || word[n-1] == '?') {
			return gone // spreadsheet errors: #VALUE! #DIV/0! #NAME? #WERT!
		}
		if strings.Trim(word, "#") == "" || strings.Trim(word, "*") == "" {
			// Programs fill a cell with these characters if its column is too narrow for the
			// number.
			return gone
		}
		if n == 2 && word[0] == '.' && word[1] >= 'a' && word[1] <= 'z' {
			return gone // missing values .a to .z of Stata and SAS
		}
		if saysOverflow(word) && !bytes.HasSuffix(cell, []byte("0.l")) { // else a mistyped 0.1
			return beyond
		}
	}
	return present
}
