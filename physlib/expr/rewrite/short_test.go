package rewrite

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

func TestShortNumbers(t *testing.T) {
	names := []string{"x", "y"}
	for law, want := range map[string]string{
		"42/(13/x + 10)":              "4.2*x/(x + 1.3)",
		"420/(169/x**2 + 100)":        "4.2*x**2/(x**2 + 1.69)",
		"42/(31*exp(-1.7*x) + 10)":    "4.2/(3.1*exp(-1.7*x) + 1)",
		"42/(10*x**2 - 40*x + 53)":    "4.2/(x**2 - 4*x + 5.3)",
		"4.2 - 4.2*exp(-10/17*x)":     "4.2*(1 - exp(-x/1.7))",
		"11/(11/x + 5)":               "2.2*x/(x + 2.2)",
		"y + 42/(13/x + 10)":          "y + 4.2*x/(x + 1.3)",
		"3*x/(2 + 7*x)":               "3*x/(2 + 7*x)",
		"1/(1/x + 1/y)":               "1/(1/x + 1/y)",
		"x/3 + 1":                     "x/3 + 1",
		"x*y/(x + y)":                 "x*y/(x + y)",
		"sqrt(1 + x)/(2*pi)":          "sqrt(1 + x)/(2*pi)",
		"0.5*x*y**2":                  "1/2*x*y**2",
		"6.674e-11*x*y/(x**2 - y**2)": "6.674e-11*x*y/(x**2 - y**2)",
	} {
		tree, err := expr.Parse(law, names)
		if err != nil {
			t.Fatal(err)
		}
		short := ShortNumbers(tree)
		if got := short.Infix(names); got != want {
			t.Errorf("%s: got %s, want %s", law, got, want)
		}
		var a, b [1]float64
		at := [][]float64{{1.37}, {2.21}}
		expr.Compile(tree).Eval(a[:], at, nil)
		expr.Compile(short).Eval(b[:], at, nil)
		if math.Abs(a[0]-b[0]) > 1e-12*math.Abs(a[0]) {
			t.Errorf("%s is %g, %s is %g", law, a[0], short.Infix(names), b[0])
		}
	}
}
