package view

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/searchtest"
	"github.com/physlib/lab/physlib/unit"
)

func TestReduce(t *testing.T) {
	for _, test := range []struct {
		name, law, columns string
		noise              float64
		factor, rest       string // expected results; rest is "" if there is no symmetry
	}{
		{"one factor", "a**2*(b + sin(c))", "a:1:3 b:1:4 c:0:3", 0, "a**2", "b; c"},
		{"two factors", "a**2/sqrt(d)*(b + sin(c))", "a:1:3 b:1:4 c:0:3 d:1:5", 0, "a**2/sqrt(d)", "b; c"},
		{"with units", "m*g*(h + v**2/g/2)", "m:1:3:kg g:1:10:m/s^2 h:1:5:m v:1:5:m/s", 0, "m", "g; h; v"},
		{"negative target", "-3/a*(b + sin(c))", "a:1:3 b:1:4 c:0:3", 0, "1/a", "b; c"},
		{"target of both signs", "a*(b - sin(c))", "a:1:3 b:-1:1 c:0:3", 0, "a", "b; c"},
		{"with noise", "a**2*(b + sin(c))", "a:1:3 b:1:4 c:0:3", 0.01, "a**2", "b; c"},
		{"an idle column", "sin(b) + c + c**2", "a:1:3 b:1:4 c:1:3", 0, "1", "b; c"},
		{"a difference", "sqrt(1 + (a - b)**2) + sin(c)", "a:1:3 b:4:6 c:0:3", 0, "1", "c; b - a"},
		{"a sum of squares", "c + sin(c) + exp(-(a**2 + b**2)/4)", "a:0.5:2 b:0.5:2 c:1:3", 0, "1", "c; b**2 + a**2"},
		{"a sum of reciprocals", "sin(c) + log(1/a + 1/b)", "a:1:3 b:1:3 c:0:2", 0, "1", "c; 1/b + 1/a"},
		{"a distance", "G*m/((a - b)**2 + (c - d)**2)", "G:1:3 m:1:3 a:3:4 b:1:2 c:3:4 d:1:2", 0, "G*m", "(b - a)**2 + (d - c)**2"},
		{"a product", "a*b**2/c", "a:1:3 b:1:4 c:1:3", 0, "a/c", "b"},
		{"no symmetry", "a + sin(b)*c + b*c**2", "a:1:3 b:1:4 c:1:3", 0, "1", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := searchtest.Sampled(t, test.law, test.columns, 600)
			if test.noise > 0 {
				searchtest.Disturb(p, test.noise)
			}
			var names []string
			for _, v := range p.Vars {
				names = append(names, v.Name)
			}
			r := Reduce(context.Background(), p, nil)
			if r.Found != (test.rest != "") {
				t.Fatalf("symmetries %v: factor %s", r.Found, r.factor.Infix(names))
			}
			if !r.Found {
				return
			}
			if want, err := expr.Parse(test.factor, names); err != nil || !expr.Equal(r.factor, want) {
				t.Errorf("the factor is %s, want %s", r.factor.Infix(names), test.factor)
			}
			want := strings.Split(test.rest, "; ")
			for i := range r.Problem.Vars {
				if r.Drop[i] {
					continue
				}
				if len(want) == 0 {
					t.Fatalf("%s is left", r.written(i).Infix(names))
				}
				w, err := expr.Parse(want[0], names)
				if err != nil || !expr.Equal(r.written(i), w) {
					t.Errorf("%s is left, want %s", r.written(i).Infix(names), want[0])
				}
				want = want[1:]
				checkWritten(t, r, i, p)
			}
			v := r.factor.Values(len(p.Target.Values), p.Cols(), nil)
			for i, y := range p.Target.Values {
				if back := r.Problem.Target.Values[i] * v[i]; math.Abs(back-y) > 1e-12*math.Abs(y) {
					t.Fatalf("row %d: factor and rest make %g of %g", i, back, y)
				}
			}
		})
	}
}

// checkWritten checks the expression of variable i of r in the columns of p. The expression must
// have the values that r has for this variable.
func checkWritten(t *testing.T, r Reduction, i int, p *dataset.Problem) {
	t.Helper()
	var names []string
	for _, v := range p.Vars {
		names = append(names, v.Name)
	}
	values := r.Problem.Vars[i].Values
	back := make([]float64, len(values))
	expr.Compile(r.written(i)).Eval(back, p.Cols(), nil)
	for k := range back {
		if math.Abs(back[k]-values[k]) > 1e-12*math.Abs(back[k]) {
			t.Fatalf("row %d: %s is %g, not %g", k, r.written(i).Infix(names), back[k], values[k])
		}
	}
}

// Columns that scale together get base units. The dimensionless groups that follow are those that
// the true units would give.
func TestReduceFindsUnits(t *testing.T) {
	for _, test := range []struct{ law, columns, group string }{
		{"1/(exp(h*f/(k*T)) - 1)", "h:1:5 f:1:5 k:1:5 T:1:5", "h*f/(k*T)"},
		{"sqrt(a**2 + b**2 - 2*a*b*cos(c - d))", "a:1:3 b:1:3 c:1:3 d:4:6", "a/b"},
		{"v*(1 - w**2/v**2)**(3/2)", "v:3:6 w:1:2", "w/v"},
	} {
		p := searchtest.Sampled(t, test.law, test.columns, 800)
		var names []string
		for _, v := range p.Vars {
			names = append(names, v.Name)
		}
		r := Reduce(context.Background(), p, nil)
		if !r.Found || !r.Problem.Units {
			t.Errorf("%s: no scaling found", test.law)
			continue
		}
		s := NewSpace(r.Problem, 100, true, r.Drop)
		if s.Origin == nil {
			t.Errorf("%s: no product of powers has the target's unit %s", test.law, s.TargetDim)
		}
		want, _ := expr.Parse(test.group, names)
		var dims []unit.Dim
		for _, v := range r.Problem.Vars {
			dims = append(dims, v.Dim)
		}
		d, free, err := want.Dim(dims)
		if err != nil || free || !d.IsZero() {
			t.Errorf("%s: %s has the unit %s", test.law, test.group, d)
		}
		if p.Units || !p.Vars[0].Dim.IsZero() {
			t.Errorf("%s: the problem itself has units now", test.law)
		}
	}
}

// Known units are kept. Scalings that do not follow from the known units are found as well.
func TestReduceKeepsUnits(t *testing.T) {
	p := searchtest.Sampled(t, "m*g*(h + v**2/g/2)", "m:1:3:kg g:1:10:m/s^2 h:1:5:m v:1:5:m/s", 600)
	r := Reduce(context.Background(), p, nil)
	if !r.Found {
		t.Fatal("nothing separates")
	}
	if want := searchtest.Dims(t, "m^2/s^2")[0]; r.Problem.Target.Dim != want {
		t.Errorf("the rest is in %s, want %s", r.Problem.Target.Dim, want)
	}
	if want := searchtest.Dims(t, "J")[0]; p.Target.Dim != want {
		t.Errorf("the problem's own target is now in %s", p.Target.Dim)
	}
	p = searchtest.Sampled(t, "a + b*sin(c*d)", "a:1:3:1 b:1:3:1 c:1:2:1 d:1:2:1", 600)
	if r = Reduce(context.Background(), p, nil); !r.Found || r.Problem.Vars[2].Dim.IsZero() || r.Problem.Vars[2].Dim != r.Problem.Vars[3].Dim.Pow(unit.Rat(-1, 1)) {
		t.Errorf("c and d are in %s and %s", r.Problem.Vars[2].Dim, r.Problem.Vars[3].Dim)
	}
}

func TestReduceNeedsRows(t *testing.T) {
	if Reduce(context.Background(), searchtest.Sampled(t, "a**2*(b + 5)", "a:1:3 b:1:4", 20), nil).Found {
		t.Error("twenty rows suffice")
	}
}

func TestReduceStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if Reduce(ctx, searchtest.Sampled(t, "a**2*(b + sin(c))", "a:1:3 b:1:4 c:0:3", 600), nil).Found {
		t.Error("symmetries were found after the end")
	}
}
