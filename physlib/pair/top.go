package pair

import (
	"cmp"
	"slices"
)

// Top collects the best elements of a long list.
type Top[T any] struct {
	Keep    int              // number of elements that are kept
	Cut     float64          // least score with which an element may be kept; it rises
	Score   func(T) float64  // the best elements have the largest scores
	Compare func(a, b T) int // orders elements with equal scores; nil: by time of arrival
	list    []T
}

// Add keeps v if it is among the best so far.
func (t *Top[T]) Add(v T) {
	if !(t.Score(v) >= t.Cut) {
		return
	}
	if t.list = append(t.list, v); len(t.list) == 2*t.Keep {
		t.prune()
	}
}

// prune raises Cut to the score of the worst element that is kept, and drops those below it. It
// sorts the list, which takes longer, only if equal scores leave too many elements.
func (t *Top[T]) prune() {
	scores := make([]float64, len(t.list))
	for i, v := range t.list {
		scores[i] = t.Score(v)
	}
	slices.Sort(scores)
	t.Cut = max(t.Cut, scores[len(scores)-t.Keep])
	t.list = slices.DeleteFunc(t.list, func(v T) bool { return t.Score(v) < t.Cut })
	if len(t.list) > t.Keep+t.Keep/2 {
		t.Best()
	}
}

// Best returns the best elements, the best first.
func (t *Top[T]) Best() []T {
	slices.SortStableFunc(t.list, func(a, b T) int {
		c := cmp.Compare(t.Score(b), t.Score(a))
		if c == 0 && t.Compare != nil {
			c = t.Compare(a, b)
		}
		return c
	})
	if len(t.list) >= t.Keep {
		t.list = t.list[:t.Keep]
		t.Cut = max(t.Cut, t.Score(t.list[t.Keep-1]))
	}
	return t.list
}

// newTop returns a collector of the best pairs. Pairs with equal scores are ordered by their
// indices, so that the result does not depend on the order of arrival.
func newTop(o Options) *Top[Pair] {
	return &Top[Pair]{Keep: o.K, Cut: float64(o.Floor), Score: func(p Pair) float64 { return float64(p.R2) },
		Compare: func(a, b Pair) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) }}
}
