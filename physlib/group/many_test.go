package group_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/group"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/require"
)

// decays returns a table of y = (1 + g)·x·exp(-0.4·z), where g is the index of the group. Each
// group has the given number of rows.
func decays(groups, rows int) (group.Groups, *dataset.Table) {
	t := &dataset.Table{Name: "decays", Vars: []dataset.Column{{Name: "x"}, {Name: "z"}}, Target: dataset.Column{Name: "y"}}
	g := group.Groups{Column: "run"}
	for k := range groups {
		g.Names = append(g.Names, fmt.Sprint("run ", k))
		for i := range rows {
			x, z := 1+math.Mod(0.7*float64(i*i+k), 3), math.Mod(1.3*float64(i+2*k), 2.5)
			t.Vars[0].Values, t.Vars[1].Values = append(t.Vars[0].Values, x), append(t.Vars[1].Values, z)
			t.Target.Values = append(t.Target.Values, float64(1+k)*x*math.Exp(-0.4*z)+0.01*math.Sin(float64(7*i*i+k)))
			g.Of = append(g.Of, k)
		}
	}
	return g, t
}

// only returns settings with which just the given formulas over x and z are compared, without a
// search.
func only(t *testing.T, s discover.Settings, formulas ...string) group.Settings {
	t.Helper()
	set := group.Settings{Search: s, Only: true}
	for _, text := range formulas {
		l, err := law.Parse(text, []string{"x", "z"})
		if err != nil {
			t.Fatal(err)
		}
		l.Complexity = 10
		set.Forms = append(set.Forms, l)
	}
	return set
}

// If there are many groups, only some are compared, but all get a law. The laws have the true
// constants. The shared constant is that of the groups that were compared.
func TestManyGroups(t *testing.T) {
	g, table := decays(70, 12)
	r, err := group.Discover(t.Context(), table, g, only(t, discover.Settings{Time: -1}, "y = a*x*exp(b*z)"))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Best.Groups) != 70 || fmt.Sprint(r.Best.Shared) != "[false true]" {
		t.Fatalf("%d laws, shared %v: %s", len(r.Best.Groups), r.Best.Shared, r.Verdict)
	}
	for k, l := range r.Best.Groups {
		a, b := l.Constants[0], l.Constants[1]
		if math.Abs(a.Value-float64(1+k)) > 0.02*float64(1+k) || math.Abs(b.Value+0.4) > 0.01 || !(a.StdErr > 0) || len(l.Cov) != 4 {
			t.Errorf("group %d: %v ± %v, %v ± %v, covariance %v", k, a.Value, a.StdErr, b.Value, b.StdErr, l.Cov)
		}
	}
	if r.R2 < 0.9999 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "of 70 groups, 24 were compared") {
		t.Errorf("R² %g, %q", r.R2, r.Warnings)
	}
}

// If a run is interrupted before its forms are compared, it still returns a law. It does not call
// this law the only one that fits.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, groups := range []int{3, 70} {
		g, table := decays(groups, 300)
		r, err := group.Discover(ctx, table, g, only(t, discover.Settings{}, "y = a*x*exp(b*z)"))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Best.Groups) != groups || r.Stopped != discover.StopInterrupted || strings.Contains(r.Verdict, "the only form") {
			t.Errorf("%d laws, stopped by %s: %s", len(r.Best.Groups), r.Stopped, r.Verdict)
		}
		if len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0], "the run ended before a law was fitted to all") {
			t.Errorf("warnings: %q", r.Warnings)
		}
	}
}

// If a run is interrupted before its forms are compared, it still decides which constants are
// shared.
func TestSharedWhenInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g, table := decays(3, 20)
	r, err := group.Discover(ctx, table, g, only(t, discover.Settings{}, "y = a*x*exp(b*z)"))
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(r.Best.Shared) != "[false true]" || len(r.Switch) != 2 || !(r.Switch[0] > 0 && r.Switch[1] > 0) {
		t.Errorf("shared %v, bits of the alternatives %v", r.Best.Shared, r.Switch)
	}
}

// The errors in the settings are also used for the laws of groups.
func TestErrorsOfSettings(t *testing.T) {
	g, table := decays(3, 20)
	for _, c := range []struct {
		set   discover.Settings
		want  string
		noise float64
	}{
		{discover.Settings{Noise: discover.Noise{Known: true, Sigma: 0.25}}, law.GivenErrors, 0.25},
		{discover.Settings{Errors: discover.ProportionalErrors}, law.ProportionalErrors, 0},
		{discover.Settings{Errors: discover.EqualErrors}, law.EqualErrors, 0},
	} {
		c.set.Time = -1
		r, err := group.Discover(t.Context(), table, g, only(t, c.set, "y = a*x*exp(b*z)"))
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Best.Form; got.Errors != c.want || c.noise > 0 && math.Abs(got.Noise-c.noise) > 1e-12 {
			t.Errorf("errors %s of size %g, want %s of %g", got.Errors, got.Noise, c.want, c.noise)
		}
	}
}

// Requirements on the law also apply to the laws of groups.
func TestRequired(t *testing.T) {
	g, table := decays(3, 20)
	falling, err := require.Parse("decreasing in x", "y", []string{"x", "z"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, set := range map[string]discover.Settings{
		"complexity": {MaxComplexity: 5},
		"operators":  {Ops: []string{"+", "*"}},
		"functions":  {Shape: require.Shape{No: []expr.Op{expr.Exp}}},
		"columns":    {Shape: require.Shape{Without: []int{1}}},
		"statements": {Statements: require.Statements{falling}},
	} {
		set.Time = -1
		r, err := group.Discover(t.Context(), table, g, only(t, set, "y = a*x*exp(b*z)"))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Best.Groups) > 0 {
			t.Errorf("%s: %v", name, r.Best.Form)
		}
	}
}
