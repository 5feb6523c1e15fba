package frame_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/frame"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/require"
)

func find(t *testing.T, text string, table *dataset.Table, names []string, statements ...string) *frame.Result {
	t.Helper()
	return findWith(t, discover.Settings{Evaluations: 1500, Time: -1}, text, table, names, statements...)
}

func findWith(t *testing.T, set discover.Settings, text string, table *dataset.Table, names []string, statements ...string) *frame.Result {
	t.Helper()
	f, err := frame.Parse(text, names)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		one, err := require.Parse(s, table.Target.Name, names, f.FunctionNames())
		if err != nil {
			t.Fatal(err)
		}
		set.Statements = append(set.Statements, one)
	}
	r, err := frame.Discover(context.Background(), table, f, set)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r.Best, r.Functions, r.Verdict)
	return r
}

// pendulum returns the periods of pendulums according to the exact law, with the amplitude in
// radians.
func pendulum() *dataset.Table {
	t := &dataset.Table{Name: "pendulum", Vars: []dataset.Column{{Name: "l"}, {Name: "g"}, {Name: "theta"}}, Target: dataset.Column{Name: "T"}}
	for i := range 30 {
		l, g, theta := 0.3+0.05*float64(i%7), 9.81-0.8*float64(i%3), 0.05+0.04*float64(i)
		k, a, b := math.Sin(theta/2), 1.0, 0.0
		b = math.Sqrt(1 - k*k)
		for range 30 { // iterates the arithmetic-geometric mean
			a, b = (a+b)/2, math.Sqrt(a*b)
		}
		for v, x := range []float64{l, g, theta} {
			t.Vars[v].Values = append(t.Vars[v].Values, x)
		}
		y := 2 * math.Pi * math.Sqrt(l/g) / a * (1 + 1e-4*math.Sin(float64(i*i)))
		t.Target.Values = append(t.Target.Values, y)
	}
	return t
}

func TestOneFunction(t *testing.T) {
	r := find(t, "T = 2*pi*sqrt(l/g)*f(theta)", pendulum(), []string{"l", "g", "theta"}, "f(0)=1", "f: even in theta")
	if len(r.Functions) != 1 || !strings.HasPrefix(r.Functions[0], "f(theta) = ") {
		t.Fatal(r.Functions)
	}
	if got, want := r.Best.Eval(1, 9.81, 0), 2*math.Pi/math.Sqrt(9.81); math.Abs(got-want) > 1e-9 {
		t.Errorf("T at theta = 0 is %g, want %g", got, want)
	}
	if r.Best.R2 < 0.999 {
		t.Errorf("R² = %g", r.Best.R2)
	}
}

// The law is a product of two unknown functions of one column each.
func TestTwoFunctions(t *testing.T) {
	table := &dataset.Table{Name: "t", Vars: []dataset.Column{{Name: "a"}, {Name: "b"}}, Target: dataset.Column{Name: "y"}}
	for i := range 60 {
		a, b := 0.2+0.1*float64(i%12), 0.5+0.35*float64(i%7)
		table.Vars[0].Values, table.Vars[1].Values = append(table.Vars[0].Values, a), append(table.Vars[1].Values, b)
		table.Target.Values = append(table.Target.Values, 3*math.Exp(-1.4*a)/(1+b*b)+0.002*math.Sin(float64(i*i)))
	}
	r := find(t, "u(a)*w(b)", table, []string{"a", "b"})
	if len(r.Functions) != 2 || r.Best.R2 < 0.9999 {
		t.Errorf("%v, R² = %g", r.Functions, r.Best.R2)
	}
	for _, at := range [][2]float64{{0.5, 1}, {1.1, 2}} {
		if got, want := r.Best.Eval(at[0], at[1]), 3*math.Exp(-1.4*at[0])/(1+at[1]*at[1]); math.Abs(got-want) > 0.01 {
			t.Errorf("at %v: %g, want %g", at, got, want)
		}
	}
}

// Two settings, the errors and the largest complexity, also apply to laws with unknown functions.
func TestSettings(t *testing.T) {
	names := []string{"l", "g", "theta"}
	r := findWith(t, discover.Settings{Evaluations: 200, Time: -1, Errors: discover.ProportionalErrors}, "T = 2*pi*sqrt(l/g)*f(theta)", pendulum(), names)
	if r.ErrorModel != law.ProportionalErrors {
		t.Errorf("errors %s", r.ErrorModel)
	}
	most := r.Best.Complexity - 0.1
	r = findWith(t, discover.Settings{Evaluations: 200, Time: -1, MaxComplexity: most}, "T = 2*pi*sqrt(l/g)*f(theta)", pendulum(), names)
	for _, l := range r.Finalists {
		if l.Complexity > most {
			t.Errorf("%v has %.1f bits; the limit is %.1f", l, l.Complexity, most)
		}
	}
}

// Laws that are the same function are listed only once. If a run ends early, its verdict does not
// call the law the only one.
func TestDifferentFunctions(t *testing.T) {
	table := &dataset.Table{Name: "t", Vars: []dataset.Column{{Name: "x"}}, Target: dataset.Column{Name: "y"}}
	for i := range 40 {
		x := 0.2 + 0.1*float64(i)
		table.Vars[0].Values = append(table.Vars[0].Values, x)
		table.Target.Values = append(table.Target.Values, 3*math.Exp(-0.7*x)+0.001*math.Sin(float64(i*i)))
	}
	r := findWith(t, discover.Settings{Evaluations: 200, Time: -1}, "k*f(x)", table, []string{"x"})
	for i, a := range r.Finalists {
		for _, b := range r.Finalists[:i] {
			most := 0.0
			for _, x := range table.Vars[0].Values {
				most = max(most, math.Abs(a.Eval(x)-b.Eval(x)))
			}
			if most < 1e-8 {
				t.Errorf("%v and %v are one function", b, a)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f, err := frame.Parse("k*f(x)", []string{"x"})
	if err != nil {
		t.Fatal(err)
	}
	cut, err := frame.Discover(ctx, table, f, discover.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(cut.Verdict, "the only") || cut.Stopped != discover.StopInterrupted {
		t.Errorf("%s, stopped by %s", cut.Verdict, cut.Stopped)
	}
	if cut.Best.Tree.Len() == 0 || cut.Best.R2 < 0.9 {
		t.Errorf("no good law so far: %v, R² = %g", cut.Best, cut.Best.R2)
	}
}

// An interrupted run with two functions fits few laws before it ends.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f, err := frame.Parse("T = f(l)*h(theta)/sqrt(g)", []string{"l", "g", "theta"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := frame.Discover(ctx, pendulum(), f, discover.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Best.Tree.Len() == 0 || r.Evaluations > 200 {
		t.Errorf("%v after %d candidates", r.Best, r.Evaluations)
	}
}

// A run tries no more laws than Settings.Evaluations.
func TestEvaluations(t *testing.T) {
	for _, c := range []struct {
		text string
		most int64
	}{
		{"T = 2*pi*sqrt(l/g)*f(theta)", 10},
		{"T = 2*pi*sqrt(l/g)*f(theta)", 100},
		{"T = f(l)*h(theta)/sqrt(g)", 300},
	} {
		r := findWith(t, discover.Settings{Evaluations: c.most, Time: -1}, c.text, pendulum(), []string{"l", "g", "theta"})
		if r.Evaluations > c.most || r.Stopped != discover.StopEvaluations || len(r.Finalists) == 0 {
			t.Errorf("%d laws of %d, stopped by %s: %v", r.Evaluations, c.most, r.Stopped, r.Best)
		}
	}
}

// A law that is parsed from its printed form has nearly the values of the law itself.
func TestPrinted(t *testing.T) {
	table, names := pendulum(), []string{"l", "g", "theta"}
	r := findWith(t, discover.Settings{Evaluations: 600, Time: -1}, "T = k*l**p*f(theta)/sqrt(g)", table, names)
	for _, l := range r.Front {
		if slices.ContainsFunc(l.Constants, func(k law.Constant) bool { return k.StdErr == 0 }) {
			continue // the data do not determine this constant
		}
		printed, err := law.Parse(l.Display(0), names)
		if err != nil {
			t.Fatal(err)
		}
		off := 0.0
		for i := range table.Rows() {
			x := []float64{table.Vars[0].Values[i], table.Vars[1].Values[i], table.Vars[2].Values[i]}
			off = max(off, math.Abs(printed.Eval(x...)-l.Eval(x...)))
		}
		if off > 0.3*l.RMSE {
			t.Errorf("%s is off by %g, and its error is %g", l.Display(0), off, l.RMSE)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"T = sqrt(l)", "it has no unknown function"},
		{"T = f(z)", "the columns are l, theta"},
		{"T = f(l", "lacks a closing parenthesis"},
		{"T = f(l) + f(l, theta)", "f has 1 arguments in one place and 2 in another"},
		{"T = f(2)", "each argument must depend on a column"},
	} {
		if _, err := frame.Parse(c.text, []string{"l", "theta"}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
	f, err := frame.Parse("T = k*sqrt(l)*f(theta/2) + g(l, theta)", []string{"l", "theta"})
	if err != nil || strings.Join(f.FunctionNames(), " ") != "f g" || f.Target != "T" {
		t.Errorf("%v, %v", f, err)
	}
}
