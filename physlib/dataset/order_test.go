package dataset

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Kth returns the same value as sorting, also with equal values and NaN.
func TestKth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 10, 101, 1000} {
		for _, distinct := range []int{1, 3, 1 << 30} {
			v := make([]float64, n)
			for i := range v {
				v[i] = float64(rng.IntN(distinct))
				if rng.IntN(20) == 0 {
					v[i] = math.NaN()
				}
			}
			sorted := slices.Clone(v)
			slices.Sort(sorted)
			for _, k := range []int{0, n / 3, n / 2, n - 1} {
				if got := Kth(slices.Clone(v), k); got != sorted[k] && !(math.IsNaN(got) && math.IsNaN(sorted[k])) {
					t.Errorf("n %d, k %d: %v, want %v", n, k, got, sorted[k])
				}
			}
		}
	}
}
