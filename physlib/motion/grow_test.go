package motion

import (
	"slices"
	"testing"
)

// Combinations of the first candidates come first, and no combination is repeated.
func TestCombinations(t *testing.T) {
	c := make([]candidate, 5)
	lists := [][]*candidate{{&c[0], &c[1], &c[2]}, nil, {&c[3], &c[4]}}
	want := [][]*candidate{
		{&c[0], nil, &c[3]},
		{&c[0], nil, &c[4]}, {&c[1], nil, &c[3]},
		{&c[1], nil, &c[4]}, {&c[2], nil, &c[3]},
		{&c[2], nil, &c[4]},
	}
	for most := range len(want) + 2 {
		got := combinations(lists, most)
		if !slices.EqualFunc(got, want[:min(most, len(want))], slices.Equal[[]*candidate]) {
			t.Errorf("most %d: %d combinations %v, want %v", most, len(got), got, want[:min(most, len(want))])
		}
	}
}
