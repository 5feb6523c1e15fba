package unit

import (
	"cmp"
	"maps"
	"slices"
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

// suggestion is the valid name nearest to token, or "".
func suggestion(token string) string {
	if hint, ok := confusions[token]; ok {
		return hint
	}
	return spelling.Nearest(token, names())
}

// confusions are names that people write for units, but which mean none or several.
var confusions = map[string]string{
	"KG":     "kg", // rather than kG, kilogauss
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
