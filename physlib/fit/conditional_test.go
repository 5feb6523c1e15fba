package fit

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"gonum.org/v1/gonum/floats"
)

// If the data are far from the origin, the errors of a line's intercept and slope are strongly
// correlated. If the constants are rounded to the conditional errors, the law keeps its fitted
// values. If they are rounded to the standard errors, the values change.
func TestConditional(t *testing.T) {
	var x, y []float64
	for i := range 50 {
		x = append(x, 1000+float64(i)/10)
		y = append(y, 3+2*x[i]+0.01*math.Sin(float64(17*i*i)))
	}
	line, err := expr.Parse("c0 + c1*x", []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Fit(line, [][]float64{x}, y, nil, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	alone := r.Conditional()
	sigma := r.Sigma()
	for i, want := range []float64{sigma / math.Sqrt(50), sigma / math.Sqrt(floats.Dot(x, x))} {
		if math.Abs(alone[i]/want-1) > 1e-3 {
			t.Errorf("constant %d: %g beside %g known alone, want %g", i, r.StdErr[i], alone[i], want)
		}
		if !(alone[i] < r.StdErr[i]/100) {
			t.Errorf("constant %d: %g is not far below %g", i, alone[i], r.StdErr[i])
		}
	}
	if one := (Result{StdErr: []float64{2}, Cov: []float64{4}}).Conditional(); one[0] != 2 {
		t.Errorf("a single constant: %g, want 2", one[0])
	}
	if open := (Result{StdErr: []float64{2, math.Inf(1)}, Cov: []float64{4, 0, 0, math.Inf(1)}}).Conditional(); open[0] != 2 {
		t.Errorf("beside a constant that is not determined: %g, want 2", open[0])
	}
}
