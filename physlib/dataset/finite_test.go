package dataset

import (
	"math"
	"slices"
	"testing"
)

// Rows with NaN or infinite values or weights are left out. The others are evenly spaced.
func TestFiniteRows(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	p := Problem{
		Target: Quantity{Values: []float64{1, nan, 3, 4, 5, 6, 7}},
		Vars:   []Quantity{{Values: []float64{1, 2, inf, 4, 5, 6, 7}}},
	}
	for _, c := range []struct {
		weights []float64
		limit   int
		want    []int
	}{
		{nil, 9, []int{0, 3, 4, 5, 6}},
		{nil, 2, []int{0, 4}},
		{[]float64{1, 1, 1, inf, 1, nan, 1}, 9, []int{0, 4, 6}},
		{nil, 0, nil},
	} {
		p.Weights = c.weights
		if got := p.FiniteRows(c.limit); !slices.Equal(got, c.want) {
			t.Errorf("weights %v, limit %d: rows %v, want %v", c.weights, c.limit, got, c.want)
		}
	}
}
