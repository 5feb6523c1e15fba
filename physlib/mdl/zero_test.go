package mdl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/prior"
)

// A power of a temperature in °C costs more, since it depends on the zero of the scale.
func TestArbitraryZero(t *testing.T) {
	x, y := noisy(20, func(x float64, rng *rand.Rand) float64 { return x * x * (1 + 0.01*rng.NormFloat64()) })
	for _, test := range []struct {
		law  string
		more bool
	}{
		{"c0*x0**c1", true}, {"c0*x0**2", false}, {"c0*x0**(3/2)", true}, {"c0*log(x0)", true}, {"c0/x0 + c1", true},
		{"c0*(x0 + c1)**c2", false}, {"c0*exp(c1*x0)", false}, {"c0*exp(c1*sqrt(2*x0))", true}, {"c0*x0/(x0 + c1)", false},
		{"c0*x0**3 + c1*x0", false}, {"c0*log(x0 + 5)", false}, {"c0*(x0 + 273.15)**c1", false},
	} {
		tree, err := expr.Parse(test.law, nil)
		if err != nil {
			t.Fatal(err)
		}
		bits := func(unit string) float64 {
			return mdl.New(table(t, y, "V", x, unit), prior.Default(), true).Scorer().FormBits(tree)
		}
		if more := bits("degC") - bits("K"); (more > 2) != test.more {
			t.Errorf("%s costs %.2f bits more with °C than with K", test.law, more)
		}
	}
}
