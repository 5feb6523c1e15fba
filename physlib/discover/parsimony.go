package discover

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/mdl"
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
// hardly determine it, so description lengths alone do not prefer the simpler law.
func (k *ranking) preferFewerConstants(list []ranked) []ranked {
	if len(list) == 0 || !list[0].hasNearZero || k.m.Exact(list[0].Score) {
		return list
	}
	best, s := list[0], k.m.Scorer()
	i := slices.IndexFunc(list, func(c ranked) bool {
		return c.rankBits < best.rankBits+parsimonyBits && specialCase(s, best, c)
	})
	return putFirst(list, i)
}

// specialCase reports whether c, with fewer constants, is a special case or limit of general, and
// fits about as well.
func specialCase(s *mdl.Scorer, general, c ranked) bool {
	return len(c.Params) < len(general.Params) && c.Balanced == general.Balanced &&
		c.DataBits+c.ErrorBits < general.DataBits+general.ErrorBits+parsimonyData && s.Gap(general.Score, c.Score) < limitGap
}

// raiseSpareConstants lengthens laws that contain the first law as a special case, and fit hardly
// better, by the constant that they have in addition. A constant near zero costs few bits (see
// preferFewerConstants), so that such a law would count as a rival about as likely as the first.
// Each of them becomes at least parsimonyBits longer than the first.
func (k *ranking) raiseSpareConstants(list []ranked) []ranked {
	if len(list) == 0 || k.m.Exact(list[0].Score) {
		return list
	}
	best, s := list[0], k.m.Scorer()
	raised := slices.Clone(list)
	for i, c := range list {
		if i > 0 && c.rankBits < best.rankBits+parsimonyBits && c.hasNearZero && specialCase(s, c, best) {
			raised[i] = c.at(best.rankBits + parsimonyBits)
		}
	}
	return byBits(raised)
}

// mostTested is the largest number of rows for preferTestable. Longer tables rarely have few
// points, and counting these takes time.
const mostTested = 1000

// preferTestable looks for a law that is about as likely as the first (see tieBits). It puts that
// law first if the rows are too few to test the first law, but enough to test the other.
func (k *ranking) preferTestable(list []ranked) []ranked {
	if len(list) == 0 || k.t.Rows() > mostTested || k.m.Exact(list[0].Score) {
		return list
	}
	points := k.numPoints()
	if Testable(points, list[0].Tree.NumParams()) {
		return list
	}
	best := list[0]
	i := slices.IndexFunc(list, func(c ranked) bool {
		return c.rankBits < best.rankBits+tieBits && c.Balanced == best.Balanced && Testable(points, c.Tree.NumParams())
	})
	return putFirst(list, i)
}

// putFirst returns the list with law i first, or the same list if i is negative. The first law and
// law i exchange their places and their rankBits, so the list stays in order.
func putFirst(list []ranked, i int) []ranked {
	if i < 0 {
		return list
	}
	list = slices.Clone(list)
	first, other := list[0], list[i]
	list[0], list[i] = other.at(first.rankBits), first.at(other.rankBits)
	return list
}

// anyNearZero reports whether some constant of c is within nonzeroErrors standard errors of zero.
func anyNearZero(c mdl.Score) bool {
	for i, v := range c.Params {
		if i < len(c.StdErr) && !(math.Abs(v) > nonzeroErrors*c.StdErr[i]) {
			return true
		}
	}
	return false
}
