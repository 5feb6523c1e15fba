package outlier

import (
	"slices"
	"testing"
)

func TestSlips(t *testing.T) {
	sorted := []float64{620, 680, 740, 800, 870, 940, 1013, 1090, 1180, 1280}
	with := func(i int, v float64) []float64 {
		c := slices.Clone(sorted)
		c[i] = v
		return c
	}
	falling := slices.Clone(with(3, 0.8))
	slices.Reverse(falling)
	for _, c := range []struct {
		name string
		cols [][]float64
		want []Slip
	}{
		{"in order", [][]float64{sorted}, nil},
		{"Pa among mbar", [][]float64{sorted, with(7, 109000)}, []Slip{{7, 1, 0.01}}},
		{"kPa among Pa, falling", [][]float64{falling}, []Slip{{6, 0, 1000}}},
		{"the first row", [][]float64{with(0, 62000)}, []Slip{{0, 0, 0.01}}},
		{"the last row", [][]float64{with(9, 12.8)}, []Slip{{9, 0, 100}}},
		{"no factor serves", [][]float64{with(7, 5000)}, nil},
		{"an exchange of two rows within the range", [][]float64{with(3, 900)}, nil},
		{"never in order", [][]float64{{3, 1, 4, 1, 5, 9, 2, 6, 5, 3}}, nil},
		{"too short to tell", [][]float64{{1, 2, 300, 4}}, nil},
	} {
		if got := Slips(c.cols); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
