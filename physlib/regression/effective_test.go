package regression

import (
	"math"
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
