package evolve

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/token"
)

// span is a stretch of tokens [from, to).
type span struct{ from, to int }

// subtrees returns the stretches that are expressions, one for each token: that of an operator with
// its operands.
func subtrees(v *token.Vocabulary, ids []int32) []span {
	out := make([]span, len(ids))
	if v.Postfix() {
		var begins []int
		for i, id := range ids {
			from := i
			if a := v.Arity(id); a > 0 {
				begins = begins[:len(begins)-a+1]
				from = begins[len(begins)-1]
			} else {
				begins = append(begins, i)
			}
			out[i] = span{from, i + 1}
		}
		return out
	}
	var ends []int // of the expressions behind, the next one last
	for i, id := range slices.Backward(ids) {
		to := i + 1
		if a := v.Arity(id); a > 0 {
			to = ends[len(ends)-a]
			ends = append(ends[:len(ends)-a], to)
		} else {
			ends = append(ends, to)
		}
		out[i] = span{i, to}
	}
	return out
}

// maxGap is how many tokens are hidden at most where others take their place.
const maxGap = 12

// gap is a law with hidden tokens.
type gap struct {
	parent *individual
	given  []int32 // the mask token where hidden
	kept   []int   // of each token of the parent its place in given; -1: hidden
}

// replace hides a subtree of x behind so many masks that the law has seq tokens. ok is false where
// no subtree allows it.
func replace(v *token.Vocabulary, rng *rand.Rand, x *individual, seq int) (g gap, ok bool) {
	grow := seq - len(x.ids)
	all := subtrees(v, x.ids)
	all = slices.DeleteFunc(all, func(s span) bool {
		hidden := s.to - s.from + grow
		return hidden < 1 || hidden > maxGap
	})
	if len(all) == 0 {
		return g, false
	}
	s := all[rng.IntN(len(all))]
	return cut(v, x, s, s.to-s.from+grow), true
}

// widen puts hidden tokens between those of x.
func widen(v *token.Vocabulary, rng *rand.Rand, x *individual, seq int) (g gap, ok bool) {
	more := seq - len(x.ids)
	if more < 1 || more > maxGap {
		return g, false
	}
	at := rng.IntN(len(x.ids))
	if v.Postfix() {
		at++
	}
	return cut(v, x, span{at, at}, more), true
}

// cut puts hidden tokens in the place of s.
func cut(v *token.Vocabulary, x *individual, s span, hidden int) gap {
	g := gap{parent: x}
	g.given = append(g.given, x.ids[:s.from]...)
	g.given = append(g.given, slices.Repeat([]int32{v.Mask()}, hidden)...)
	g.given = append(g.given, x.ids[s.to:]...)
	for i := range x.ids {
		switch {
		case i < s.from:
			g.kept = append(g.kept, i)
		case i < s.to:
			g.kept = append(g.kept, -1)
		default:
			g.kept = append(g.kept, i-(s.to-s.from)+hidden)
		}
	}
	return g
}

// uncertainGap hides one to six tokens of x of which the network is least confident. They are
// random, as those of the greatest Gumbel number about -log p.
func uncertainGap(v *token.Vocabulary, rng *rand.Rand, x *individual, logp []float64) gap {
	g := gap{parent: x, given: slices.Clone(x.ids)}
	type scored struct {
		at    int
		score float64
	}
	list := make([]scored, len(x.ids))
	for i := range x.ids {
		g.kept = append(g.kept, i)
		list[i] = scored{i, -logp[i] - math.Log(rng.ExpFloat64())}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	for _, s := range list[:1+rng.IntN(min(6, len(list)))] {
		g.given[s.at], g.kept[s.at] = v.Mask(), -1
	}
	return g
}
