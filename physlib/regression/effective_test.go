package regression

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

// The slopes are exact derivatives, even if the law is curved on the scale of a column's error.
func TestEffectiveSigma(t *testing.T) {
	n := 5
	x, z, y, sy, sx, sz := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], z[i], sy[i], sx[i], sz[i] = float64(i)/4, 1+float64(i), 0.1, 0.2, 0.3
	}
	table := &dataset.Table{Name: "t", Sigma: sy, Target: dataset.Column{Name: "y", Values: y},
		Vars: []dataset.Column{{Name: "x", Values: x}, {Name: "z", Values: z}, {Name: "idle", Values: x}}}
	l, err := Parse("y = exp(3*x)*z", table)
	if err != nil {
		t.Fatal(err)
	}
	got := EffectiveSigma(l, table, map[string][]float64{"x": sx, "z": sz, "idle": sx})
	for i := range n {
		e := math.Exp(3 * x[i])
		if want := math.Sqrt(0.1*0.1 + math.Pow(3*e*z[i]*0.2, 2) + math.Pow(e*0.3, 2)); math.Abs(got[i]/want-1) > 1e-13 {
			t.Errorf("row %d: %.17g, want %.17g", i, got[i], want)
		}
	}
}

// A relative error of the target is a share of the law's value.
func TestEffectiveSigmaOfShare(t *testing.T) {
	table := &dataset.Table{Name: "t", Target: dataset.Column{Name: "y", Values: []float64{1.5, 5}}, Vars: []dataset.Column{{Name: "x", Values: []float64{1, 2}}}}
	l, err := Parse("y = 2*x", table)
	if err != nil {
		t.Fatal(err)
	}
	got := EffectiveSigma(l, table.WithShare(0.1), map[string][]float64{"x": {0.2, 0.2}})
	for i, f := range []float64{2, 4} {
		if want := math.Hypot(0.1*f, 2*0.2); math.Abs(got[i]/want-1) > 1e-13 {
			t.Errorf("row %d: %v, want %v", i, got[i], want)
		}
	}
}

// The target has errors of 0.3. The errors of x, 0.2, add 2·0.2 since the slope is 2. One row is an
// outlier.
func TestScatter(t *testing.T) {
	n := 400
	x, y, sx := make([]float64, n), make([]float64, n), make([]float64, n)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		x[i], sx[i] = 3+float64(i)/50, 0.2
		y[i] = 2*(x[i]+0.2*random.NormFloat64()) + 0.3*random.NormFloat64()
	}
	y[7] = 1e6
	table := &dataset.Table{Name: "t", Target: dataset.Column{Name: "y", Values: y}, Vars: []dataset.Column{{Name: "x", Values: x}}}
	l, err := Parse("y = 2*x", table)
	if err != nil {
		t.Fatal(err)
	}
	if got := Scatter(l, table, map[string][]float64{"x": sx}, []int{7}); math.Abs(got-0.3) > 0.05 {
		t.Errorf("with errors of x: %.3f, want 0.3", got)
	}
	if got := Scatter(l, table, nil, []int{7}); math.Abs(got-0.5) > 0.05 {
		t.Errorf("without errors of x: %.3f, want 0.5", got)
	}
	for i := range n {
		y[i] = 2 * x[i]
	}
	if got := Scatter(l, table, nil, nil); got != 0 {
		t.Errorf("exact law: %g, want 0", got)
	}
}
