package mdl_test

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Constants cost the same in each form of a law, to about one bit.
func TestConstantsOfForms(t *testing.T) {
	lowPass := func(x float64, rng *rand.Rand) float64 {
		f := math.Exp(x) // over four decades
		return 3 / math.Sqrt(1+f*f/900) * (1 + 0.01*rng.NormFloat64())
	}
	x, y := noisy(20, lowPass)
	for i := range x {
		x[i] = math.Exp(x[i])
	}
	d := table(t, y, "", x, "")
	first := 0.0
	for i, law := range []string{"c0/sqrt(1 + c1*x0**2)", "c0/sqrt(c1 + x0**2)", "c0/sqrt(1 + (x0/c1)**2)", "1/sqrt(c0 + c1*x0**2)"} {
		s, ok := score(t, d, law)
		if i == 0 {
			first = s.ParamBits
		}
		if !ok || math.Abs(s.ParamBits-first) > 1.1 {
			t.Errorf("constants of %s cost %.2f bits, of the first form %.2f", law, s.ParamBits, first)
		}
	}
}

// A power that is nearly zero costs as much as the logarithm that it tends to.
func TestSmallExponents(t *testing.T) {
	x, y := noisy(20, func(x float64, rng *rand.Rand) float64 { return 5 + 0.02*math.Log(x) + 0.001*rng.NormFloat64() })
	d := table(t, y, "", x, "")
	power, _ := score(t, d, "c0*x0**c1")
	log, _ := score(t, d, "c0 + c1*log(x0)")
	if d := power.ParamBits - log.ParamBits; math.Abs(d) > 2 {
		t.Errorf("constants of a small power cost %.1f bits more than those of the logarithm", d)
	}
}
