package view

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Of many rows a part decides first whether they can be smooth; all of them decide in the end.
func TestInterpolatesMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, smooth, noisy, broken := make([]float64, 40_000), make([]float64, 40_000), make([]float64, 40_000), make([]float64, 40_000)
	for i, k := range rng.Perm(len(x)) {
		x[i] = float64(k) / 1000
		smooth[i] = math.Sin(x[i])
		noisy[i] = smooth[i] + 0.1*rng.NormFloat64()
		broken[i] = smooth[i]
		if k == len(x)-100 {
			broken[i]++
		}
	}
	if n := len(neighbours(x)); n < 1000 || n > 5000 {
		t.Errorf("the part has %d rows", n)
	}
	for name, c := range map[string]struct {
		y    []float64
		want bool
	}{"smooth": {smooth, true}, "noisy": {noisy, false}, "one row off": {broken, false}} {
		if got := interpolates(x, c.y); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
