package mdl

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Accelerated steps give the same scale as the plain iteration, for errors with and without heavy
// tails.
func TestStudentScaleOfMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, heavy := range []bool{false, true} {
		res := make([]float64, manyResiduals+1)
		for i := range res {
			if res[i] = 0.3 * rng.NormFloat64(); heavy {
				res[i] /= math.Sqrt((rng.ExpFloat64() + rng.ExpFloat64()) / 2)
			}
		}
		var s2 float64
		for _, r := range res {
			s2 += r * r / float64(len(res))
		}
		want := s2
		for range 200 {
			sum := 0.0
			for _, r := range res {
				sum += (tails + 1) / (tails + r*r/want) * r * r
			}
			want = sum / float64(len(res))
		}
		if got := studentScale(res, tails, s2); math.Abs(got-want) > 1e-8*want {
			t.Errorf("heavy %v: scale² %v, want %v", heavy, got, want)
		}
	}
}
