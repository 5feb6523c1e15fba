package fit_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

func ExampleFitter_SnapAll() {
	// A pendulum's period in exact numbers, its law with two constants to be named.
	l := []float64{0.1, 0.2, 0.5, 1, 2}
	T := make([]float64, len(l))
	for i := range l {
		T[i] = 2 * math.Pi * math.Sqrt(l[i]/9.80665)
	}
	law, _ := expr.Parse("c0*(l/9.80665)**c1", []string{"l"})
	var f fit.Fitter
	cols := [][]float64{l}
	r, _ := f.Fit(law.WithStarts([]float64{1, 1}), cols, T, nil, fit.Settings{})
	_, _, exact := f.SnapAll(law, cols, T, nil, r, fit.Settings{})
	fmt.Println(exact)
	// Output: [2*pi 1/2]
}

func TestSnapAll(t *testing.T) {
	for _, c := range []struct {
		law         string
		truth, from []float64
		noise       float64
		rows        int
		exact       []string
	}{
		// without noise: whatever is short
		{"c0*x**c1*exp(c2*y)", []float64{4 * math.Pi * math.Pi, 1.5, -0.5}, []float64{1, 1, 0}, 0, 100, []string{"4*pi**2", "3/2", "-1/2"}},
		{"c0*x + c1*y", []float64{3 / (8 * math.Pi), math.Sqrt2 / 2}, nil, 0, 100, []string{"3/(8*pi)", "sqrt(2)/2"}},
		{"c0*x + c1*y", []float64{0.8317623, 2.1937561}, nil, 0, 100, []string{"", ""}},
		// with noise: what is shorter than the digits that are known
		{"c0*x**c1 + c2*y", []float64{0.5, 2, 2.1937561}, []float64{1, 1, 1}, 0.001, 1000, []string{"1/2", "2", ""}},
		{"c0*sin(c1*x)", []float64{1, 2 * math.Pi}, []float64{1, 6}, 0.001, 1000, []string{"1", "2*pi"}},
		{"c0*x + c1*y", []float64{0.8317623, 2.1937561}, nil, 0.01, 1000, []string{"", ""}},
		// a constant that the data do not determine
		{"c0*c1*x", []float64{3, 1}, []float64{2, 1}, 0, 100, []string{"1", "3"}},
	} {
		cols := columns(2, c.rows)
		y := target(t, c.law, c.truth, cols, c.noise, "x", "y")
		law := parse(t, c.law, c.from, "x", "y")
		var f fit.Fitter
		r, err := f.Fit(law, cols, y, nil, fit.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		snapped, fitted, exact := f.SnapAll(law, cols, y, nil, r, fit.Settings{})
		if !reflect.DeepEqual(exact, c.exact) {
			t.Errorf("%s noise %g: %q, want %q (from %v ± %v)", c.law, c.noise, exact, c.exact, r.Params, r.StdErr)
			continue
		}
		again, err := f.Fit(snapped, cols, y, nil, fit.Settings{Starts: 1})
		if err != nil || len(again.Params) != len(fitted.Params) || math.Abs(again.RSS-fitted.RSS) > 1e-9*fitted.RSS+1e-20 {
			t.Errorf("%s: the snapped law %v fits with RSS %v, not %v: %v", c.law, snapped, again.RSS, fitted.RSS, err)
		}
	}
}

// Of constants that are no closed form few are taken for one, at any noise.
func TestSnapAllByChance(t *testing.T) {
	taken, tried := 0, 0
	for i := range 60 {
		noise := []float64{0, 1e-4, 1e-2, 0.1}[i%4]
		cols := columns(2, 200)
		truth := []float64{math.Exp(math.Sin(float64(7 * i))), math.Exp(2 * math.Sin(float64(3*i+1)))}
		y := target(t, "c0*x + c1*y", truth, cols, noise, "x", "y")
		law := parse(t, "c0*x + c1*y", nil, "x", "y")
		var f fit.Fitter
		r, _ := f.Fit(law, cols, y, nil, fit.Settings{})
		_, _, exact := f.SnapAll(law, cols, y, nil, r, fit.Settings{})
		for _, e := range exact {
			tried++
			if e != "" {
				taken++
				t.Logf("noise %g: %v ± %v became %q", noise, r.Params, r.StdErr, exact)
			}
		}
	}
	if taken > tried/8 {
		t.Errorf("%d of %d numbers became closed forms", taken, tried)
	}
}
