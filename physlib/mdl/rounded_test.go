package mdl_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/mdl"
)

// Most rows of a relaxation are near its end, where the rounding of single precision is finest. A
// longer law that follows these rows, and is off by twice the rounding in the others, must not win.
func TestRoundingOfEachRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	single := func(v float64) float64 { return float64(float32(v)) }
	x, y := make([]float64, 2000), make([]float64, 2000)
	for i := range x {
		a := 0.1765 + 0.8235*math.Exp(-12*rng.Float64())
		x[i], y[i] = single(a), single(0.1314*math.Sin(0.7617*a)-0.5637*a*a)
	}
	d := table(t, y, "", x, "")
	law, ok := score(t, d, "c0*sin(c1*x0) - c2*x0**2")
	if !ok || !law.Rounding {
		t.Fatalf("the law's residuals are %g, and not rounding", law.Size)
	}
	for _, wrong := range []string{
		"x0*(c0/(x0**2 + c1) - c2*x0 - c3)",
		"c0*x0 - c1*x0**3 - c2*x0**2",
		"c0*x0 - c1*x0**c2 - c3*x0**2",
	} {
		if other, ok := score(t, d, wrong); ok && other.Bits < law.Bits {
			t.Errorf("%s has %.1f bits, the law %.1f", wrong, other.Bits, law.Bits)
		}
	}
	standard := mdl.New(d, nil, false).Scorer().Standardized(law)
	sum := 0.0
	for _, r := range standard {
		sum += r * r
	}
	if mean := sum / float64(len(standard)); mean < 0.8 || mean > 1.2 {
		t.Errorf("mean square of the residuals in units of their rounding %.2f, want about 1", mean)
	}
}
