package fit_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// misfit fits law to its own values at the constants truth. It returns the RMS of the residuals
// relative to the RMS of the values. It does not compare constants, since c0*sin(c1*x + c2) has
// many equivalent sets of constants.
func misfit(t *testing.T, law string, truth, from []float64, cols [][]float64, s fit.Settings) float64 {
	t.Helper()
	y := target(t, law, truth, cols, 0, "x", "y")
	r, err := fit.Fit(parse(t, law, from, "x", "y"), cols, y, nil, s)
	if err != nil {
		t.Fatalf("%s: %v", law, err)
	}
	size := 0.0
	for _, v := range y {
		size += v * v
	}
	off := math.Sqrt(r.RSS / size)
	if off > 1e-13 || !r.Converged {
		t.Logf("%s: got %v, want %v, off %.1e, converged %v, %d passes", law, r.Params, truth, off, r.Converged, r.Evaluations)
	}
	return off
}

// scaled returns cols with column v multiplied by by[v].
func scaled(cols [][]float64, by ...float64) [][]float64 {
	out := make([][]float64, len(cols))
	for v, c := range cols {
		out[v] = make([]float64, len(c))
		for i, x := range c {
			out[v][i] = by[v] * x
		}
	}
	return out
}

func TestRecover(t *testing.T) {
	cols := columns(2, 200)
	for _, c := range []struct {
		law         string
		truth, from []float64
		cols        [][]float64
	}{
		// linear laws, which need no starting values
		{"c0*x + c1*y + c2", []float64{2, -3, 7}, []float64{0, 0, 0}, cols},
		{"c0*x + c1*x**2 + c2*x**3 + c3*x**4 + c4*x**5 + c5", []float64{1, 2, 3, 4, 5, 6}, make([]float64, 6), cols},
		{"x*y*c0 - c1/y", []float64{1e-26, 1e-13}, []float64{1, 1}, scaled(cols, 1e7, 1e3)},
		// one or more nonlinear constants, with the starting values 1
		{"c0*exp(-c1*x)", []float64{2, 0.7}, []float64{1, 1}, cols},
		{"c0*x**c1*y**c2", []float64{6.67, 1.5, -2}, []float64{1, 1, 1}, cols},
		{"c0*x/(c1 + x)", []float64{3, 0.4}, []float64{1, 1}, cols},
		{"1/(c0 + c1*x)", []float64{3, 0.4}, []float64{1, 1}, cols},
		{"c0*sqrt(c1 + x**2)", []float64{3, 7}, []float64{1, 1}, cols},
		{"sqrt(c0**2 + (c1*x)**2)", []float64{3, 7}, []float64{1, 1}, cols},
		{"c0*sin(c1*x + c2)", []float64{3, 5, 0.5}, []float64{1, 1, 1}, cols},
		{"c0*sin(c1*x) + c2*cos(c1*x)", []float64{3, 9, 0.5}, []float64{1, 1, 1}, cols},
		{"c0*exp(-((x - c1)/c2)**2)", []float64{3, 2.4, 0.1}, []float64{1, 1, 1}, cols},
		{"c0*exp(-c1*x) + c2*exp(-c3*x)", []float64{5, 0.5, 3, 4}, []float64{1, 1, 1, 2}, cols},
		{"c0/(exp(c1*x) - 1)", []float64{3, 2}, []float64{1, 1}, cols},
		{"c0*tanh(c1*x/y)", []float64{3, 0.8}, []float64{1, 1}, cols},
		{"(c0 + x)*(c1 + c2*y)", []float64{3, 2, 5}, []float64{1, 1, 1}, cols},
		// magnitudes in physics: Planck's law in SI units, a decay in fractions of a second,
		// charges
		{"c0*exp(-c1*x)", []float64{1e26, 0.7e-20}, []float64{1, 1}, scaled(cols, 1e20, 1)},
		{"c0*exp(-c1*x)", []float64{1e-26, 0.7e13}, []float64{1, 1}, scaled(cols, 1e-13, 1)},
		{"c0*x**3/(exp(c1*x/y) - 1)", []float64{1.47e-50, 4.8e-11}, []float64{1, 1}, scaled(cols, 1e14, 3000)},
		{"c0*x/(c1 + x)", []float64{3e-19, 4e-9}, []float64{1, 1}, scaled(cols, 1e-9, 1)},
		{"c0*(x - c1)**2", []float64{3e-19, 2e-9}, []float64{1, 1}, scaled(cols, 1e-9, 1)},
		// laws that are undefined near the starting values
		{"c0*log(x - c1)", []float64{3, 0.5}, []float64{1, 1.5}, cols},
		{"c0*sqrt(c1 - x)", []float64{3, 3.5}, []float64{1, 1}, cols},
		{"c0*asin(c1*x)", []float64{3, 0.3}, []float64{1, 2}, cols},
		{"c0/sqrt(1 - x**2/c1**2)", []float64{3, 4}, []float64{1, 1}, cols},
	} {
		for seed := range int64(3) {
			if off := misfit(t, c.law, c.truth, c.from, c.cols, fit.Settings{Seed: seed}); off > 1e-13 {
				t.Errorf("%s, seed %d: off by %.1e", c.law, seed, off)
			}
		}
	}
}

// The fit of a straight line agrees with textbook formulas, even if the rows are factored in
// several blocks.
func TestLine(t *testing.T) {
	for _, rows := range []int{3, 100, 4096, 4097, 30000} {
		cols := columns(2, rows)
		y := target(t, "c0 + c1*x", []float64{5, -2}, cols, 0.1, "x", "y")
		w := make([]float64, rows)
		var s, sx, sy, sxx, sxy float64
		for i, x := range cols[0] {
			w[i] = cols[1][i]
			s, sx, sy, sxx, sxy = s+w[i], sx+w[i]*x, sy+w[i]*y[i], sxx+w[i]*x*x, sxy+w[i]*x*y[i]
		}
		det := s*sxx - sx*sx
		r, err := fit.Fit(parse(t, "c0 + c1*x", nil, "x", "y"), cols, y, w, fit.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []struct{ got, want float64 }{
			{r.Params[0], (sxx*sy - sx*sxy) / det}, {r.Params[1], (s*sxy - sx*sy) / det},
			{r.StdErr[0], math.Sqrt(sxx / det)}, {r.StdErr[1], math.Sqrt(s / det)},
			{r.Cov[1], -sx / det}, {r.Cov[2], -sx / det},
		} {
			if math.Abs(want.got-want.want) > 1e-9*math.Abs(want.want) {
				t.Errorf("%d rows: quantity %d is %v, want %v", rows, i, want.got, want.want)
			}
		}
	}
}

// Equal weights scale RSS and do not change the constants. With weights, the standard errors are
// absolute.
func TestWeights(t *testing.T) {
	cols := columns(2, 50)
	y := target(t, "c0*exp(c1*x)", []float64{5, -2}, cols, 0.01, "x", "y")
	law := parse(t, "c0*exp(c1*x)", []float64{1, -1}, "x", "y")
	free, _ := fit.Fit(law, cols, y, nil, fit.Settings{})
	w := make([]float64, 50)
	for i := range w {
		w[i] = 1 / (free.Sigma() * free.Sigma())
	}
	abs, err := fit.Fit(law, cols, y, w, fit.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if math.Abs(free.Params[i]/abs.Params[i]-1) > 1e-10 || math.Abs(free.StdErr[i]/abs.StdErr[i]-1) > 1e-8 {
			t.Errorf("constant %d: %v ± %v and %v ± %v", i, free.Params[i], free.StdErr[i], abs.Params[i], abs.StdErr[i])
		}
	}
	// A row of weight 0 is ignored, even if it is NaN.
	w[7], y[7] = 0, math.NaN()
	out, err := fit.Fit(law, cols, y, w, fit.Settings{})
	if err != nil || out.Rows != 49 || math.IsNaN(out.RSS) {
		t.Errorf("a row of weight 0: %+v, %v", out, err)
	}
}

func TestUndetermined(t *testing.T) {
	cols := columns(2, 20)
	y := target(t, "3*x + y", nil, cols, 0.01, "x", "y")
	for _, c := range []struct {
		law     string
		unknown []bool
	}{
		{"c0*c1*x + c2*y", []bool{true, true, false}},
		{"c0*x + c1*x + c2*y", []bool{true, true, false}},
		{"c0*x + c2*y", []bool{false, true, false}}, // slot 1 is not in the law
		{"c0*x + c1*y*0 + c2*y", []bool{false, true, false}},
	} {
		r, err := fit.Fit(parse(t, c.law, []float64{1, 1, 1}, "x", "y"), cols, y, nil, fit.Settings{})
		if err != nil {
			t.Errorf("%s: %v", c.law, err)
			continue
		}
		for i, want := range c.unknown {
			if got := math.IsInf(r.StdErr[i], 1); got != want {
				t.Errorf("%s: standard errors %v, want unknown %v", c.law, r.StdErr, c.unknown)
				break
			}
		}
	}
	// If there are as many constants as rows, the fit is exact and the errors are unknown.
	r, err := fit.Fit(parse(t, "c0*x", nil, "x", "y"), columns(2, 1), []float64{3}, nil, fit.Settings{})
	if err != nil || r.RSS > 1e-30 || !math.IsInf(r.StdErr[0], 1) {
		t.Errorf("one row: %+v, %v", r, err)
	}
}

func TestNoConstants(t *testing.T) {
	cols := columns(2, 10)
	r, err := fit.Fit(parse(t, "2*x", nil, "x", "y"), cols, cols[0], nil, fit.Settings{})
	want := 0.0
	for _, x := range cols[0] {
		want += x * x
	}
	if err != nil || math.Abs(r.RSS-want) > 1e-12*want || len(r.Params) != 0 || !r.Converged {
		t.Errorf("%+v, %v, want RSS %v", r, err, want)
	}
}

func TestBadInput(t *testing.T) {
	x := []float64{1, 2, 3}
	law := parse(t, "c0*x", nil)
	for _, c := range []struct {
		name string
		t    expr.Tree
		cols [][]float64
		y, w []float64
		want string
	}{
		{"empty tree", expr.Tree{}, [][]float64{x}, x, nil, "empty"},
		{"no rows", law, [][]float64{x}, nil, nil, "no rows"},
		{"short column", law, [][]float64{x[:2]}, x, nil, "variable 0 has 2 rows, the target 3"},
		{"no column", law, nil, x, nil, "variable 0 of 0"},
		{"short weights", law, [][]float64{x}, x, x[:2], "2 weights for 3 rows"},
		{"negative weight", law, [][]float64{x}, x, []float64{1, -1, 1}, "weight -1 in row 1"},
		{"NaN target", law, [][]float64{x}, []float64{1, math.NaN(), 2}, nil, "NaN in row 1"},
		{"NaN column", law, [][]float64{{1, 2, math.NaN()}}, x, nil, "not finite in row 2"},
		{"infinite everywhere", parse(t, "c0*log(0*x)", nil), [][]float64{x}, x, nil, "not finite in row 0"},
		{"no start", parse(t, "c0*log(-(c1*x)**2 - 1)", []float64{1, 1}), [][]float64{x}, x, nil, "not finite in row 0"},
	} {
		for _, m := range []fit.Method{fit.LevenbergMarquardt, fit.BFGS} {
			_, err := fit.Fit(c.t, c.cols, c.y, c.w, fit.Settings{Method: m})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.name, err, c.want)
			}
			if strings.HasPrefix(c.want, "not finite") && !errors.Is(err, fit.ErrNotFinite) {
				t.Errorf("%s: %v is not ErrNotFinite", c.name, err)
			}
		}
	}
}

// At x = 0, x**c1 has a value but no derivative with respect to c1.
func TestPowerAtZero(t *testing.T) {
	x := []float64{0, 1, 2, 3, 4}
	y := make([]float64, 5)
	for i := range x {
		y[i] = 3 * math.Pow(x[i], 1.7)
	}
	r, err := fit.Fit(parse(t, "c0*x**c1", []float64{1, 1}), [][]float64{x}, y, nil, fit.Settings{})
	if err != nil || math.Abs(r.Params[1]-1.7) > 1e-10 {
		t.Errorf("%+v, %v", r, err)
	}
}

// If the sign of a constant does not matter, the fitted constant has the sign of its starting
// value.
func TestSign(t *testing.T) {
	cols := columns(2, 100)
	for _, law := range []string{"c0*exp(-(x/c1)**2)", "c0*cos(c1*x)", "c0*sin(c1*x)", "sqrt(c1**2 + x) + c0*y"} {
		y := target(t, law, []float64{3, 0.7}, cols, 0.01, "x", "y")
		for _, start := range []float64{0.5, -0.5} {
			r, err := fit.Fit(parse(t, law, []float64{1, start}, "x", "y"), cols, y, nil, fit.Settings{})
			if err != nil || math.Abs(r.Params[1]*2*start-0.7) > 0.1 {
				t.Errorf("%s from %v: %v, %v", law, start, r.Params, err)
			}
		}
	}
}

func TestBFGS(t *testing.T) {
	cols := columns(2, 100)
	y := target(t, "c0*exp(-c1*x) + c2*y", []float64{2, 0.7, 3}, cols, 0.01, "x", "y")
	law := parse(t, "c0*exp(-c1*x) + c2*y", []float64{1, 1, 1}, "x", "y")
	best, _ := fit.Fit(law, cols, y, nil, fit.Settings{})
	r, err := fit.Fit(law, cols, y, nil, fit.Settings{Method: fit.BFGS})
	if err != nil || r.RSS > best.RSS*(1+1e-9) || !r.Converged {
		t.Errorf("RSS %v with BFGS, %v with Levenberg–Marquardt: %v", r.RSS, best.RSS, err)
	}
}

// One Fitter gives the same fits for many trees as a new Fitter for each tree. Equal seeds give
// equal fits.
func TestFitterReuse(t *testing.T) {
	var f fit.Fitter
	rng := rand.New(rand.NewPCG(5, 6))
	laws := []string{"c0*x", "c0*exp(-c1*x) + c2*y", "c0*x + c1*y + c2", "c0*sin(c1*x + c2)", "x + y"}
	for range 40 {
		law := laws[rng.IntN(len(laws))]
		cols := columns(2, 5+rng.IntN(600))
		y := target(t, "2*x**2 + y", nil, cols, 0.05, "x", "y")
		var w []float64
		if rng.IntN(2) == 0 {
			w = cols[1]
		}
		tree := parse(t, law, []float64{1, 1, 1}, "x", "y")
		a, err1 := f.Fit(tree, cols, y, w, fit.Settings{Starts: 3})
		b, err2 := fit.Fit(tree, cols, y, w, fit.Settings{Starts: 3})
		if !reflect.DeepEqual(a, b) || (err1 == nil) != (err2 == nil) {
			t.Fatalf("%s, %d rows: %+v %v and %+v %v", law, len(y), a, err1, b, err2)
		}
	}
}

func TestManyRows(t *testing.T) {
	rows := 1000000
	if testing.Short() {
		rows = 50000
	}
	cols := columns(2, rows)
	y := target(t, "c0*exp(-c1*x) + c2*y", []float64{2, 0.7, 3}, cols, 0.01, "x", "y")
	r, err := fit.Fit(parse(t, "c0*exp(-c1*x) + c2*y", []float64{1, 1, 1}, "x", "y"), cols, y, nil, fit.Settings{})
	if err != nil || !r.Converged || r.Rows != rows {
		t.Fatalf("%+v, %v", r, err)
	}
	for i, want := range []float64{2, 0.7, 3} {
		if math.Abs(r.Params[i]-want) > 5*r.StdErr[i] || r.StdErr[i] > 0.1 {
			t.Errorf("constant %d: %v ± %v, want %v", i, r.Params[i], r.StdErr[i], want)
		}
	}
}

// A closed Done ends a fit with ErrEnded. This is so even if there are so many rows that the fit
// begins on a sample.
func TestDone(t *testing.T) {
	done := make(chan struct{})
	close(done)
	tree := parse(t, "c0*exp(c1*x)", []float64{1, -0.5}, "x")
	for _, rows := range []int{20, 20_000} {
		x, y := make([]float64, rows), make([]float64, rows)
		for i := range x {
			x[i] = float64(i) / float64(rows)
			y[i] = 2*math.Exp(-x[i]) + 0.1*math.Sin(float64(i*i))
		}
		if _, err := fit.Fit(tree, [][]float64{x}, y, nil, fit.Settings{Done: done}); !errors.Is(err, fit.ErrEnded) {
			t.Errorf("%d rows: %v, want %v", rows, err, fit.ErrEnded)
		}
		if _, err := fit.Fit(tree, [][]float64{x}, y, nil, fit.Settings{Done: make(chan struct{})}); err != nil {
			t.Errorf("%d rows: %v", rows, err)
		}
	}
}
