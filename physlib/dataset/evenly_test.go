package dataset

import (
	"slices"
	"testing"
)

func TestEvenly(t *testing.T) {
	for _, c := range []struct {
		n, k int
		want []int
	}{{5, 5, []int{0, 1, 2, 3, 4}}, {5, 2, []int{0, 4}}, {10, 4, []int{0, 3, 6, 9}}, {7, 3, []int{0, 3, 6}}} {
		if got := Evenly(c.n, c.k); !slices.Equal(got, c.want) {
			t.Errorf("%d of %d rows: %v, want %v", c.k, c.n, got, c.want)
		}
	}
}
