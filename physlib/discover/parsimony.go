package discover

import (
	"math"
	"slices"
)

// Limits of preferFewerConstants.
const (
	parsimonyBits = 6 // number of bits by which the law with fewer constants may be longer
	// Number of bits by which the data part of the law with fewer constants may be longer. A
	// constant that differs from zero by 2 standard errors saves 2.9 bits.
	parsimonyData = 3
	nonzeroErrors = 2   // a constant differs from zero if it exceeds this many standard errors
	limitGap      = 0.3 // largest difference (Scorer.Gap) between a law and its limit
)

// preferFewerConstants replaces the first law by a law with fewer constants that is a special case
// or limit of it. It does so if a constant of the first law, or of an equivalent form of that law,
// does not differ significantly from zero. A constant near zero costs few bits, since the data
// hardly determine it, so description lengths alone do not prefer the simpler law. The two laws
// exchange their description lengths, which puts the simpler law first.
func (k *ranking) preferFewerConstants() {
	if len(k.list) == 0 || !k.list[0].hasNearZero || k.m.Exact(k.list[0].Score) {
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
	k.sortLaws()
}

// anyNearZero reports whether some constant of c is within nonzeroErrors standard errors of zero.
func anyNearZero(c ranked) bool {
	for i, v := range c.Params {
		if i < len(c.StdErr) && !(math.Abs(v) > nonzeroErrors*c.StdErr[i]) {
			return true
		}
	}
	return false
}
