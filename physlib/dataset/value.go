package dataset

import (
	"bytes"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"
)

// value is the number in a cell, with its standard error and unit if the cell contains them.
type value struct {
	v       float64
	sigma   float64 // standard error, in the unit of v
	unsure  bool    // whether sigma is given
	suffix  string  // text after the number: "%", or a unit
	sign    bool    // whether the decimal sign occurred
	grouped bool    // whether separators of thousands occurred
	noted   bool    // whether the mark of a footnote followed it
	parts   bool    // whether the number consists of parts, such as degrees, minutes and seconds
}

// plusMinus are the signs between a value and its standard error.
var plusMinus = []string{"±", "+/-", "-/+", "∓", "+-", `\pm`, "&plusmn;"}

// note matches the mark of a footnote after a number, as in 6,371.0[1] or 6,371.0[note 1].
var note = regexp.MustCompile(`\d(\^?\[(?:(?:note |nb )?\d{1,2})\])+$`)

// parseValue reads a number in any national form, with a standard error (15.2 ± 0.1, 2.03(5)), a
// unit and the mark of a footnote after it.
func parseValue(cell []byte, decimal byte) (value, bool) {
	if n := len(cell); n > 3 && cell[n-1] == ']' {
		if at := note.FindIndex(cell); at != nil {
			v, ok := parseUnmarked(cell[:at[0]+1], decimal)
			v.noted = ok
			return v, ok
		}
	}
	return parseUnmarked(cell, decimal)
}

// parseUnmarked reads a number as parseValue does, without the mark of a footnote.
func parseUnmarked(cell []byte, decimal byte) (value, bool) {
	text, ok := plainPowers(strings.TrimSpace(string(minus(cell))))
	if !ok {
		return value{}, false
	}
	if isTrailingMinus(text) {
		text = "-" + text[:len(text)-1]
	}
	if v, ok := parseCompound(text); ok {
		return v, true
	}
	for _, sign := range plusMinus {
		if left, right, ok := strings.Cut(text, sign); ok && strings.TrimSpace(left) != "" {
			return parseUnsure(strings.TrimSpace(left), strings.TrimSpace(right), decimal)
		}
	}
	if open := strings.IndexByte(text, '('); open > 0 {
		return parseDigitsOfError(text, open, decimal)
	}
	return parsePlain(text, decimal)
}

// isTrailingMinus reports whether the minus of a number follows it, as in 5.2-, which business
// software writes.
func isTrailingMinus(text string) bool {
	bare, ok := strings.CutSuffix(text, "-")
	return ok && bare != "" && strings.Trim(bare, "0123456789.,") == "" && strings.ContainsAny(bare, "0123456789")
}

// parseUnsure reads value ± error, or value (± error). A unit may follow both numbers, only the
// error, or brackets around both, as in (97.1 ± 0.5) %.
func parseUnsure(left, right string, decimal byte) (value, bool) {
	tail := ""
	if inner, ok := strings.CutPrefix(left, "("); ok {
		var closed bool
		if right, tail, closed = strings.Cut(right, ")"); !closed {
			return value{}, false
		}
		left, right, tail = strings.TrimSpace(inner), strings.TrimSpace(right), strings.TrimSpace(tail)
	}
	if inner, ok := strings.CutSuffix(left, "("); ok { // as in 5.0 (±0.1)
		var closed bool
		if right, closed = strings.CutSuffix(right, ")"); !closed {
			return value{}, false
		}
		left = strings.TrimSpace(inner)
	}
	a, okLeft := parsePlain(left, decimal)
	b, okRight := parsePlain(right, decimal)
	if !okLeft || !okRight || b.v < 0 {
		return value{}, false
	}
	scale := 1.0
	if tail != "" {
		var ok bool
		if scale, a.suffix, ok = parseTail(tail, a.suffix+b.suffix); !ok {
			return value{}, false
		}
	} else if a.suffix == "" && b.suffix != "%" {
		a.suffix = b.suffix
	} else if b.suffix == "%" && a.suffix != "%" {
		if a.suffix == "" {
			// The % of 97.1±0.5% may mean percentage points, or a percentage of 97.1
			return value{}, false
		}
		b.v *= math.Abs(a.v) / 100
	} else if b.suffix != "" && a.suffix != b.suffix {
		return value{}, false
	}
	a.v, a.sigma, a.unsure = a.v*scale, b.v*scale, true
	a.sign, a.grouped = a.sign || b.sign, a.grouped || b.grouped
	return a, true
}

// parseTail reads the text after the closing bracket: a power of ten and a unit, or one of them. A
// unit may be there only if there is none inside the brackets.
func parseTail(tail, within string) (scale float64, suffix string, ok bool) {
	if tail[0]|0x20 == 'e' {
		power, unit, _ := strings.Cut(tail, " ")
		if v, _, ok := parseNumber([]byte("1"+power), '.'); ok && (unit == "" || within == "" && isSuffix(unit)) {
			return v, within + unit, true
		}
	}
	return 1, tail, within == "" && isSuffix(tail)
}

// parseDigitsOfError reads numbers with the error in parentheses: 2.03(5) has the error 0.05,
// 20.3(1.5) has the error 1.5. An exponent may follow, as in 6.674 30(15)e-11.
func parseDigitsOfError(text string, open int, decimal byte) (value, bool) {
	length := strings.IndexByte(text[open:], ')')
	if length < 2 {
		return value{}, false
	}
	digits, tail := text[open+1:open+length], strings.TrimSpace(text[open+length+1:])
	a, okNumber := parsePlain(strings.TrimSpace(text[:open]), decimal)
	b, sign, okError := parseNumber([]byte(digits), decimal)
	if !okNumber || !okError || b < 0 || a.suffix != "" || strings.ContainsAny(text[:open], "eEdD") || strings.ContainsAny(digits, "eEdD+") {
		return value{}, false
	}
	if !sign {
		if at := strings.LastIndexByte(text[:open], decimal); at >= 0 && a.sign {
			places := 0
			for _, c := range text[at+1 : open] {
				if '0' <= c && c <= '9' {
					places++
				}
			}
			b /= math.Pow10(places)
		}
	}
	scale := 1.0
	if tail != "" {
		var ok bool
		if scale, a.suffix, ok = parseTail(tail, ""); !ok {
			return value{}, false
		}
	}
	a.v, a.sigma, a.unsure = a.v*scale, b*scale, true
	return a, true
}

// parsePlain reads a number in national form and the text that follows it.
func parsePlain(text string, decimal byte) (value, bool) {
	end := numberEnd(text)
	var a value
	if end < len(text) {
		a.suffix = strings.TrimSpace(text[end:])
		if !isSuffix(a.suffix) {
			return value{}, false
		}
	}
	number := strings.TrimRight(text[:end], " \u00a0\u202f\u2009")
	bare, grouped, ok := ungroup(number, decimal)
	if !ok {
		return value{}, false
	}
	a.grouped = grouped
	a.v, a.sign, ok = parseNumber([]byte(bare), decimal)
	return a, ok
}

// isSuffix reports whether text may be a unit after a number.
func isSuffix(text string) bool {
	if text == "" || strings.ContainsAny(text, "()<>=?!:;,'\"") || len(text) > 16 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text)
	return r != utf8.RuneError && !strings.ContainsRune("+-−.0123456789xX×*·^_ ", r)
}

// numberEnd returns the position after the number at the start of text. The number includes
// separators of thousands and an exponent.
func numberEnd(text string) int {
	end, digits := 0, false
	for i, r := range text {
		switch {
		case '0' <= r && r <= '9':
			digits = true
			end = i + 1
		case r == '.' || r == ',':
			end = i + 1
		case (r == '+' || r == '-') && i == 0:
			end = i + 1
		case isGroupSign(r) && digits: // the number ends here if no digits follow
		case (r|0x20 == 'e' || r|0x20 == 'd') && digits && end == i:
			if n := exponentLength(text[i:]); n > 0 {
				return i + n
			}
			return end
		default:
			return end
		}
	}
	return end
}

func isGroupSign(r rune) bool {
	return r == ' ' || r == '\u00a0' || r == '\u202f' || r == '\u2009' || r == '\'' || r == '’'
}

// exponentLength returns the length of an exponent such as e-13 at the start of text, 0 for none. A
// unit may follow directly if the exponent has a sign, as in 2.5E-06ADC.
func exponentLength(text string) int {
	i := 1
	if i < len(text) && (text[i] == '+' || text[i] == '-') {
		i++
	}
	start := i
	for i < len(text) && '0' <= text[i] && text[i] <= '9' {
		i++
	}
	letter := i < len(text) && text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z'
	if i == start || letter && start == 1 || i < len(text) && text[i] == '.' {
		return 0
	}
	return i
}

// ungroup removes the separators of thousands from a number, as in 1,234.5, 1.234,5, 1 234,5,
// 1'234.5, and the Indian 12,34,567. Decimals may also be grouped in threes by blanks.
func ungroup(number string, decimal byte) (bare string, grouped, ok bool) {
	whole, rest, _ := strings.Cut(number, string(decimal))
	if i := strings.IndexAny(whole, "eEdD"); i >= 0 {
		return number, false, true // 1e5 has no separators
	}
	sign := ""
	if whole != "" && (whole[0] == '-' || whole[0] == '+') {
		sign, whole = whole[:1], whole[1:]
	}
	var groups []string
	separator := rune(0)
	start := 0
	for i, r := range whole {
		if '0' <= r && r <= '9' {
			continue
		}
		if !(r == ',' || r == '.' || isGroupSign(r)) || separator != 0 && r != separator {
			return number, false, len(groups) == 0
		}
		separator = r
		groups = append(groups, whole[start:i])
		start = i + utf8.RuneLen(r)
	}
	groups = append(groups, whole[start:])
	if strings.IndexFunc(rest, isGroupSign) >= 0 {
		rest, grouped = dropBlanks(rest)
		if !grouped {
			return number, false, false
		}
	}
	if separator != 0 {
		if !inThousands(groups, separator) {
			return number, false, false
		}
		grouped = true
	}
	if !grouped {
		return number, false, true
	}
	bare = sign + strings.Join(groups, "")
	if len(number) > len(sign)+len(whole) {
		bare += string(decimal) + rest
	}
	return bare, true, true
}

// dropBlanks removes the blanks from decimals in groups of three, such as 674 30. The last of three
// or more groups may have four digits, as in 602 176 6208 of CODATA.
func dropBlanks(decimals string) (string, bool) {
	groups := strings.FieldsFunc(decimals, isGroupSign)
	last := len(groups) - 1
	for i, g := range groups {
		switch {
		case strings.ContainsAny(g, ".,"), i < last && len(g) != 3, last == 1 && len(g) > 3, last > 1 && len(g) > 4:
			return decimals, false
		}
	}
	return strings.Join(groups, ""), true
}

// inThousands reports whether groups of digits are grouped by thousands, or by lakhs and crores.
func inThousands(groups []string, separator rune) bool {
	last := len(groups) - 1
	if len(groups[0]) == 0 || len(groups[0]) > 3 || len(groups[last]) != 3 {
		return false
	}
	threes, twos := true, separator == ',' && len(groups[0]) <= 2 && last >= 2
	for _, g := range groups[1:last] {
		threes, twos = threes && len(g) == 3, twos && len(g) == 2
	}
	return threes || twos
}

// signOf returns the decimal sign of a number, or 0 if there is none, and whether it is certain.
// The comma in 1,5 and 1.234,5 is certainly a decimal sign; the comma in 1,234 may separate
// thousands.
func signOf(cell []byte) (sign byte, sure bool) {
	text, _ := plainPowers(string(minus(cell)))
	for _, s := range plusMinus {
		text, _, _ = strings.Cut(text, s)
	}
	text = strings.TrimLeft(text, "(+- ")
	end := numberEnd(text)
	exponent := strings.ContainsAny(text[:end], "eEdD")
	number := strings.TrimRight(text[:end], "eEdD+-0123456789")
	digits := text[len(number):end]
	if number == "" {
		return 0, false
	}
	commas, points := strings.Count(number, ","), strings.Count(number, ".")
	last := number[len(number)-1]
	switch {
	case commas > 0 && points > 0 && (last == ',' || last == '.'):
		return last, true
	case commas > 1:
		return '.', true
	case points > 1:
		return ',', true
	case commas+points == 0:
		return 0, false
	}
	sign = ','
	if points > 0 {
		sign = '.'
	}
	whole := strings.TrimRight(number, ",.")
	blanks := strings.IndexFunc(whole, isGroupSign) >= 0
	three := len(whole) > 0 && len(whole) < 4 && whole[0] != '0' && len(digits) == 3
	return sign, exponent || blanks || !three || strings.IndexByte(text, '(') > 0
}

// minus replaces typographic minus signs by the ASCII hyphen.
func minus(cell []byte) []byte {
	for _, sign := range []string{"\u2212", "\u2013", "\u2014", "\uff0d", "\u2010", "\u2011"} {
		if bytes.Contains(cell, []byte(sign)) && len(cell) > len(sign) {
			cell = bytes.ReplaceAll(cell, []byte(sign), []byte("-"))
		}
	}
	return cell
}
