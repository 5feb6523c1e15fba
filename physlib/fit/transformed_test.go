package fit

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// Laws whose starting values are far from the solution are fitted if their reciprocals or
// logarithms are nearly linear.
func TestTransformed(t *testing.T) {
	tests := []struct {
		form      string
		true      []float64
		low, high float64 // range of x
	}{
		{"c0/(c1*exp(c2*x0) + 1)", []float64{0.764, 6.7e4, -0.404}, 0, 50},
		{"c0*x0/(c1*x0**2 + c2 + x0)", []float64{3.2, 2e-3, 41}, 1, 300},
		{"c0*exp(c1*(x0 - c2)**2)", []float64{572, -1.277, 587}, 585, 589},
		{"c0*(1 - x0/c1)**c2", []float64{77.5, 0.62, -1.78}, 0, 0.55},
		{"-c0*x0**c1*exp(c2/x0)", []float64{5e9, 2.5, -8400}, 300, 420},
		{"1/(c0 + c1*log(x0) + c2*log(x0)**3) - 273.15", []float64{1.13e-3, 2.34e-4, 8.8e-8}, 1000, 30000},
	}
	const rows = 24
	for _, test := range tests {
		tree, err := expr.Parse(test.form, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, y := make([]float64, rows), make([]float64, rows)
		for i := range x {
			x[i] = test.low + (test.high-test.low)*float64(i)/(rows-1)
		}
		expr.Compile(tree).Eval(y, [][]float64{x}, test.true)
		ones := make([]float64, len(test.true))
		for i := range ones {
			ones[i] = 1
		}
		got, err := Fit(tree.WithStarts(ones), [][]float64{x}, y, nil, Settings{Starts: 3, MaxIter: 25})
		if err != nil {
			t.Errorf("%s: %v", test.form, err)
			continue
		}
		for i, c := range got.Params {
			if !(math.Abs(c-test.true[i]) < 1e-4*math.Abs(test.true[i])) {
				t.Errorf("%s: constants %v, want %v", test.form, got.Params, test.true)
				break
			}
		}
	}
}
