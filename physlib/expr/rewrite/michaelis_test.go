package rewrite

import (
	"math"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

func TestWithoutInverse(t *testing.T) {
	for law, want := range map[string]string{
		"c0/(1/x + c1)":   "c0*x/(c1*x + 1)",
		"c0/(c1/x + 1)":   "c0*x/(x + c1)",
		"c0*x/(x + c1)":   "c0*x/(x + c1)",
		"c0/(x/c1 + 1/2)": "2*c0/(2*x/c1 + 1)",
	} {
		tree, err := expr.Parse(law, []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		if got := WithoutInverse(tree).Canonical().Infix([]string{"x"}); got != want {
			t.Errorf("%s: %s, want %s", law, got, want)
		}
	}
}

func TestConstantBefore(t *testing.T) {
	for _, c := range []struct {
		law  string
		want []string
	}{
		{"x/(c0*x + c1)", []string{"c0*x/(x + c1)"}},
		{"x/(c0*x + c1*y)", []string{"c0*x/(x + c1*y)", "c0*x/(c1*x + y)"}},
		{"x*y/(c0*x**2 + c1)", []string{"c0*x*y/(x**2 + c1)"}},
		{"c0*x/(c1*x + 1)", []string{"c0*x/(x + c1)"}},
		{"x/(c0*x + 1)", nil},
		{"x/(c0*x + y)", nil},
		{"x/(c0*x + c0)", nil},
		{"c0*x + c1", nil},
	} {
		tree, err := expr.Parse(c.law, []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		tree = tree.WithStarts([]float64{0.4, 2.5})
		var got []string
		for _, o := range ConstantBefore(tree) {
			got = append(got, o.Infix([]string{"x", "y"}))
			at := []float64{0.7, 1.9}
			value := func(t expr.Tree) float64 {
				v := t.Values(1, [][]float64{at[:1], at[1:]}, t.Params())
				return v[0]
			}
			if a, b := value(tree), value(o); math.Abs(a-b) > 1e-12 {
				t.Errorf("%s is %g, %s %g", c.law, a, o, b)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.law, got, c.want)
		}
	}
}
