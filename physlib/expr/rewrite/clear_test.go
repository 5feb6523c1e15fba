package rewrite

import (
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
)

func TestClearDenominators(t *testing.T) {
	vars := []string{"a", "b", "c", "d"}
	for _, test := range []struct{ law, want string }{
		{"b**2*(1 - a/b)**2", "(b - a)**2"},
		{"c*(a*b/c + 1)", "a*b + c"},
		{"sqrt(a**2*(1 + b**2/a**2))", "sqrt(a**2 + b**2)"},
		{"b*(1 + c*a/(d*b))/(1 + c/d)", "(b*d + c*a)/(d + c)"},
		{"d*(1 - a/b)/c", "d*(1 - a/b)/c"}, // clearing the denominator would not make it shorter
		{"b**2/(c*b**2 + b)", "b/(c*b + 1)"},
		{"b**2*a/(d*b**3 - c*b**2 + b)", "b*a/(d*b**2 - c*b + 1)"},
		{"b**2/(b*(33*a + 50))", "b/(33*a + 50)"},
		{"(b*abs(a - b) + b)/b", "abs(a - b) + 1"},
		{"c*(a*b**2 + b)", "c*(a*b**2 + b)"}, // a common factor is not moved in front
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
		got := ClearDenominators(law)
		if !expr.Equal(got, want) {
			t.Errorf("%s becomes %s, want %s", test.law, got.Infix(vars), test.want)
		}
		if got.Len() > law.Len() {
			t.Errorf("%s grew to %s", test.law, got.Infix(vars))
		}
		cols := [][]float64{{1.5, 2}, {3, 2.5}, {4, 1}, {2, 7}}
		x, y := make([]float64, 2), make([]float64, 2)
		expr.Compile(law).Eval(x, cols, nil)
		expr.Compile(got).Eval(y, cols, nil)
		if !floats.EqualApprox(x, y, 1e-9) {
			t.Errorf("%s has other values than %s", got.Infix(vars), test.law)
		}
	}
}

func TestUpright(t *testing.T) {
	law, _ := expr.Parse("c0/(4/n**2 - 1)", []string{"n"})
	got := Upright(law.WithStarts([]float64{-364.6}))
	want, _ := expr.Parse("c0/(1 - 4/n**2)", []string{"n"})
	if got.Infix([]string{"n"}) != want.Infix([]string{"n"}) || got.Params()[0] != 364.6 {
		t.Errorf("%s with %v", got.Infix([]string{"n"}), got.Params())
	}
}
