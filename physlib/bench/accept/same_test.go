package accept

import (
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b string // c0 to c3 start from the values 2, 0.3, 1.5 and 0.7
		same bool
	}{
		{"c0*x", "c1*x", true},
		{"c0*x", "pi/5*x", true},
		{"c0*x", "c0*x + c2", false},
		{"c0*x + c2", "c0*(x + c1)", true},
		{"c0*x**c1", "c0*x", false},
		{"c0*x**c1", "c0*x**(3/2)", true},
		{"c0*x**c1", "c0*exp(c1*x)", false},
		{"c0*exp(-c1*x) + c2", "c2 + 2**(c3 - c1*x)", true},
		{"c0*cos(c1*x)**2 + c2", "c0 + c2*sin(2*c1*x + pi/2)", true},
		{"c0*x/(c1 + x)", "1/(c0 + c1/x)", true},
		{"c0*x*z", "c0*x", false},
	} {
		parse := func(text string) expr.Tree {
			tree, err := expr.Parse(text, names)
			if err != nil {
				t.Fatal(err)
			}
			return tree.WithStarts([]float64{2, 0.3, 1.5, 0.7})
		}
		a, b := parse(c.a), parse(c.b)
		rng := rand.New(rand.NewPCG(3, 0))
		z := make([]float64, 30)
		for i := range z {
			z[i] = 1 + 4*rng.Float64()
		}
		l := newLaw(c.a, a)
		table := measured(t, steps(30, 1, 10), z, func(cols [][]float64) []float64 { return l.at(cols, 30) }, 0, rng)
		if got := Same(table, a, b); got != c.same {
			t.Errorf("%s and %s: %t, want %t", c.a, c.b, got, c.same)
		}
		if got := Same(table, b, a); got != c.same {
			t.Errorf("%s and %s: %t, want %t", c.b, c.a, got, c.same)
		}
	}
}
