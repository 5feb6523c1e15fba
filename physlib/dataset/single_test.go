package dataset_test

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

func TestSinglePrecision(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	values := func(of func(float64) float64) []float64 {
		v := make([]float64, 300)
		for i := range v {
			v[i] = of(math.Exp(10*rng.Float64()-8) * float64(1-i%3))
		}
		return v
	}
	single := func(v float64) float64 { return float64(float32(v)) }
	digits := func(n int) func(float64) float64 {
		return func(v float64) float64 { return written(t, single(v), 'g', n) }
	}
	for _, c := range []struct {
		name   string
		values []float64
		is     bool
	}{
		{"binary", values(single), true},
		{"nine digits", values(digits(9)), true},
		{"shortest", values(func(v float64) float64 {
			short, err := strconv.ParseFloat(strconv.FormatFloat(single(v), 'g', -1, 32), 64)
			if err != nil {
				t.Fatal(err)
			}
			return short
		}), true},
		{"seven digits", values(digits(7)), false},
		{"four digits", values(digits(4)), false},
		{"double precision", values(func(v float64) float64 { return v }), false},
		{"nine digits of double precision", values(func(v float64) float64 { return written(t, v, 'g', 9) }), false},
		{"steps of a converter", values(func(v float64) float64 { return math.Round(v*64) / 4096 }), false},
		{"few", values(single)[:10], false},
		{"zeros", make([]float64, 100), false},
		{"no number", values(func(float64) float64 { return math.NaN() }), false},
		{"infinite", values(func(float64) float64 { return math.Inf(1) }), false},
		{"too large", values(func(v float64) float64 { return 1e50 * v }), false},
	} {
		got := dataset.SinglePrecision(c.values)
		if (got != nil) != c.is {
			t.Errorf("%s: %v", c.name, got)
			continue
		}
		for i, g := range got {
			ulp := math.Ldexp(1, max(math.Ilogb(c.values[i]), -126)-23) / math.Sqrt(12)
			if v := c.values[i]; v != 0 && !(g >= ulp/1.001 && g < 2*ulp) {
				t.Errorf("%s: %v has %v, want %v", c.name, v, g, ulp)
				break
			}
		}
	}
}
