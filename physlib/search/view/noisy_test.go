package view

import (
	"context"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/searchtest"
)

func TestNoisyReduce(t *testing.T) {
	for _, test := range []struct {
		name, law, columns string
		factor             string
		rest               []string
	}{
		{"a factor", "a**2*(b + sin(c))", "a:1:3 b:1:4 c:0:3", "a**2", []string{"b", "c"}},
		{"a group", "a*exp(-b/(c*d))", "a:1:3 b:1:4 c:1:3 d:1:2", "a", []string{"c/b*d"}},
		{"three that scale", "a*b/(c + b + b**2/d)", "a:1:3 b:1:5 c:0.5:2 d:3:9", "a", []string{"(d/b)**-1 + c/b"}},
		{"an idle column", "sin(b) + c + c**2", "a:1:3 b:1:4 c:1:3", "1", []string{"b", "c"}},
		{"a difference", "sqrt(1 + (a - b)**2) + sin(c)", "a:1:3 b:4:6 c:0:3", "1", []string{"c", "b - a"}},
		{"none", "b + a + sin(3*b)*c + b*c**2", "a:1:3 b:1:4 c:1:3", "1", []string{"a", "b", "c"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := searchtest.Sampled(t, test.law, test.columns, 200)
			searchtest.Disturb(p, 0.01)
			var names []string
			for _, v := range p.Vars {
				names = append(names, v.Name)
			}
			r := NewNoisy(p, nil).Reduce(context.Background())
			if want, err := expr.Parse(test.factor, names); err != nil || !expr.Equal(r.factor, want) {
				t.Errorf("the factor is %s, want %s", r.factor.Infix(names), test.factor)
			}
			var left []string
			for i := range r.Problem.Vars {
				if r.Drop[i] {
					continue
				}
				left = append(left, r.written(i).Infix(names))
				checkWritten(t, r, i, p)
			}
			if !slices.Equal(left, test.rest) {
				t.Errorf("%q is left, want %q", left, test.rest)
			}
		})
	}
}

func TestHasErrors(t *testing.T) {
	for _, test := range []struct {
		rows          int
		noise         float64
		errors, known bool
	}{{200, 0, false, true}, {200, 0.01, true, true}, {40, 0.01, false, false}} {
		p := searchtest.Sampled(t, "a*exp(-b/c)", "a:1:3 b:1:4 c:1:3", test.rows)
		if test.noise > 0 {
			searchtest.Disturb(p, test.noise)
		}
		law, err := expr.Parse("1.001*a*exp(-b/c)", []string{"a", "b", "c"})
		if err != nil {
			t.Fatal(err)
		}
		errors, known := NewNoisy(p, nil).HasErrors(context.Background(), []expr.Tree{law})
		if errors != test.errors || known != test.known {
			t.Errorf("%d rows, noise %v: errors %v, known %v", test.rows, test.noise, errors, known)
		}
	}
}

// A process may fail to describe an exact law. The residuals do not count as errors if they have
// heavy tails or a law explains them.
func TestHasNoErrors(t *testing.T) {
	for _, test := range []struct {
		name, law, columns string
		noise              float64
		known              bool // expected results errors and known if HasErrors gets no laws
	}{
		{"a pole", "a*e/((b - d)*c)", "a:1:3 b:4:9 c:1:3 d:1:3.9 e:1:3", 0, false},
		{"an oscillation", "sin(4*a*b)*c", "a:2:3 b:1:4 c:1:3", 0, true},
		{"errors", "a*exp(-b/c)", "a:1:3 b:1:4 c:1:3", 0.01, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := searchtest.Sampled(t, test.law, test.columns, 1000)
			searchtest.Disturb(p, test.noise)
			var names []string
			for _, v := range p.Vars {
				names = append(names, v.Name)
			}
			law, err := expr.Parse(test.law, names)
			if err != nil {
				t.Fatal(err)
			}
			n := NewNoisy(p, nil)
			if errors, known := n.HasErrors(context.Background(), nil); errors != test.known || known != test.known {
				t.Errorf("errors %v, known %v", errors, known)
			}
			if errors, _ := n.HasErrors(context.Background(), []expr.Tree{law}); errors != (test.noise > 0) {
				t.Errorf("with the law, errors %v", errors)
			}
		})
	}
}

func TestNoisyReduceStops(t *testing.T) {
	p := searchtest.Sampled(t, "a**2*(b + sin(c))", "a:1:3 b:1:4 c:0:3", 200)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if NewNoisy(p, nil).Reduce(ctx).Found {
		t.Error("symmetries were found after the end")
	}
	if NewNoisy(searchtest.Sampled(t, "a**2*(b + 5)", "a:1:3 b:1:4", fewestRows-1), nil).Reduce(context.Background()).Found {
		t.Error("symmetries were found in too few rows")
	}
}
