package discover

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// The residuals of a wrong law are not taken for noise, even if a single row near a pole has by far
// the largest residual.
func TestWhitePole(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	n := 200
	x, k, y := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], k[i] = 1+rng.Float64(), 1+rng.Float64()
		if i == 0 {
			x[i] = 1.500001
		}
		y[i] = k[i]/(x[i]-1.5)/(x[i]-1.5) + 0.01*rng.NormFloat64()
	}
	j := newJudge(&dataset.Problem{Vars: []dataset.Quantity{{Values: x}, {Values: k}}, Target: dataset.Quantity{Values: y}}, &dataset.Table{}, Settings{}, true)
	for law, want := range map[string]bool{"c0*k/(x - 1.5)**2": true, "10*k": false} {
		tree, err := expr.Parse(law, []string{"x", "k"})
		if err != nil {
			t.Fatal(err)
		}
		if c, ok := j.evaluate(tree, j.screeningSample, fit.Settings{}); !ok || j.white(c) != want {
			t.Errorf("%s: white is %v", law, !want)
		}
	}
}

// Noise is white; the residuals of a wrong law are not.
func TestWhite(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	n := 300
	x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], z[i] = rng.Float64()*3, rng.Float64()
		y[i] = math.Sin(2*x[i])*z[i] + 0.01*rng.NormFloat64()
	}
	p := &dataset.Problem{Vars: []dataset.Quantity{{Values: x}, {Values: z}}, Target: dataset.Quantity{Values: y}}
	j := newJudge(p, &dataset.Table{}, Settings{}, true)
	for _, test := range []struct {
		law  string
		want bool
	}{
		{"c0*z*sin(2*x)", true},
		{"c0*z*sin(1.97*x)", false},
		{"c0*z*(x - c1*x**3)", false},
		{"c0 + c1*z", false},
	} {
		law, err := expr.Parse(test.law, []string{"x", "z"})
		if err != nil {
			t.Fatal(err)
		}
		c, ok := j.evaluate(law, j.screeningSample, fit.Settings{})
		if !ok || j.white(c) != test.want {
			t.Errorf("%s: white is %v", test.law, !test.want)
		}
	}
	if j.white(nil) {
		t.Error("no law leaves white noise")
	}
}
