package fit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// The constants inside an oscillation that is not a sine wave are found. Several frequencies fit
// evenly spaced rows equally well. The fit finds the lowest of them.
func TestFrequencies(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var x, y []float64
	for i := range 40 {
		x = append(x, 3*float64(i))
		y = append(y, 46/(1+7.5*math.Pow(math.Sin(0.0712*x[i]+0.4), 2))+0.3*rng.NormFloat64())
	}
	for formula, want := range map[string]float64{
		"c0/(1 + c1*sin(c2*x + c3)**2)":           0.0712,
		"c0/(1 + c1*sin(pi*(x - c3)/c2)**2)":      math.Pi / 0.0712,
		"c0/(1 + c1*(1 - cos(2*(c2*x + c3))))":    0.0712,
		"c0/(c1 + cos(2*pi*c2*x - c3))":           0.0712 / math.Pi,
		"c0/(1 + c1*square(sin(c2*x + c3))) + c4": 0.0712,
	} {
		tree, err := expr.Parse(formula, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		r, err := fit.Fit(tree, [][]float64{x}, y, nil, fit.Settings{Starts: 8})
		if err != nil {
			t.Errorf("%s: %v", formula, err)
			continue
		}
		if c := math.Abs(r.Params[2]); math.Abs(c-want) > 0.01*want {
			t.Errorf("%s: %v for %v, residual sum of squares %v", formula, c, want, r.RSS)
		}
	}
}
