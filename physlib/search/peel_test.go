package search

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

func TestPeel(t *testing.T) {
	for _, test := range []struct {
		name, law, columns string
		noise              float64
		factor             string // "": nothing separates
	}{
		{"one factor", "a**2*(b + sin(c))", "a:1:3 b:1:4 c:0:3", 0, "a**2"},
		{"two factors", "a**2/sqrt(d)*(b + sin(c))", "a:1:3 b:1:4 c:0:3 d:1:5", 0, "a**2/sqrt(d)"},
		{"with units", "m*g*(h + v**2/g/2)", "m:1:3:kg g:1:10:m/s^2 h:1:5:m v:1:5:m/s", 0, "m"},
		{"negative target", "-3/a*(b + c**2)", "a:1:3 b:1:4 c:0:3", 0, "1/a"},
		{"with noise", "a**2*(b + sin(c))", "a:1:3 b:1:4 c:0:3", 0.01, "a**2"},
		// nothing separates, or nothing else is left
		{"a sum", "a + b*c", "a:1:3 b:1:4 c:1:3", 0, ""},
		{"a product", "a*b**2/c", "a:1:3 b:1:4 c:1:3", 0, ""},
		{"both signs", "a*(b - c)", "a:1:3 b:1:4 c:1:3", 0, ""},
		{"a column of both signs", "a**2*(b + 5)", "a:-1:3 b:1:4", 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := sampled(t, test.law, test.columns, 600)
			if test.noise > 0 {
				disturb(p, test.noise)
			}
			r, ok := peel(p, nil)
			if ok != (test.factor != "") {
				t.Fatalf("separates %v: %s", ok, r.factor)
			}
			if !ok {
				return
			}
			var names []string
			for _, v := range p.Vars {
				names = append(names, v.Name)
			}
			if want, err := expr.Parse(test.factor, names); err != nil || !expr.Equal(r.factor, want) {
				t.Fatalf("the factor is %s, want %s", r.factor.Infix(names), test.factor)
			}
			v := make([]float64, len(p.Target.Values))
			expr.Compile(r.factor).Eval(v, p.Cols(), nil)
			for i, y := range p.Target.Values {
				if back := r.p.Target.Values[i] * v[i]; math.Abs(back-y) > 1e-12*math.Abs(y) {
					t.Fatalf("row %d: factor and rest make %g of %g", i, back, y)
				}
			}
			for i := range p.Vars {
				if r.drop[i] != uses(r.factor, i) {
					t.Errorf("column %s: dropped %v", names[i], r.drop[i])
				}
			}
		})
	}
}

func TestPeelNeedsRows(t *testing.T) {
	if _, ok := peel(sampled(t, "a**2*(b + 5)", "a:1:3 b:1:4", 20), nil); ok {
		t.Error("twenty rows suffice")
	}
}

// The dimension of the rest is that of the target without the factor's.
func TestPeelKeepsUnits(t *testing.T) {
	p := sampled(t, "m*g*(h + v**2/g/2)", "m:1:3:kg g:1:10:m/s^2 h:1:5:m v:1:5:m/s", 600)
	r, ok := peel(p, nil)
	if !ok {
		t.Fatal("nothing separates")
	}
	if want := dims(t, "m^2/s^2")[0]; r.p.Target.Dim != want {
		t.Errorf("the rest is in %s, want %s", r.p.Target.Dim, want)
	}
	if want := dims(t, "J")[0]; p.Target.Dim != want {
		t.Errorf("the problem's own target is now in %s", p.Target.Dim)
	}
}
