package motion

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
)

// A pole near the trajectories costs bits. An angle that also occurs outside of sines and cosines
// costs bits as well.
func TestOddities(t *testing.T) {
	sr := &searcher{names: []string{"x", "y"}, d: &data{order: 1, sigma: make([]float64, 2)}}
	sr.once.Do(func() { sr.sample = [][]float64{{-2, 0, 1, 3}, {0.5, 1, 2, 1}} })
	for text, want := range map[string]float64{
		"2*x - y":              0,
		"1/(x - 10)":           0, // the pole is far away
		"1/(x - 5)":            poleBits,
		"3/x":                  0, // no constant sets the position of the pole
		"x/(1 + y)":            0, // y is never negative
		"x*(y - 4)**(-2)":      0, // a square is never negative
		"x/(y - 3)":            poleBits,
		"sin(x) - y":           0,
		"sin(x)*x":             angleBits,
		"cos(x - y)*y":         angleBits,
		"x**2 + 1/(2 + x**2)":  0,
		"y*sin(y)/(x**2 - 20)": poleBits + angleBits,
	} {
		if got := sr.oddities([]expr.Tree{parse(t, text, "x", "y")}, nil); got != want {
			t.Errorf("%s: %g bits, want %g", text, got, want)
		}
	}
	if got := sr.oddities([]expr.Tree{parse(t, "sin(y)", "x", "y"), parse(t, "x*y", "x", "y")}, nil); got != angleBits {
		t.Errorf("an angle in one law and none in the other: %g bits", got)
	}
}

// An exponential without a scale costs more than the bits of its nodes, and a squared norm costs
// less.
func TestComplexity(t *testing.T) {
	sr := &searcher{names: []string{"x", "y", "u", "v"}, d: &data{order: 2, sigma: make([]float64, 2)}}
	space := &searcher{names: []string{"x", "y", "z", "u", "v", "w"}, d: &data{order: 2, sigma: make([]float64, 3)}}
	for text, want := range map[string]float64{
		"sin(x)":                0,
		"exp(x)":                unityBits,
		"tanh(c0*x)":            0,
		"u*sqrt(u**2 + v**2)":   -normBits - rootBits,
		"u*(u**2 + v**2)":       -normBits,
		"u*abs(u) - x*abs(y)":   -rootBits,
		"x/sqrt(x**2 + y**2)":   -normBits - rootBits,
		"x/sqrt(x**2 + v**2)":   0,
		"x/(x**2 + y**2)**1.5":  -normBits - rootBits,
		"x*(c0*x**2 + c1*y**2)": 0,
	} {
		tree := parse(t, text, sr.names...)
		if got := sr.complexity(tree) - law.Complexity(tree, 4); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %g bits, want %g", text, got, want)
		}
	}
	tree := parse(t, "u*sqrt(u**2 + v**2 + w**2)", space.names...)
	if got, want := space.complexity(tree)-law.Complexity(tree, 6), -2.0*normBits-rootBits; math.Abs(got-want) > 1e-9 {
		t.Errorf("three components: %g bits, want %g", got, want)
	}
}

// A projectile filmed with errors of 1 % falls with gravity and a drag v·|v|. Each law by itself
// has a shorter description with another drag.
func TestDragOfTwoComponents(t *testing.T) {
	if testing.Short() {
		t.Skip("searches")
	}
	const drag = 0.05
	rng := rand.New(rand.NewPCG(3, 5))
	table := &dataset.Table{Name: "throw.csv", Vars: []dataset.Column{{Name: "run"}, {Name: "t"}, {Name: "x"}}, Target: dataset.Column{Name: "y"}}
	names := []string{"x", "y", "u", "v"}
	rates := []expr.Tree{expr.X(2), expr.X(3), parse(t, "-0.05*u*sqrt(u**2 + v**2)", names...), parse(t, "-9.81 - 0.05*v*sqrt(u**2 + v**2)", names...)}
	times := make([]float64, 100)
	for i := range times {
		times[i] = float64(i) / 50
	}
	for run, start := range [][]float64{{0, 0, 12, 14}, {0, 0, 18, 9}} {
		x := Simulate(NewField(rates, 0, false), start, times, nil)
		for i, at := range times {
			for c, v := range []float64{float64(run + 1), at, x[0][i] + 0.1*rng.NormFloat64()} {
				table.Vars[c].Values = append(table.Vars[c].Values, v)
			}
			table.Target.Values = append(table.Target.Values, x[1][i]+0.03*rng.NormFloat64())
		}
	}
	tr, _, err := Read(table, Options{Order: 2})
	if err != nil {
		t.Fatal(err)
	}
	found, err := Discover(context.Background(), tr, Settings{Time: -1})
	if err != nil {
		t.Fatal(err)
	}
	for k, e := range found.Equations {
		cols := [][]float64{{1, 5}, {2, 4}, {11, 14}, {12, -3}}
		rate := make([]float64, 2)
		l, err := e.Law.Over([]string{"x", "y", "dx_dt", "dy_dt"})
		if err != nil {
			t.Fatal(err)
		}
		expr.Compile(l.Tree).Eval(rate, cols, l.Params())
		for i := range rate {
			speed := math.Hypot(cols[2][i], cols[3][i])
			want := -drag*cols[2+k][i]*speed - 9.81*float64(k)
			if math.Abs(rate[i]-want) > 0.3 {
				t.Errorf("%s: rate %g, want %g, by %s", e.State, rate[i], want, e.Law.Tree.Infix(e.Law.Vars))
			}
		}
	}
}

// The sine and cosine of an angle in degrees contain the conversion factor to radians.
func TestInDegrees(t *testing.T) {
	degree, _ := unit.Parse("degrees")
	sr := &searcher{tr: &Trajectories{States: []dataset.Column{
		{Name: "x"}, {Name: "angle", Unit: degree, HasUnit: true}, {Name: "phi_deg"},
	}}}
	want := []string{"sin(c0*angle)", "cos(c0*angle)", "sin(c0*phi_deg)", "cos(c0*phi_deg)"}
	var got []string
	for _, a := range sr.inDegrees() {
		got = append(got, a.Infix([]string{"x", "angle", "phi_deg"}))
		if p := a.Params(); len(p) != 1 || p[0] != math.Pi/180 {
			t.Errorf("%s has the constants %v", got[len(got)-1], p)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
