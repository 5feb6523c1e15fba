package dataset

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/physlib/lab/physlib/unit"
)

// symbolUnits contains a unit of the quantities that a letter usually stands for.
var symbolUnits = map[string][]string{
	"T": {"K"}, "t": {"s"}, "U": {"V"}, "V": {"V", "m^3"}, "I": {"A"}, "R": {"ohm"}, "P": {"W", "Pa"}, "p": {"Pa"}, "F": {"N"},
	"E": {"J"}, "f": {"Hz"}, "m": {"kg"}, "v": {"m/s"},
	"L": {"m"}, "l": {"m"}, "d": {"m"}, "h": {"m"}, "r": {"m"}, "x": {"m"}, "y": {"m"}, "z": {"m"}, "lambda": {"m"},
}

// molar matches units of concentrations, which have hardly another meaning.
var molar = regexp.MustCompile(`^[munpµμ]M$`)

// unitInName returns the unit at the end of a name such as length_mm, "temp °C" or T_C. The name
// before it must be one for a quantity with this unit, so x_max and n_bar have no unit. A single
// letter after a single letter, as in x_m, may also be an index. It counts as a unit only if other
// headings have their units in the same way, or after T.
func (t *reader) unitInName(cell string) string {
	name, unitText := lastPart(cell)
	if !unitOf(name, unitText) || t.isLetterIndex(name, unitText) {
		return ""
	}
	if len(name) == 1 && len(unitText) == 1 && name != "T" && t.unitsInNames() < 2 {
		return ""
	}
	return unitText
}

// isLetterIndex reports whether the last part of a name is an index although it could be a unit: a
// letter, in or min, while another name ends in an index of letters that is not a unit. Examples
// are T_C next to T_H, h_in next to h_out, and t_min next to t_max.
func (t *reader) isLetterIndex(name, index string) bool {
	if len(index) > 1 && index != "in" && index != "min" {
		return false
	}
	return slices.ContainsFunc(t.header, func(h []byte) bool {
		other, last := lastPart(string(h))
		return other == name && last != index && !unitOf(other, last) && !slices.Contains(errorWords, strings.ToLower(last)) && !strings.ContainsFunc(last, func(r rune) bool { return !unicode.IsLetter(r) })
	})
}

// unitsInNames returns the number of headings that end in a unit of the quantity that they name.
func (t *reader) unitsInNames() (n int) {
	for _, h := range t.header {
		if unitOf(lastPart(string(h))) {
			n++
		}
	}
	return n
}

// lastPart splits a heading before its last part: arm_length and mm for arm_length_mm. Both are ""
// if it has only one part.
func lastPart(heading string) (name, last string) {
	i := strings.LastIndexAny(heading, "_ ")
	if i <= 0 {
		return "", ""
	}
	return strings.TrimRight(heading[:i], "_ "), heading[i+1:]
}

// unitOf reports whether the quantity with the given name can have the unit. Of several words, the
// last one that names a quantity counts.
func unitOf(name, unitText string) bool {
	if name == "" || unitText == "" {
		return false
	}
	if (unitText == "C" || unitText == "F") && temperatures.MatchString(name) {
		return true
	}
	u, err := parseUnit(unitText)
	if err != nil || strings.ContainsAny(unitText[:1], "0123456789") {
		return false
	}
	if molar.MatchString(unitText) { // any letter may name a substance, as in S_mM
		return true
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == ' ' })
	for _, word := range slices.Backward(words) {
		if dimension, ok := unit.DimensionByName(word); ok {
			return dimension == u.Dimension()
		}
	}
	return len(words) == 1 && slices.ContainsFunc(symbolUnits[name], func(s string) bool {
		usual, err := parseUnit(s)
		return err == nil && usual.Dim == u.Dim
	})
}
