package memory

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/physlib/lab/physlib/pdr"
)

// Variant returns the network c with changes, and with about as many parameters as c. words names
// the changes, joined by "+":
//
//	full diagonal low fixed    kind of the gates
//	gqa                        every second layer is windowed attention
//	keep=0.5                   initial σ(b)
//	plain                      the output of the memory is not normalised
func Variant(c pdr.Config, words string) (pdr.Config, error) {
	params := c.Params()
	for word := range strings.SplitSeq(words, "+") {
		name, value, _ := strings.Cut(word, "=")
		switch {
		case slices.Contains([]string{"full", "diagonal", "low", "fixed"}, word):
			if err := c.Gate.UnmarshalText([]byte(word)); err != nil {
				return c, err
			}
		case word == "gqa":
			c.Every, c.QHeads, c.KVHeads, c.Window = 2, 4, 2, 16
		case word == "plain":
			c.NoNorm = true
		case name == "keep":
			keep, err := strconv.ParseFloat(value, 64)
			if err != nil || !(keep > 0 && keep < 1) {
				return c, fmt.Errorf("variant %s: keep must be between 0 and 1, as in keep=0.5", words)
			}
			c.Keep = keep
		default:
			return c, fmt.Errorf("variant %s: unknown part %q; use full, diagonal, low, fixed, gqa, keep=0.5 or plain, joined by +", words, word)
		}
	}
	return c.WithParams(params), nil
}
