package unit

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/physlib/lab/physlib/spelling"
)

// names lists the valid names, the most common first.
var names = sync.OnceValue(func() []string {
	m := index()
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(m[a].rank, m[b].rank), cmp.Compare(a, b))
	})
})

// suggestion returns a likely meaning of token. This is either two units between which a space is
// missing, such as "N m" for Nm, or the nearest valid name. It returns "" if there is no likely
// meaning.
func suggestion(token string) string {
	if hint, ok := confusions[token]; ok {
		return hint
	}
	if name := otherCase(token); strings.HasPrefix(name, "k") {
		return name // the name is more likely than, for example, K Pa
	}
	valid := index()
	for i := range token {
		a, b := token[:i], token[i:]
		x, okA := valid[a]
		y, okB := valid[b]
		// A final s may be a plural: Mins means minutes.
		if okA && okB && x.dim != y.dim && max(x.rank, y.rank) < prefixed && (b != "s" || len(a) < 3) {
			return a + " " + b
		}
	}
	return cmp.Or(otherCase(token), spelling.Nearest(token, names()))
}

// otherCase returns the valid name that differs from token only in the case of letters, in as few
// letters as possible. If there are several such names, it returns the most common one. If there is
// none, it returns "".
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

// elements lists the symbols of chemical elements that are also symbols of units. It maps them to
// the names of these units.
var elements = map[string]string{"C": "coulomb", "N": "newton", "P": "poise", "S": "siemens", "F": "farad", "K": "kelvin", "H": "henry"}

var amountOf = regexp.MustCompile(`^([kmµμun]?(?:g|mol))[ ·]([CNPSFKH])(?:/|$| \w+\^?-)`)

// Element returns the symbol of a chemical element that Parse would read as a unit, in a text such
// as mg C/L. read is the name of that unit, and write is a better way to write the amount. ok is
// false if there is no such symbol.
func Element(text string) (symbol, read, write string, ok bool) {
	m := amountOf.FindStringSubmatchIndex(text)
	if m == nil {
		return "", "", "", false
	}
	symbol = text[m[4]:m[5]]
	return symbol, elements[symbol], text[:m[3]] + text[m[5]:], true
}

// Doubtful reports whether a text probably has another meaning than the one that Parse reads. read
// is what Parse reads, and write is how the other meaning is written. For example, Parse reads V/mK
// as volt per millikelvin, but people may mean volt per metre and kelvin. ok is false if there is
// no other meaning.
func Doubtful(text string) (read, write string, ok bool) {
	_, below, ok := strings.Cut(text, "/")
	if !ok || perKelvin.MatchString(text) || !strings.HasSuffix(strings.TrimRight(below, " )"), "mK") {
		return "", "", false
	}
	return "millikelvin", strings.ReplaceAll(strings.NewReplacer("(", "", ")", "").Replace(text), "mK", "(m K)"), true
}

// confusions maps texts that are used as units, but have no meaning or several meanings, to
// suggestions.
var confusions = map[string]string{
	"KG":     "kg", // not kG, which would be kilogauss
	"Kg":     "kg", // not K g, which would be kelvin times gram
	"mb":     "mbar or mbarn",
	"ton":    "t (1000 kg) or 2000 lb",
	"tons":   "t (1000 kg) or 2000 lb",
	"sq":     "an exponent, such as m^2",
	"Cal":    "kcal",
	"month":  "d or yr",
	"months": "d or yr",
}
