package motion

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/law"
)

func parse(t testing.TB, s string, vars ...string) expr.Tree {
	t.Helper()
	tree, err := expr.Parse(s, vars)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// times returns n times with the given mean step. Each time is shifted at random by up to uneven/2
// steps in either direction.
func times(n int, step, uneven float64, rng *rand.Rand) []float64 {
	t := make([]float64, n)
	for i := range t {
		t[i] = step * (float64(i) + uneven*(rng.Float64()-0.5))
	}
	return t
}

// The data are a sine plus a smooth step, which is about 20 times as fast.
// The test has data with and without noise, at even and uneven times. The errors of the derivatives
// must be small, and at most three times their standard errors on average.
func TestDerivatives(t *testing.T) {
	f := func(x float64) (y, d, dd float64) {
		h := math.Tanh(10 * (x - 3))
		return math.Sin(x) + h, math.Cos(x) + 10*(1-h*h), -math.Sin(x) - 200*h*(1-h*h)
	}
	for _, c := range []struct{ noise, uneven, worst float64 }{
		{0, 0, 0.005}, {0, 0.5, 0.02}, {0.01, 0, 0.15}, {0.01, 0.5, 0.15},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		at := times(300, 0.03, c.uneven, rng)
		x := make([]float64, len(at))
		for i := range x {
			y, _, _ := f(at[i])
			x[i] = y + c.noise*rng.NormFloat64()
		}
		sigma := Noise(at, x)
		if c.noise > 0 && math.Abs(sigma/c.noise-1) > 0.2 || c.noise == 0 && sigma > 1e-6 {
			t.Errorf("%+v: noise found %g", c, sigma)
		}
		var squares, size, chi float64
		for i, s := range Derivatives(at, x, sigma) {
			_, d, _ := f(at[i])
			squares += (s.D[1] - d) * (s.D[1] - d)
			size += d * d
			chi += math.Pow((s.D[1]-d)/s.SE[1], 2) / float64(len(at))
		}
		if e := math.Sqrt(squares / size); e > c.worst {
			t.Errorf("%+v: relative error %g", c, e)
		}
		if chi > 9 {
			t.Errorf("%+v: errors are %.1f times the standard errors", c, math.Sqrt(chi))
		}
	}
}

// The integrator is compared with the closed forms of a damped oscillator and of x' = x², up to the
// pole.
func TestSimulate(t *testing.T) {
	f := NewField([]expr.Tree{expr.X(1), parse(t, "-4*x - 0.4*v", "x", "v")}, 0, false)
	at := []float64{0, 0.5, 2, 7.5}
	x := Simulate(f, []float64{1, 0}, at, nil)
	w := math.Sqrt(4 - 0.04)
	for i, u := range at {
		want := math.Exp(-0.2*u) * (math.Cos(w*u) + 0.2/w*math.Sin(w*u))
		if math.Abs(x[0][i]-want) > 1e-9 {
			t.Errorf("x(%g) = %.12f, want %.12f", u, x[0][i], want)
		}
	}
	f = NewField([]expr.Tree{parse(t, "x*x", "x")}, 0, false)
	x = Simulate(f, []float64{1}, []float64{0, 0.5, 2}, nil)
	if math.Abs(x[0][1]-2) > 1e-8 || !math.IsNaN(x[0][2]) && math.Abs(x[0][2]) < 1e6 {
		t.Errorf("x' = x²: %v", x[0])
	}
}

// The solutions of all rows except one have a pole, each at a different time. The rows with a pole
// are dropped within few steps. The row without a pole is integrated.
func TestPoles(t *testing.T) {
	f := NewField([]expr.Tree{parse(t, "x*x", "x")}, 0, false)
	const n = 400
	x, at, h := [][]float64{make([]float64, n)}, make([]float64, n), make([]float64, n)
	for i := range n {
		x[0][i], h[i] = 1+math.Pow(1.05, float64(i)), 1 // the pole is at the time 1/x
	}
	x[0][0] = -1
	w := newFlow(f, n, 1e-10, []float64{1e9})
	w.limit = math.Inf(1)
	w.Interval(x, at, h, nil, nil, make([][]quintic, 1))
	if w.Steps > 6*w.maxSteps {
		t.Errorf("%d steps for an interval with %d poles", w.Steps, n-1)
	}
	if math.Abs(x[0][0]+0.5) > 1e-8 {
		t.Errorf("the row without a pole is at %g, want -1/2", x[0][0])
	}
	// In a fall onto a centre the position stays finite, but the steps get shorter and shorter. So
	// the row is dropped.
	f = NewField([]expr.Tree{expr.X(1), parse(t, "-1/x**2", "x", "v")}, 0, false)
	w = newFlow(f, 1, 1e-10, []float64{1, 1})
	y := [][]float64{{1}, {0}}
	w.Interval(y, []float64{0}, []float64{2}, nil, nil, make([][]quintic, 2))
	if w.Steps > 6*w.maxSteps || !math.IsNaN(y[0][0]) {
		t.Errorf("falling onto the centre: x = %g after %d steps", y[0][0], w.Steps)
	}
}

// predators returns two noisy runs of Lotka and Volterra's equations.
func predators(t testing.TB, noise float64) (*dataset.Table, *Field) {
	f := NewField([]expr.Tree{parse(t, "1.1*x - 0.4*x*y", "x", "y"), parse(t, "0.1*x*y - 0.4*y", "x", "y")}, 0, false)
	rng := rand.New(rand.NewPCG(3, 4))
	table := &dataset.Table{Name: "lv.csv", Vars: []dataset.Column{{Name: "t"}, {Name: "x"}}, Target: dataset.Column{Name: "y"}}
	for _, start := range [][]float64{{10, 5}, {4, 2}} {
		at := times(100, 0.15, 0, rng)
		x := Simulate(f, start, at, nil)
		for i := range at {
			table.Vars[0].Values = append(table.Vars[0].Values, at[i])
			table.Vars[1].Values = append(table.Vars[1].Values, x[0][i]+noise*rng.NormFloat64())
			table.Target.Values = append(table.Target.Values, x[1][i]+noise*rng.NormFloat64())
		}
	}
	return table, f
}

// Constants that start about 20 % off are fitted to their true values, within standard errors of
// the right size.
func TestShoot(t *testing.T) {
	table, _ := predators(t, 0.1)
	tr, _, err := Read(table, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := tr.data(context.Background(), nil)
	f := NewField([]expr.Tree{parse(t, "c0*x - c1*x*y", "x", "y").WithStarts([]float64{1.3, 0.5}), parse(t, "c0*x*y - c1*y", "x", "y").WithStarts([]float64{0.08, 0.5})}, 0, false)
	for _, n := range []int{10, math.MaxInt32} {
		s := d.shoot(f, d.windows(n, 100), 1e-6, 30, nil, nil)
		for i, want := range []float64{1.1, 0.4, 0.1, 0.4} {
			if off := math.Abs(s.Params[i] - want); off > 4*s.StdErr[i] || s.StdErr[i] > 0.03*want {
				t.Errorf("windows of %d: c%d = %g ± %g, want %g", n, i, s.Params[i], s.StdErr[i], want)
			}
		}
		if m := s.misfit(d, 0); m < 0.08 || m > 0.12 {
			t.Errorf("windows of %d: misfit %g, want the noise 0.1", n, m)
		}
	}
}

// The law of an oscillator is found from positions alone. A cancelled search also returns a result,
// without an error.
func TestDiscover(t *testing.T) {
	f := NewField([]expr.Tree{expr.X(1), parse(t, "-4*x - 0.5*v", "x", "v")}, 0, false)
	at := times(120, 0.05, 0, rand.New(rand.NewPCG(1, 1)))
	x := Simulate(f, []float64{1, 0}, at, nil)
	table := &dataset.Table{Name: "spring.csv", Vars: []dataset.Column{{Name: "t", Values: at}}, Target: dataset.Column{Name: "x", Values: x[0]}}
	tr, _, err := Read(table, Options{Order: 2})
	if err != nil {
		t.Fatal(err)
	}
	res, err := Discover(t.Context(), tr, Settings{Time: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	e := res.Equations[0]
	if want := parse(t, "-4*x0 - x1/2"); e.Law.Bound().Hash() != want.Hash() || !res.Whole || e.Error > 1e-6 || res.Stopped != "exact" {
		t.Errorf("%s = %s, error %g, %+v", e.Law.Target, e.Law.Infix(), e.Error, res)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if res, err = Discover(ctx, tr, Settings{}); err != nil || len(res.Equations) != 1 || res.Stopped != "interrupted" {
		t.Errorf("cancelled: %+v, %v", res, err)
	}
}

// A term of one equation becomes a column in the search for the law of another.
func TestShare(t *testing.T) {
	law1 := parse(t, "2*(10/x**2 - y/x + 5)/(2/x**2 + 1)", "x", "y")
	var got []string
	for _, term := range terms(law1) {
		got = append(got, bare(term).Infix([]string{"x", "y"}))
	}
	if len(got) != 3 || !strings.Contains(strings.Join(got, " "), "y/(x*(2/x**2 + 1))") {
		t.Errorf("terms %q", got)
	}
	sr := &searcher{names: []string{"x", "y"}}
	l := law.Law{Tree: parse(t, "20 - x0 - 2*x2"), Vars: []string{"x", "y", "termA"}}
	paid := sr.withTerms(l, []termColumn{{dataset.Column{Name: "termA"}, parse(t, "y/(x*(2/x**2 + 1))", "x", "y")}})
	if want := parse(t, "20 - x - 2*y/(x*(2/x**2 + 1))", "x", "y"); paid.Tree.Hash() != want.Hash() {
		t.Errorf("%s", paid.Tree.Infix(paid.Vars))
	}
}

// Sparse proposes the right sums of terms for exact derivatives.
func TestSparse(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, want := range []string{"sin(x0 - x1)/2 - sin(x0)", "3*x0 - 2*x0*x1 - x0**2", "cos(x1)**2*sin(x0) + sin(x1)**2*sin(x0)/10",
		"cos(x0)/tan(x1) - x0/2"} {
		truth := parse(t, want, "x0", "x1")
		p := &dataset.Problem{Vars: []dataset.Quantity{{Name: "x0", Scale: 1}, {Name: "x1", Scale: 1}}}
		for range 100 {
			p.Vars[0].Values = append(p.Vars[0].Values, 3*rng.Float64())
			p.Vars[1].Values = append(p.Vars[1].Values, 3*rng.Float64())
		}
		p.Target.Values = make([]float64, 100)
		cols := [][]float64{p.Vars[0].Values, p.Vars[1].Values}
		expr.Compile(truth).Eval(p.Target.Values, cols, nil)
		found, tried := false, 0
		for tree := range (Sparse{}).Propose(t.Context(), p) {
			tried++
			if r, err := fit.Fit(tree, cols, p.Target.Values, nil, fit.Settings{}); err == nil && r.RSS < 1e-20 && len(r.Params) <= 3 {
				found = true
				break
			}
		}
		if !found {
			t.Errorf("%s: not among %d", want, tried)
		}
	}
}

// A drive of unknown frequency is found alongside other terms, at uneven times and with errors. The
// proposed frequency is close enough for a fit to converge.
func TestDrive(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	p := &dataset.Problem{Vars: []dataset.Quantity{{Name: "x", Scale: 1}, {Name: "v", Scale: 1}, {Name: "t", Scale: 1}}}
	for i := range 200 {
		at := 0.1*float64(i) + 0.05*rng.Float64()
		p.Vars[0].Values = append(p.Vars[0].Values, math.Sin(2*at)*math.Exp(-at/9))
		p.Vars[1].Values = append(p.Vars[1].Values, math.Cos(1.9*at))
		p.Vars[2].Values = append(p.Vars[2].Values, at)
	}
	cols := [][]float64{p.Vars[0].Values, p.Vars[1].Values, p.Vars[2].Values}
	truth := parse(t, "-4*sin(x) - 0.2*v + 1.2*cos(1.37*t)", "x", "v", "t")
	p.Target.Values = make([]float64, 200)
	expr.Compile(truth).Eval(p.Target.Values, cols, nil)
	for i := range p.Target.Values {
		p.Target.Values[i] += 0.02 * rng.NormFloat64()
	}
	least, tried := math.Inf(1), 0
	for tree := range (Sparse{Time: "t"}).Propose(t.Context(), p) {
		tried++
		if r, err := fit.Fit(tree, cols, p.Target.Values, nil, fit.Settings{}); err == nil && len(r.Params) <= 6 {
			least = min(least, math.Sqrt(r.RSS/200))
		}
	}
	if least > 0.025 {
		t.Errorf("the best of %d sums leaves %.3f, the errors are 0.02", tried, least)
	}
}

// Numbers that a search has rounded to closed forms become free constants again. Exponents and
// signs stay.
func TestFreed(t *testing.T) {
	for law, want := range map[string]string{
		"pi**2 - 2*y/x":            "c0*y/x + c1",
		"sin(x)*cos(y)**2/(pi*pi)": "c0*sin(x)*cos(y)**2",
		"-x**(5/2) - 3*y*y":        "c0*y**2 - x**(5/2)",
		"sin(2*pi*x) + y":          "y + sin(c0*x)",
	} {
		got := withNumbersFreed(parse(t, law, "x", "y")).AbsorbParams()
		if text := got.Infix([]string{"x", "y"}); text != want {
			t.Errorf("%s: %s, want %s", law, text, want)
		}
	}
}

func ExampleDiscover() {
	// a body that falls through air, measured every 20 ms: v' = g - k v² with g = 10
	f := NewField([]expr.Tree{must(expr.Parse("10 - v*v/4", []string{"v"}))}, 0, false)
	at := make([]float64, 60)
	for i := range at {
		at[i] = 0.02 * float64(i)
	}
	v := Simulate(f, []float64{0}, at, nil)
	table := &dataset.Table{Name: "fall", Vars: []dataset.Column{{Name: "t", Values: at}}, Target: dataset.Column{Name: "v", Values: v[0]}}
	tr, _, err := Read(table, Options{})
	if err != nil {
		panic(err)
	}
	res, err := Discover(context.Background(), tr, Settings{Search: discover.Settings{Ops: []string{"+", "-", "*", "/", "square"}}})
	if err != nil {
		panic(err)
	}
	e := res.Equations[0]
	fmt.Println(e.Law.Target, "=", e.Law.Display(4))
	// Output: dv_dt = 10 - 1/4*v**2
}

func must(t expr.Tree, err error) expr.Tree {
	if err != nil {
		panic(err)
	}
	return t
}

// The benchmark runs one step of a fit of the Lotka–Volterra equations, with all derivatives, to
// 200 rows of two states. The fit has four constants.
func BenchmarkShoot(b *testing.B) {
	table, _ := predators(b, 0.1)
	tr, _, _ := Read(table, Options{})
	d := tr.data(context.Background(), nil)
	f := NewField([]expr.Tree{parse(b, "c0*x - c1*x*y", "x", "y"), parse(b, "c0*x*y - c1*y", "x", "y")}, 0, false)
	wins := d.windows(windowLength, mostWhole)
	for b.Loop() {
		d.shoot(f, wins, 1e-6, 1, nil, nil)
	}
}
