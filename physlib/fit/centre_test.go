package fit

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// A logistic curve over years is fitted, although it contains a factor of about e^49.
func TestFarFromZero(t *testing.T) {
	var year, y []float64
	for x := 1790.0; x <= 1970; x += 10 {
		year = append(year, x)
		y = append(y, 315/(1+math.Exp(-0.0246*(x-1949))))
	}
	tree, err := expr.Parse("c0/(c1*exp(c2*x0) + 1)", nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Fit(tree, [][]float64{year}, y, nil, Settings{Starts: 3, MaxIter: 60})
	if err != nil || r.RSS > 1e-6 {
		t.Errorf("RSS %g, constants %g, error %v", r.RSS, r.Params, err)
	}
}

// The fitted constants and their covariance refer to the original law, not to the centred one.
func TestCentredCovariance(t *testing.T) {
	x := []float64{20, 21, 22, 23, 24, 25, 26, 27, 28}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = 5/(1+math.Exp(-0.9*(v-24))) + 0.01*math.Sin(7*v)
	}
	tree, err := expr.Parse("c0/(c1*exp(c2*x0) + 1)", nil)
	if err != nil {
		t.Fatal(err)
	}
	start := tree.WithStarts([]float64{5, math.Exp(0.9 * 24), -0.9})
	a, err := Fit(start, [][]float64{x}, y, nil, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := new(Fitter).fit(start, [][]float64{x}, y, nil, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Cov {
		if math.Abs(a.Cov[i]-b.Cov[i]) > 1e-4*math.Abs(b.Cov[i]) {
			t.Errorf("covariance %d is %g, without centring %g", i, a.Cov[i], b.Cov[i])
		}
	}
	for i := range a.Params {
		if math.Abs(a.Params[i]-b.Params[i]) > 1e-6*math.Abs(b.Params[i]) || math.Abs(a.StdErr[i]-b.StdErr[i]) > 1e-4*b.StdErr[i] {
			t.Errorf("c%d is %g ± %g, without centring %g ± %g", i, a.Params[i], a.StdErr[i], b.Params[i], b.StdErr[i])
		}
	}
}

// A fit of an inner part of the law gives good starting values if the constants are far from one.
func TestLinked(t *testing.T) {
	for _, test := range []struct {
		law string
		at  func(x float64) float64
	}{
		{"1/(c0 + c1*log(x0) + c2*log(x0)**3)", func(x float64) float64 { l := math.Log(x); return 1 / (1.129e-3 + 2.341e-4*l + 8.77e-8*l*l*l) }},
		{"exp(c0 + c1/x0 + c2*log(x0))", func(x float64) float64 { return math.Exp(-40 + 3000/x + 2*math.Log(x)) }},
		{"sqrt(c0 + c1*x0 + c2*x0**2)", func(x float64) float64 { return math.Sqrt(1e7 + 3e4*x + 2*x*x) }},
	} {
		var x, y []float64
		for v := 900.0; v < 40000; v *= 1.4 {
			x, y = append(x, v), append(y, test.at(v))
		}
		tree, err := expr.Parse(test.law, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Fit(tree, [][]float64{x}, y, nil, Settings{Starts: 3, MaxIter: 25})
		square := 0.0
		for _, v := range y {
			square += v * v
		}
		if err != nil || r.RSS > 1e-14*square {
			t.Errorf("%s: RSS %g, constants %g, error %v", test.law, r.RSS, r.Params, err)
		}
	}
}
