package pair

import (
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Top keeps the elements that come first when the whole list is sorted. This holds even if many
// scores are equal, with and without an order of elements with equal scores.
func TestTopAgainstSorting(t *testing.T) {
	type element struct{ id, score int }
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.IntRange(-2, rapid.IntRange(0, 50).Draw(t, "largest")), 0, 60).Draw(t, "scores")
		top := Top[element]{Keep: rapid.IntRange(1, 8).Draw(t, "keep"), Score: func(e element) float64 { return float64(e.score) }}
		if rapid.Bool().Draw(t, "ordered") {
			top.Compare = func(a, b element) int { return cmp.Compare(b.id, a.id) }
		}
		var want []element
		for i, s := range scores {
			top.Add(element{i, s})
			if s >= 0 { // Cut
				want = append(want, element{i, s})
			}
		}
		slices.SortStableFunc(want, func(a, b element) int {
			if c := cmp.Compare(b.score, a.score); c != 0 || top.Compare == nil {
				return c
			}
			return top.Compare(a, b)
		})
		want = want[:min(len(want), top.Keep)]
		if d := gocmp.Diff(want, top.Best(), gocmp.AllowUnexported(element{})); d != "" && len(want)+len(top.Best()) > 0 {
			t.Error(d)
		}
	})
}
