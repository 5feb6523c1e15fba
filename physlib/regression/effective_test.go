package regression

import (
	"math"
	"math/rand/v2"
	"slices"
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
func TestEstimateSigmaY(t *testing.T) {
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
	if got := EstimateSigmaY(l, table, map[string][]float64{"x": sx}, []int{7}); math.Abs(got-0.3) > 0.05 {
		t.Errorf("with errors of x: %.3f, want 0.3", got)
	}
	if got := EstimateSigmaY(l, table, nil, []int{7}); math.Abs(got-0.5) > 0.05 {
		t.Errorf("without errors of x: %.3f, want 0.5", got)
	}
	for i := range n {
		y[i] = 2 * x[i]
	}
	if got := EstimateSigmaY(l, table, nil, nil); got != 0 {
		t.Errorf("exact law: %g, want 0", got)
	}
}

// If only the errors of x are given, the error of y makes χ² equal to its degrees of freedom. If
// those of x are tiny, the fit is that without any errors.
func TestFitErrorsOfColumnsOnly(t *testing.T) {
	n := 400
	x, y := make([]float64, n), make([]float64, n)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		x[i] = float64(i) / 50
		y[i] = 2*(x[i]+0.2*random.NormFloat64()) + 1 + 0.3*random.NormFloat64()
	}
	table := &dataset.Table{Name: "t", Target: dataset.Column{Name: "y", Values: y}, Vars: []dataset.Column{{Name: "x", Values: x}}}
	l, err := Parse("y = a*x + b", table)
	if err != nil {
		t.Fatal(err)
	}
	fitted := func(sx float64, method Method) *Result {
		s := Settings{Method: method}
		if sx > 0 {
			s.XSigma = map[string][]float64{"x": slices.Repeat([]float64{sx}, n)}
		}
		r, err := Fit(l, table, s)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, method := range []Method{EffectiveVariance, OrthogonalDistance} {
		r := fitted(0.2, method)
		if chi := r.Chi2 / float64(r.Nu); math.Abs(chi-1) > 1e-3 || r.Absolute || math.Abs(r.Law.Noise-0.3) > 0.05 {
			t.Errorf("%v: χ²/ν is %.4f, absolute %v, errors of %.3f; want 1, false, 0.3", method, chi, r.Absolute, r.Law.Noise)
		}
		tiny, without := fitted(1e-6, method), fitted(0, method)
		for i, k := range tiny.Law.Constants {
			if o := without.Law.Constants[i]; math.Abs(k.Value-o.Value) > 1e-6 || math.Abs(k.StdErr/o.StdErr-1) > 1e-3 {
				t.Errorf("%v: with tiny errors of x %s is %g ± %g, without %g ± %g", method, k.Name, k.Value, k.StdErr, o.Value, o.StdErr)
			}
		}
	}
	// Errors of x that explain more than the residuals leave nothing for y.
	if r := fitted(1, EffectiveVariance); r.Law.Noise > 0.01 {
		t.Errorf("with large errors of x, those of y are %g", r.Law.Noise)
	}
}
