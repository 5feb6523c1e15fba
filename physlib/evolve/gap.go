package evolve

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/physlib/lab/physlib/token"
)

// span is the half-open range [from, to) of tokens.
type span struct{ from, to int }

// subtrees returns for each token the span of the subexpression whose root it is.
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
	var ends []int // ends of the complete expressions to the right, with the nearest last
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

// maxGap is the largest number of masked tokens that replace others.
const maxGap = 12

// gap is a law with masked tokens.
type gap struct {
	parent *individual
	given  []int32 // tokens of the law, with the mask token at masked positions
	kept   []int   // index in given of each token of the parent; -1: masked
}

// replace replaces a random subtree of x by masked tokens. Their number is such that the law then
// has seq tokens. ok is false if no subtree allows this.
func replace(v *token.Vocabulary, rng *rand.Rand, x *individual, seq int) (g gap, ok bool) {
	grow := seq - len(x.ids)
	all := subtrees(v, x.ids)
	all = slices.DeleteFunc(all, func(s span) bool {
		masked := s.to - s.from + grow
		return masked < 1 || masked > maxGap
	})
	if len(all) == 0 {
		return g, false
	}
	s := all[rng.IntN(len(all))]
	return cut(v, x, s, s.to-s.from+grow), true
}

// widen inserts masked tokens at a random position in x. Their number is such that the law then has
// seq tokens. ok is false if this is impossible.
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

// cut replaces the span s by the given number of masked tokens.
func cut(v *token.Vocabulary, x *individual, s span, masked int) gap {
	g := gap{parent: x}
	g.given = append(g.given, x.ids[:s.from]...)
	g.given = append(g.given, slices.Repeat([]int32{v.Mask()}, masked)...)
	g.given = append(g.given, x.ids[s.to:]...)
	for i := range x.ids {
		switch {
		case i < s.from:
			g.kept = append(g.kept, i)
		case i < s.to:
			g.kept = append(g.kept, -1)
		default:
			g.kept = append(g.kept, i-(s.to-s.from)+masked)
		}
	}
	return g
}

// uncertainGap masks one to six tokens of x, mostly those in which the network has least
// confidence. It chooses the tokens with the largest sum of -log p and a random Gumbel number.
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
