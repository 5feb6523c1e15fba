package rewrite

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/expr"
)

func TestCommonFactors(t *testing.T) {
	vars := []string{"a", "b", "c", "d"}
	for _, test := range []struct {
		law  string
		want []string
	}{
		{"d*sqrt(a*b/(b/a - a/b))", []string{"d*a*b/sqrt(b**2 - a**2)", "d*a/sqrt(1 - a**2/b**2)"}},
		{"a*b/(b + c)", []string{"a/(1 + c/b)"}},
		{"exp(a*(b/c + 1))", []string{"exp(a*(b + c)/c)", "exp(a*b/c*(1 + c/b))"}},
		{"d + a*b/(b + c)", []string{"d + a/(1 + c/b)"}},
		{"a*(c/(a + d) - b)", []string{"a*c/(a + d) - a*b"}},
		{"sqrt(1 + b**2/a**2)", []string{"sqrt(a**2 + b**2)/a"}},
	} {
		law := parsed(t, test.law, vars)
		forms := CommonFactors(law)
		for _, want := range test.want {
			tree := parsed(t, want, vars)
			if !slices.ContainsFunc(forms, func(f expr.Tree) bool { return expr.Equal(f.Canonical(), tree.Canonical()) }) {
				t.Errorf("%s does not become %s", test.law, want)
			}
		}
		cols := [][]float64{{1.5, 2}, {3, 2.5}, {4, 1}, {2, 7}}
		x, y := make([]float64, 2), make([]float64, 2)
		expr.Compile(law).Eval(x, cols, nil)
		for _, f := range forms {
			expr.Compile(f).Eval(y, cols, nil)
			if !floats.EqualApprox(x, y, 1e-9) {
				t.Errorf("%s has other values than %s", f.Infix(vars), test.law)
			}
		}
	}
}

func parsed(t *testing.T, law string, vars []string) expr.Tree {
	t.Helper()
	tree, err := expr.Parse(law, vars)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
