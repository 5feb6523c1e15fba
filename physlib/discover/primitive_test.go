package discover

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

func TestPrimitive(t *testing.T) {
	vars := []string{"a", "b", "c", "d"}
	for _, test := range []struct{ law, want string }{
		{"b**2*(1 - a/b)**2", "(b - a)**2"},
		{"c*(a*b/c + 1)", "a*b + c"},
		{"sqrt(a**2*(1 + b**2/a**2))", "sqrt(a**2 + b**2)"},
		{"d*(1 - a/b)/c", "d*(1 - a/b)/c"}, // no shorter
		{"exp(-a/b)", "exp(-a/b)"},
		{"a", "a"},
	} {
		law, err := expr.Parse(test.law, vars)
		if err != nil {
			t.Fatal(err)
		}
		want, err := expr.Parse(test.want, vars)
		if err != nil {
			t.Fatal(err)
		}
		got := primitive(law)
		if !expr.Equal(got, want) {
			t.Errorf("%s becomes %s, want %s", test.law, got.Infix(vars), test.want)
		}
		if got.Len() > law.Len() {
			t.Errorf("%s grew to %s", test.law, got.Infix(vars))
		}
		cols := [][]float64{{1.5, 2}, {3, 2.5}, {4, 1}, {2, 7}}
		if !agrees(law, got, cols, 2) {
			t.Errorf("%s has other values than %s", got.Infix(vars), test.law)
		}
	}
}

func TestUpright(t *testing.T) {
	law, _ := expr.Parse("c0/(4/n**2 - 1)", []string{"n"})
	got := upright(law.WithStarts([]float64{-364.6}))
	want, _ := expr.Parse("c0/(1 - 4/n**2)", []string{"n"})
	if got.Infix([]string{"n"}) != want.Infix([]string{"n"}) || got.Params()[0] != 364.6 {
		t.Errorf("%s with %v", got.Infix([]string{"n"}), got.Params())
	}
}

// Noise is white, what a wrong law leaves is not.
func TestWhite(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	n := 300
	x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], z[i] = rng.Float64()*3, rng.Float64()
		y[i] = math.Sin(2*x[i])*z[i] + 0.01*rng.NormFloat64()
	}
	p := &dataset.Problem{Vars: []dataset.Quantity{{Values: x}, {Values: z}}, Target: dataset.Quantity{Values: y}}
	j := newJudge(p, Settings{})
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
		c, ok := j.evaluate(law, j.screen, fit.Settings{})
		if !ok || j.white(c) != test.want {
			t.Errorf("%s: white is %v", test.law, !test.want)
		}
	}
	if j.white(nil) {
		t.Error("no law leaves white noise")
	}
}
