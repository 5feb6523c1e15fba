package dataset

import "strings"

// lookalikes replaces letters of other scripts by the Latin letters that they look like.
var lookalikes = strings.NewReplacer(
	"а", "a", "в", "b", "с", "c", "ԁ", "d", "е", "e", "ё", "e", "һ", "h", "і", "i", "ј", "j", "к", "k", "м", "m", "н", "n", "о", "o", "р", "p", "ѕ", "s", "т", "t", "у", "y", "х", "x",
	"А", "A", "В", "B", "С", "C", "Е", "E", "Н", "H", "І", "I", "Ј", "J", "К", "K", "М", "M", "О", "O", "Р", "P", "Ѕ", "S", "Т", "T", "У", "Y", "Х", "X",
	"Α", "A", "Β", "B", "Ε", "E", "Ζ", "Z", "Η", "H", "Ι", "I", "Κ", "K", "Μ", "M", "Ν", "N", "Ο", "O", "Ρ", "P", "Τ", "T", "Υ", "Y", "Χ", "X", "ο", "o", "ν", "v",
	"\u00b5", "\u03bc", "Ω", "Ω", "K", "K", "Å", "Å", "ℓ", "l", "ϕ", "φ", "ϑ", "θ", "ϵ", "ε", "∆", "Δ",
)

// skeleton returns the appearance of a name. Two names with the same skeleton look the same.
func skeleton(name string) string { return lookalikes.Replace(name) }

// alikeNames warns of different column names that look the same.
func (t *reader) alikeNames() {
	seen := map[string]int{}
	for i, h := range t.columns {
		if h.Name == "" {
			continue
		}
		s := skeleton(h.Name)
		if k, ok := seen[s]; ok {
			t.warn("columns %d and %d have names that look alike, %s and %s, written with other letters (%+q and %+q)", k+1, i+1, t.columns[k].Name, h.Name, t.columns[k].Name, h.Name)
			continue
		}
		seen[s] = i
	}
}
