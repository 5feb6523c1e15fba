package outlier_test

import (
	"math"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/outlier"
)

func TestDropSmoothRuns(t *testing.T) {
	decay, wild := make([]float64, 40), make([]float64, 40)
	for i := range decay {
		decay[i] = math.Exp(-float64(i) / 3)
		wild[i] = float64(i * i * 7919 % 101)
	}
	for _, c := range []struct {
		name string
		y    []float64
		rows []int
		want []int
	}{
		{"start of a decay", decay, []int{0, 1, 2, 3, 4, 5, 20}, []int{20}},
		{"few", decay, []int{0, 1, 2, 8}, []int{0, 1, 2, 8}},
		{"gross errors by chance together", wild, []int{3, 4, 5, 6, 7}, []int{3, 4, 5, 6, 7}},
		{"cut off", slices.Repeat([]float64{1}, 40), []int{3, 4, 5, 6, 7}, []int{3, 4, 5, 6, 7}},
		{"none", decay, nil, nil},
	} {
		if got := outlier.DropSmoothRuns(c.rows, c.y); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
