package unit

import (
	"cmp"
	"maps"
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
	valid := index()
	for i := range token {
		a, b := token[:i], token[i:]
		x, okA := valid[a]
		y, okB := valid[b]
		if okA && okB && x.dim != y.dim && max(x.rank, y.rank) < prefixed && (b != "s" || len(a) < 3) { // mins are minutes
			return a + " " + b
		}
	}
	return spelling.Nearest(token, names())
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
	"cc":     "cm^3",
	"sq":     "an exponent, such as m^2",
	"Cal":    "kcal",
	"CFM":    "ft^3/min",
	"gpm":    "gal/min",
	"month":  "d or yr",
	"months": "d or yr",
}
