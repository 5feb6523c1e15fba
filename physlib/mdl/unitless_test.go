package mdl_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/prior"
)

// A law costs more if it needs certain units for a column without a unit. It costs nothing if its
// constants absorb a change of the unit.
func TestNumberBits(t *testing.T) {
	x, y := noisy(20, func(x float64, rng *rand.Rand) float64 { return x * math.Log(x) * (1 + 0.01*rng.NormFloat64()) })
	for _, test := range []struct {
		law     string
		numbers float64 // columns treated as plain numbers, the target included
	}{
		{"x0*log(x0)", 2}, {"c0*x0*log(x0)", 1}, {"c0*x0*log(x0) + c1*x0", 0}, {"c0*x0**c1", 0},
		{"c0*exp(-x0)", 1}, {"c0*exp(c1*x0)", 0}, {"c0*log(c1*x0 + 1)", 0}, {"c0*log(x0) + c1", 0},
		{"1/(1 + x0)", 2}, {"c0*sqrt(x0)", 0}, {"sqrt(x0)", 0}, {"c0*(x0 + 1)**2", 1}, {"c0*(x0 + c1)**2", 0},
	} {
		for _, named := range []bool{false, true} {
			d := table(t, y, "", x, "")
			d.Target.Name, d.Vars[0].Name = "distance", "time"
			if named {
				d.Target.Name, d.Vars[0].Name = "angle", "number"
			}
			tree, err := expr.Parse(test.law, nil)
			if err != nil {
				t.Fatal(err)
			}
			s, ok := mdl.New(d, prior.Default(), true).Scorer().Score(tree, mdl.Effort{Starts: 8})
			want := test.numbers * prior.Default().NumberBits("time")
			if named {
				want = 0
			}
			if !ok || math.Abs(s.UnitBits-want) > 1e-9 {
				t.Errorf("%s, named %v: %.2f bits, want %.2f", test.law, named, s.UnitBits, want)
			}
		}
	}
}
