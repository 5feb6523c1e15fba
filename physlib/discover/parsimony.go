package discover

import (
	"math"
	"slices"
)

// Bounds of a choice for parsimony.
const (
	parsimonyBits = 6   // by which the law with fewer constants may be longer
	parsimonyData = 3   // by which it may fit worse; a constant two standard errors from zero gains 2.9
	nonzeroErrors = 2   // standard errors that tell a constant from zero
	limitGap      = 0.3 // standard errors that tell a limit from another law
)

// preferFewerConstants puts another law first if a constant of the first does not differ from zero.
// The other has fewer constants and is a special case or limit of the first. Such a constant costs
// little, since the data do not determine it. The two laws exchange their description lengths.
func (k *ranking) preferFewerConstants() {
	if len(k.list) == 0 || !undetermined(k.list[0]) || k.m.Exact(k.list[0].Score) {
		return
	}
	best, s := k.list[0], k.m.Scorer()
	i := slices.IndexFunc(k.list, func(c ranked) bool {
		return len(c.Params) < len(best.Params) && c.Bits < best.Bits+parsimonyBits && c.Balanced == best.Balanced &&
			c.DataBits+c.ErrorBits < best.DataBits+best.ErrorBits+parsimonyData && s.Gap(best.Score, c.Score) < limitGap
	})
	if i < 0 {
		return
	}
	k.list[0].Bits, k.list[i].Bits = k.list[i].Bits, best.Bits
	k.sort()
}

// undetermined reports whether a constant of c does not differ from zero.
func undetermined(c ranked) bool {
	for i, v := range c.Params {
		if i < len(c.StdErr) && !(math.Abs(v) > nonzeroErrors*c.StdErr[i]) {
			return true
		}
	}
	return false
}
