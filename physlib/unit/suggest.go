package unit

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/physlib/lab/physlib/unit/spelling"
)

// names are the valid names, the most usual first.
var names = sync.OnceValue(func() []string {
	m := index()
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(m[a].rank, m[b].rank), cmp.Compare(a, b))
	})
})

// suggestion returns a likely meaning of token, or "": two units without a space, such as "N m" for
// Nm, or the nearest valid name.
func suggestion(token string) string {
	if hint, ok := confusions[token]; ok {
		return hint
	}
	if name := otherCase(token); strings.HasPrefix(name, "k") {
		return name // not K Pa
	}
	valid := index()
	for i := range token {
		a, b := token[:i], token[i:]
		x, okA := valid[a]
		y, okB := valid[b]
		if okA && okB && x.dim != y.dim && max(x.rank, y.rank) < prefixed && (b != "s" || len(a) < 3) { // mins are minutes
			return a + " " + b
		}
	}
	return cmp.Or(otherCase(token), spelling.Nearest(token, names()))
}

// otherCase returns the most usual name that differs from token in capitals alone, by as few as
// possible; "" for none.
func otherCase(token string) (name string) {
	fewest := len(token) + 1
	for _, n := range names() {
		if !strings.EqualFold(n, token) || len(n) != len(token) {
			continue
		}
		differ := 0
		for i := range n {
			if n[i] != token[i] {
				differ++
			}
		}
		if differ < fewest {
			name, fewest = n, differ
		}
	}
	return name
}

// elements are symbols of elements that are also those of units.
var elements = map[string]string{"C": "coulomb", "N": "newton", "P": "poise", "S": "siemens", "F": "farad", "K": "kelvin", "H": "henry"}

var amountOf = regexp.MustCompile(`^([kmµμun]?(?:g|mol))[ ·]([CNPSFKH])(?:/|$| \w+\^?-)`)

// Element returns the symbol of an element in a text such as mg C/L, where Parse reads a unit, with
// the name of that and how to write the amount. ok is false where there is none.
func Element(text string) (symbol, read, write string, ok bool) {
	m := amountOf.FindStringSubmatchIndex(text)
	if m == nil {
		return "", "", "", false
	}
	symbol = text[m[4]:m[5]]
	return symbol, elements[symbol], text[:m[3]] + text[m[5]:], true
}

// Doubtful returns another likely meaning of a text that Parse reads, with the reading and how to
// write the other. W/mK is a watt per millikelvin, but usually means one per metre and kelvin. ok
// is false where there is no other meaning.
func Doubtful(text string) (read, write string, ok bool) {
	_, below, ok := strings.Cut(text, "/")
	if !ok || !strings.HasSuffix(strings.TrimRight(below, " )"), "mK") {
		return "", "", false
	}
	return "millikelvin", strings.ReplaceAll(strings.NewReplacer("(", "", ")", "").Replace(text), "mK", "(m K)"), true
}

// confusions are names that people write for units, but which mean none or several.
var confusions = map[string]string{
	"KG":     "kg", // rather than kG, kilogauss
	"Kg":     "kg", // rather than K g
	"mb":     "mbar or mbarn",
	"ton":    "t (1000 kg) or 2000 lb",
	"tons":   "t (1000 kg) or 2000 lb",
	"dB":     "a ratio, such as [1]",
	"dBm":    "a ratio, such as [1]",
	"dBV":    "a ratio, such as [1]",
	"dBA":    "a ratio, such as [1]",
	"sq":     "an exponent, such as m^2",
	"Cal":    "kcal",
	"month":  "d or yr",
	"months": "d or yr",
}
