package dataset

import (
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/unit"
)

// symbolUnits contains a unit of the quantities that a letter usually stands for.
var symbolUnits = map[string][]string{
	"T": {"K"}, "t": {"s"}, "U": {"V"}, "V": {"V", "m^3"}, "I": {"A"}, "R": {"ohm"}, "P": {"W", "Pa"}, "p": {"Pa"}, "F": {"N"},
	"E": {"J"}, "f": {"Hz"}, "m": {"kg"}, "v": {"m/s"},
	"L": {"m"}, "l": {"m"}, "d": {"m"}, "h": {"m"}, "r": {"m"}, "x": {"m"}, "y": {"m"}, "z": {"m"}, "lambda": {"m"},
}

// unitInName returns the unit at the end of a name such as length_mm, "temp °C" or T_C. The name
// before it must be one for a quantity with this unit, so x_max and n_bar have no unit. A single
// letter after a single letter, as in x_m, may also be an index. It counts as a unit only if other
// headings have their units in the same way, or after T.
func (t *reader) unitInName(cell string) string {
	i := strings.LastIndexAny(cell, "_ ")
	if i <= 0 {
		return ""
	}
	name, unitText := strings.TrimRight(cell[:i], "_ "), cell[i+1:]
	if !unitOf(name, unitText) {
		return ""
	}
	if len(name) == 1 && len(unitText) == 1 && name != "T" && t.unitsInNames() < 2 {
		return ""
	}
	return unitText
}

// unitsInNames returns the number of headings that end in a unit of the quantity that they name.
func (t *reader) unitsInNames() (n int) {
	for _, h := range t.header {
		if name, unitText, ok := strings.Cut(strings.ReplaceAll(string(h), " ", "_"), "_"); ok && unitOf(name, unitText) {
			n++
		}
	}
	return n
}

// unitOf reports whether the quantity with the given name can have the unit. For names of several
// words, it looks at the last word, or at the first if the last is an index.
func unitOf(name, unitText string) bool {
	if (unitText == "C" || unitText == "F") && temperatures.MatchString(name) {
		return true
	}
	u, err := parseUnit(unitText)
	if err != nil || strings.ContainsAny(unitText[:1], "0123456789") {
		return false
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == ' ' })
	for _, word := range slices.Backward(words) {
		if dimension, ok := unit.DimensionNamed(word); ok {
			return dimension == u.Dimension()
		}
	}
	return len(words) == 1 && slices.ContainsFunc(symbolUnits[name], func(s string) bool {
		usual, err := parseUnit(s)
		return err == nil && usual.Dim == u.Dim
	})
}
