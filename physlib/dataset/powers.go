package dataset

import (
	"regexp"
	"strings"
)

// Powers of ten as they are printed: 3×10^8, 3·10⁸, 3*10**8, 3 \times 10^{8}, 3*^8, and 10^8 alone.
var (
	printedPower = regexp.MustCompile(`(\d[.,]?|\))\s*(?:[×xX*·⋅∙]|\\times|\\cdot|&times;)\s*10\s*(?:(?:\^|\*\*)\s*[{(]?([-+]?\d+)[})]?|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))`)
	// precision matches the precision mark of Mathematica, as in 2.5`16.
	precision    = regexp.MustCompile("(\\d\\.?)`[\\d.]*")
	wolframPower = regexp.MustCompile(`(\d[.,]?)\*\^([-+]?\d+)`)
	barePower    = regexp.MustCompile(`^([-+]?)10\s*(?:(?:\^|\*\*)\s*[{(]?([-+]?\d+)[})]?|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))`)
	raised       = strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9", "⁺", "+", "⁻", "-")
)

// plainPowers returns a cell with its powers of ten written as e8, and without the dollar signs of
// TeX. ok is false if it is unclear what a power multiplies, as in 2 ± 0.1×10^3.
func plainPowers(text string) (string, bool) {
	if n := len(text); n > 2 && text[0] == '$' && text[n-1] == '$' {
		text = strings.TrimSpace(text[1 : n-1])
	}
	if strings.IndexByte(text, '`') > 0 {
		text = precision.ReplaceAllString(text, "$1")
	}
	if !strings.ContainsAny(text, "^*⁰¹²³⁴⁵⁶⁷⁸⁹") {
		return text, true
	}
	plain := wolframPower.ReplaceAllString(text, "${1}e$2")
	plain = printedPower.ReplaceAllStringFunc(plain, func(power string) string {
		part := printedPower.FindStringSubmatch(power)
		return part[1] + "e" + part[2] + raised.Replace(part[3])
	})
	plain = barePower.ReplaceAllStringFunc(plain, func(power string) string {
		part := barePower.FindStringSubmatch(power)
		return part[1] + "1e" + part[2] + raised.Replace(part[3])
	})
	if plain == text {
		return text, true
	}
	for _, sign := range plusMinus {
		if left, right, ok := strings.Cut(plain, sign); ok && strings.Contains(right, "e") && !strings.ContainsAny(left, "e(") {
			return plain, false
		}
	}
	return plain, true
}
