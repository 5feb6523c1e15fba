package discover

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/fit"
)

func TestPrecision(t *testing.T) {
	alone := func(v, se float64) float64 { return math.Log2(v/se*v/se+1) / 2 }
	for _, test := range []struct {
		name string
		r    fit.Result
		want float64
	}{
		{"one", fit.Result{Params: []float64{-2}, StdErr: []float64{0.01}, Cov: []float64{1e-4}}, alone(2, 0.01)},
		{"two that know nothing of each other", fit.Result{Params: []float64{2, 3}, StdErr: []float64{0.01, 0.001}, Cov: []float64{1e-4, 0, 0, 1e-6}}, alone(2, 0.01) + alone(3, 0.001)},
		{"exchangeable", fit.Result{Params: []float64{2}, StdErr: []float64{math.Inf(1)}, Cov: []float64{math.Inf(1)}, Rows: 100}, math.Log2(1001)},
		{"hardly determined", fit.Result{Params: []float64{2}, StdErr: []float64{1e6}, Cov: []float64{1e12}}, 1},
		{"zero", fit.Result{Params: []float64{0}, StdErr: []float64{1}, Cov: []float64{1}}, 1},
		{"exact", fit.Result{Params: []float64{2, 3}, StdErr: []float64{0, 0}, Cov: make([]float64, 4)}, 80},
		{"without", fit.Result{}, 0},
		// a product with undetermined factors is one constant, known to a thousandth: Cov ln =
		// ((s², t² - s²), …), det = 4s²t²
		{"a product", fit.Result{Params: []float64{1, 1}, StdErr: []float64{1e4, 1e4}, Cov: []float64{1e8, 5e-7 - 1e8, 5e-7 - 1e8, 1e8}}, math.Log2(1e3)},
	} {
		if got := precision(test.r, 0.01); math.Abs(got-test.want) > 0.6 {
			t.Errorf("%s: %.2f bits, want %.2f", test.name, got, test.want)
		}
	}
}

// If the origin is far from the data, the intercept has a large error that is correlated with the
// slope. The data still determine the line equally well. So its constants take as many bits as
// with the origin among the data.
func TestPrecisionCountsTheLineNotItsConstants(t *testing.T) {
	line := func(x0 float64) fit.Result {
		// y = a + b(x - x0), where x0 is the middle of the data, a is 10 ± 0.01 and b is 2 ± 0.01.
		// The value at the origin is a - b·x0.
		va, vb := 1e-4, 1e-4
		v0 := va + x0*x0*vb
		return fit.Result{Params: []float64{10 - 2*x0, 2}, StdErr: []float64{math.Sqrt(v0), 0.01}, Cov: []float64{v0, -x0 * vb, -x0 * vb, vb}}
	}
	near, far := precision(line(0), 0.01), precision(line(4), 0.01)
	marginal := math.Log2(2/math.Sqrt(v(line(4)))) + math.Log2(200)
	if !(math.Abs(near-far) < 2.5) || !(far > marginal+1.5) {
		t.Errorf("%.1f bits near the origin, %.1f far from it; by errors taken one by one %.1f", near, far, marginal)
	}
}

func v(r fit.Result) float64 { return r.Cov[0] }
