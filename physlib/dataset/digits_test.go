package dataset_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

// written returns v rounded to the given number of digits: significant digits or decimals,
// according to format.
func written(t *testing.T, v float64, format byte, digits int) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(strconv.FormatFloat(v, format, digits, 64), 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestSettings(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   bool
	}{
		{[]float64{0.1, 0.2, 0.3, 0.4}, true},
		{[]float64{0.1, 0.2, 0.5, 1, 2, 5, 10}, true},
		{[]float64{0.25, 0.5, 0.75, 1, 1.25, 2, 3, 4, 5, 6, 8}, true},
		{[]float64{-5, -2, -1, -0.5, -0.2, -0.1}, true}, // the differences fall
		{[]float64{100.5, 101, 101.5, 102, 103, 104, 106, 108}, true},
		{[]float64{0.2, 0.3, 0.5}, true},                             // one significant digit
		{[]float64{0.1, 0.2, 0.5, 1.2}, false},                       // few
		{[]float64{0.13, 0.21, 0.48, 1.1, 1.9, 5.2, 9.7, 12}, false}, // 0.2 after 0.9
		{[]float64{0.39, 0.72, 1, 1.52, 5.2, 9.54, 19.2, 30.1}, false},
		{[]float64{10.21, 10.45, 11.32, 12.71, 14.62, 17.05}, false}, // rising differences, but not round
	} {
		if got := dataset.AreSettings(c.values); got != c.want {
			t.Errorf("%v: settings %v, want %v", c.values, got, c.want)
		}
	}
}

func TestRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	column := func(low, high float64, format byte, digits int) []float64 {
		v := make([]float64, 200)
		for i := range v {
			v[i] = written(t, low*math.Pow(high/low, rng.Float64()), format, digits)
		}
		return v
	}
	grid, between, counts, settings := make([]float64, 100), make([]float64, 100), make([]float64, 100), make([]float64, 100)
	for i := range grid {
		grid[i] = written(t, 0.0025*float64(i), 'f', 4)
		between[i] = written(t, float64(i)/31, 'f', 5)
		counts[i] = float64(1000 + rng.IntN(9000))
		settings[i] = 0.5 * float64(1+rng.IntN(9))
	}
	signed := column(1, 9, 'f', 3)
	for i := range signed {
		signed[i] *= float64(i%2*2 - 1)
	}
	signed[7] = 0
	for _, c := range []struct {
		name   string
		values []float64
		unit   func(v float64) float64 // unit in the last place of v; nil: the rounding is unknown
	}{
		{"six digits", column(0.02, 3e5, 'g', 6), func(v float64) float64 { return math.Pow10(int(math.Floor(math.Log10(v))) - 5) }},
		{"three decimals", column(0.5, 800, 'f', 3), func(float64) float64 { return 1e-3 }},
		{"three decimals, both signs", signed, func(float64) float64 { return 1e-3 }},
		{"all digits", column(1, 9, 'g', 17), nil},
		{"two digits", column(1, 9, 'g', 2), nil},
		{"evenly spaced", grid, nil},
		{"evenly spaced, but for these digits", between, func(float64) float64 { return 1e-5 }},
		{"counts", counts, nil},
		{"settings", settings, nil},
		{"few", column(1, 9, 'g', 5)[:10], nil},
		{"no number", []float64{math.NaN()}, nil},
	} {
		got := dataset.Column{Values: c.values}.Rounding()
		if (got == nil) != (c.unit == nil) {
			t.Errorf("%s: %v", c.name, got)
			continue
		}
		for i, g := range got {
			if want := c.unit(c.values[i]) / math.Sqrt(12); math.Abs(g-want) > 1e-9*want {
				t.Errorf("%s: %v has %v, want %v", c.name, c.values[i], g, want)
				break
			}
		}
	}
}
