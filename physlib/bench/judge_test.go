package bench

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

func TestJudge(t *testing.T) {
	x := corpus.Var{Name: "x", Low: 1, High: 5}
	y := corpus.Var{Name: "y", Low: 1, High: 5}
	angle := corpus.Var{Name: "x", Low: 0.1, High: 1.2}
	decades := corpus.Var{Name: "x", Low: 1e-13, High: 1e26, Sampling: corpus.LogUniform}
	zero := corpus.Var{Name: "x", Low: -2, High: 3}
	type constants []law.Constant
	for _, c := range []struct {
		truth, found string
		vars         []corpus.Var
		constants    constants
		clean, noisy bool // exact without and with noise
	}{
		// the same function in another form
		{"x*y", "y*x", []corpus.Var{x, y}, nil, true, true},
		{"x/y", "exp(log(x)-log(y))", []corpus.Var{x, y}, nil, true, true},
		{"sqrt(x**2*y)", "x*sqrt(y)", []corpus.Var{x, y}, nil, true, true},
		{"2*sin(x)*cos(x)", "sin(2*x)", []corpus.Var{angle}, nil, true, true},
		{"x**2", "abs(x)*abs(x)", []corpus.Var{zero}, nil, true, true},
		{"x*sqrt(x)", "x**1.5", []corpus.Var{decades}, nil, true, true},
		// equal only on the data
		{"abs(x)", "x", []corpus.Var{zero}, nil, false, false},
		{"x", "arcsin(sin(x))", []corpus.Var{{Name: "x", Low: -1.5, High: 1.5}}, nil, false, false},
		{"sin(x)", "x-x**3/6+x**5/120-x**7/5040", []corpus.Var{angle}, nil, false, false},
		{"x+y", "x+1.0001*y", []corpus.Var{x, y}, nil, false, false},
		{"x+1e-4*y", "x", []corpus.Var{x, y}, nil, false, false},
		// small terms that hardly change the RMS
		{"x**2+x", "x**2", []corpus.Var{decades}, nil, false, false},
		{"1/(x-2)**2", "1/(x-2)**2+0.01", []corpus.Var{x}, nil, false, false},
		// other differences
		{"x*y", "x*y+2", []corpus.Var{x, y}, nil, false, false},
		{"log(x)", "log(x-2)", []corpus.Var{x}, nil, false, false},
		// free constants
		{"2*x*y", "c0*x*y", []corpus.Var{x, y}, constants{{Value: 1.98}}, false, true},
		{"2*x*y", "c0*x*y", []corpus.Var{x, y}, constants{{Value: 2}}, true, true},
		{"2*x*y", "c0*x*y", []corpus.Var{x, y}, constants{{Value: 1.99, Exact: "199/100"}}, false, false},
		{"3*x**2", "c0*x**c1", []corpus.Var{x}, constants{{Value: 3, Exact: "3"}, {Value: 1.96}}, false, true},
		{"3*x**2", "c0*x**c1", []corpus.Var{x}, constants{{Value: 2.9}, {Value: 2, Exact: "2"}}, false, true},
		{"3*exp(-x/2)+1", "c0*exp(c1*x)+c2", []corpus.Var{x}, constants{{Value: 3.1}, {Value: -0.49}, {Value: 0.98}}, false, true},
		{"3*(x+0.05)**2", "c0*exp(2*log(x+c1))", []corpus.Var{{Name: "x", Low: 0, High: 5}}, constants{{Value: 2.9}, {Value: -0.01}}, false, true},
		{"3*exp(-x/2)", "c0+c1*x+c2*x**2", []corpus.Var{x}, constants{{Value: 3}, {Value: -1}, {Value: 0.1}}, false, false},
		{"5e-19*x**2+3e-7*x", "c0*x**2+c1*x", []corpus.Var{decades}, constants{{Value: 5.01e-19}, {Value: 2.9e-7}}, false, true},
	} {
		p := corpus.Problem{ID: c.truth, Law: c.truth, Output: "f", Vars: c.vars}
		found, err := expr.Parse(c.found, p.Names())
		if err != nil {
			t.Fatal(err)
		}
		l := law.Law{Tree: found, Vars: p.Names(), Constants: c.constants}
		for noisy, want := range map[bool]bool{false: c.clean, true: c.noisy} {
			j, err := newJudge(p, noisy, rand.New(rand.NewPCG(1, 2)))
			if err != nil {
				t.Fatal(err)
			}
			if got := j.judge(l); got.exact != want {
				t.Errorf("true %s, found %s %v, noisy %v: exact is %v", c.truth, c.found, c.constants, noisy, got.exact)
			}
		}
	}
}

// Every law of the suites is exact if it is compared with itself, and not exact if one variable is
// replaced by a constant.
func TestJudgeSuites(t *testing.T) {
	for _, name := range corpus.Suites() {
		problems, err := corpus.Suite(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range problems {
			if testing.Short() && i%10 > 0 {
				continue
			}
			j, err := newJudge(p, false, rand.New(rand.NewPCG(1, 2)))
			if err != nil {
				t.Error(err)
				continue
			}
			l := law.Law{Tree: j.truth, Vars: p.Names()}
			if !j.agrees(j.truth) || !j.judge(l).exact {
				t.Errorf("%s: %s is not itself", p.ID, p.Law)
			}
			v := j.truth.Vars()[0]
			middle := j.clean.cols[v][0]
			if j.agrees(j.truth.Substitute(v, expr.Num(middle))) {
				t.Errorf("%s: %s does not see %s", p.ID, p.Law, p.Vars[v].Name)
			}
		}
	}
}

// A law is compared by the names of its variables, since Discover may omit or reorder columns.
func TestJudgeNames(t *testing.T) {
	p := corpus.Problem{ID: "q", Law: "x/y", Vars: []corpus.Var{{Name: "x", Low: 1, High: 2}, {Name: "y", Low: 1, High: 2}}}
	j, err := newJudge(p, false, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	tree, _ := expr.Parse("y/x", []string{"x", "y"})
	if !j.judge(law.Law{Tree: tree, Vars: []string{"y", "x"}}).exact {
		t.Error("columns in another order")
	}
	if j.judge(law.Law{Tree: tree, Vars: []string{"y", "z"}}).exact || j.judge(law.Law{}).exact {
		t.Error("a law of another column, or none, is exact")
	}
	if r2 := j.r2(law.Law{Tree: tree, Vars: []string{"y", "x"}}); math.Abs(r2-1) > 1e-12 {
		t.Errorf("R² %g", r2)
	}
}

func BenchmarkJudge(b *testing.B) {
	problems, err := corpus.Suite("feynman")
	if err != nil {
		b.Fatal(err)
	}
	j, err := newJudge(problems[4], false, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		b.Fatal(err)
	}
	l := law.Law{Tree: j.truth, Vars: problems[4].Names()}
	for b.Loop() {
		j.judge(l)
	}
}
