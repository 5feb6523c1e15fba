package motion

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// growths returns runs of logistic growth at the rate 0.8 to the given limits, with errors of
// noise.
func growths(t *testing.T, noise float64, limits ...float64) *Trajectories {
	rng := rand.New(rand.NewPCG(5, 6))
	table := &dataset.Table{Name: "growth.csv", Vars: []dataset.Column{{Name: "dish"}, {Name: "t"}}, Target: dataset.Column{Name: "x"}}
	for g, limit := range limits {
		f := NewField([]expr.Tree{parse(t, fmt.Sprintf("0.8*x*(1-x/%g)", limit), "x")}, 0, false)
		at := times(60, 0.2, 0, rng)
		x := Simulate(f, []float64{0.5 + float64(g)/2}, at, nil)[0]
		for i := range at {
			table.Vars[0].Values = append(table.Vars[0].Values, float64(10*g))
			table.Vars[1].Values = append(table.Vars[1].Values, at[i])
			table.Target.Values = append(table.Target.Values, x[i]+noise*rng.NormFloat64())
		}
	}
	tr, _, err := Read(table, Options{Group: "dish"})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// The limits of growth differ between the runs, and the rate does not.
func TestSeparate(t *testing.T) {
	noEngine(t)
	for _, noise := range []float64{0, 0.05} {
		tr := growths(t, noise, 5, 10, 20)
		res, err := Discover(t.Context(), tr, Settings{Time: -1, Separate: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Separate) != 1 {
			t.Fatalf("noise %g: separate constants %v", noise, res.Separate)
		}
		c := res.Separate[0]
		if c.Name != "k_dish" || !slices.Equal(c.Groups, []string{"0", "10", "20"}) {
			t.Errorf("noise %g: constant %s of the groups %q", noise, c.Name, c.Groups)
		}
		for g, limit := range []float64{5, 10, 20} {
			off := math.Abs(c.Values[g] - 0.8/limit)
			if off > 4*c.StdErr[g]+1e-6 || c.StdErr[g] > 0.05*c.Values[g] {
				t.Errorf("noise %g: %g ± %g, want %g", noise, c.Values[g], c.StdErr[g], 0.8/limit)
			}
		}
		l := res.Equations[0].Law
		y := valuesOn(l.Tree, [][]float64{{3}, {0.1}}, l.Params())
		if math.Abs(y[0]-1.5) > 0.05 {
			t.Errorf("noise %g: dx/dt = %s", noise, l.Tree.Infix(l.Vars))
		}
	}
}

// If the search for separate constants is interrupted, the laws with shared ones are returned.
func TestInterruptedSeparate(t *testing.T) {
	noEngine(t)
	none := engine
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	engine = func(ctx context.Context, table *dataset.Table, s discover.Settings) (*discover.Result, error) {
		if slices.ContainsFunc(table.Vars, called("k_dish")) {
			cancel()
		}
		return none(ctx, table, s)
	}
	res, err := Discover(ctx, growths(t, 0.05, 5, 10, 20), Settings{Time: -1, Separate: true})
	if err != nil || res.Stopped != discover.StopInterrupted || res.Separate != nil || len(res.Equations) != 1 {
		t.Errorf("%+v, %v", res, err)
	}
}

// Runs with the same constants have no separate ones.
func TestShared(t *testing.T) {
	for _, noise := range []float64{0, 0.05} {
		if own, _ := growths(t, noise, 10, 10, 10).separate(t.Context(), Settings{}); own != nil {
			t.Errorf("noise %g: %v", noise, own)
		}
	}
}

// A further constant of a law is dropped if the separate values can replace it.
func TestSeparateFit(t *testing.T) {
	tr := growths(t, 0.02, 5, 10)
	own := []Separate{{Name: "k_dish", Groups: []string{"0", "10"}, Values: []float64{-0.3, -0.1}}}
	with := tr.withSeparate(own)
	sr := &searcher{tr: with}
	sr.prepare(t.Context())
	l := parse(t, "c0*x + x**2*(c1*k + c2)", "x", "k").WithStarts([]float64{0.8, 0.5, 0.01})
	res := &Result{Window: 59, Equations: []Equation{{Law: sr.law(0, l, l.Params(), make([]float64, 3))}}}
	if !with.fitSeparate(t.Context(), Settings{}, own, res) {
		t.Fatal("no fit")
	}
	for g, want := range []float64{0.16, 0.08} {
		if math.Abs(own[0].Values[g]-want) > 0.003 || !(own[0].StdErr[g] < 0.003) {
			t.Errorf("%g ± %g, want %g", own[0].Values[g], own[0].StdErr[g], want)
		}
	}
}

// A common factor that is far from 1 is dropped, too.
func TestSeparateFactor(t *testing.T) {
	tr := growths(t, 0.02, 5, 10)
	own := []Separate{{Name: "k_dish", Groups: []string{"0", "10"}, Values: []float64{160, 80}}}
	with := tr.withSeparate(own)
	sr := &searcher{tr: with}
	sr.prepare(t.Context())
	l := parse(t, "c0*x - c1*x**2*k", "x", "k").WithStarts([]float64{0.8, 0.001})
	res := &Result{Window: 59, Equations: []Equation{{Law: sr.law(0, l, l.Params(), make([]float64, 2))}}}
	if !with.fitSeparate(t.Context(), Settings{}, own, res) || math.Abs(own[0].Values[0]-0.16) > 0.003 || !(own[0].StdErr[0] < 0.003) {
		t.Errorf("%+v, want 0.16 and 0.08", own)
	}
}

// If the groups of runs are named by text, Condensed keeps the names when it averages rows.
func TestGroupLabels(t *testing.T) {
	table := &dataset.Table{Name: "a.csv", Vars: []dataset.Column{{Name: "t"}}, Target: dataset.Column{Name: "x"}}
	text := dataset.Category{Name: "run", Levels: []string{"b", "a"}}
	for i := range 3 * mostRows {
		at := i % (3 * mostRows / 2)
		text.Codes = append(text.Codes, i/(3*mostRows/2))
		table.Vars[0].Values = append(table.Vars[0].Values, float64(at))
		table.Target.Values = append(table.Target.Values, math.Sin(float64(at)/1000))
	}
	table.Categories = []dataset.Category{text}
	tr, _, err := Read(table, Options{Group: "run"})
	if err != nil {
		t.Fatal(err)
	}
	tr, _, _ = tr.Condensed()
	labels, of := tr.groups()
	if strings.Join(labels, " ") != "b a" || of[0] != 0 || of[len(of)-1] != 1 {
		t.Errorf("labels %q of runs %v", labels, of)
	}
}

// A function of a separate constant alone is replaced by the constant itself.
func TestSeparateFunction(t *testing.T) {
	tr := growths(t, 0.02, 5, 10)
	for _, text := range []string{
		"c0*x + c1*x**2*k**1.1*exp(-0.01/k)",
		"c0*x + c1*x**2*sqrt(k)/(1 - k)**3",
	} {
		own := []Separate{{Name: "k_dish", Groups: []string{"0", "10"}, Values: []float64{0.15, 0.09}}}
		with := tr.withSeparate(own)
		sr := &searcher{tr: with}
		sr.prepare(t.Context())
		l := parse(t, text, "x", "k").WithStarts([]float64{0.8, -0.4})
		res := &Result{Window: 59, Equations: []Equation{{Law: sr.law(0, l, l.Params(), make([]float64, 2))}}}
		if !with.fitSeparate(t.Context(), Settings{}, own, res) {
			t.Fatal("no fit")
		}
		want := parse(t, "c0*x + c1*x**2*k", "x", "k").AbsorbParams()
		if got := res.Equations[0].Law; got.Tree.Hash() != want.Hash() {
			t.Errorf("%s became %s", text, got.Infix())
		}
		for g, want := range []float64{0.16, 0.08} {
			if math.Abs(own[0].Values[g]-want) > 0.003 {
				t.Errorf("%s: %g ± %g, want %g", text, own[0].Values[g], own[0].StdErr[g], want)
			}
		}
	}
}

// The sums that show which constants are separate are candidates from the beginning.
func TestSeparateSums(t *testing.T) {
	own, laws := growths(t, 0.05, 5, 10, 20).separate(t.Context(), Settings{})
	if len(own) != 1 || len(laws) != 1 || len(laws[0]) != 1 {
		t.Fatalf("%v, %v", own, laws)
	}
	want := parse(t, "c0*x + c1*x**2*k", "x", "k").AbsorbParams()
	if got := laws[0][0]; got.Tree.AbsorbParams().Hash() != want.Hash() {
		t.Errorf("%s", got.Infix())
	}
}

// If laws with the same constants in all runs explain the data, the time that was kept for separate
// constants is used as well.
func TestSharedTime(t *testing.T) {
	old := engine
	t.Cleanup(func() { engine = old })
	rates := map[string]string{"du_dt": "3.6/(c0 + v**2) - u", "dv_dt": "4.4/(c0 + u**3) - v"}
	engine = func(ctx context.Context, table *dataset.Table, s discover.Settings) (*discover.Result, error) {
		<-ctx.Done()
		tree := parse(t, rates[table.Target.Name], "u", "v").WithStarts([]float64{1})
		return &discover.Result{Best: law.Law{Tree: tree, Vars: []string{"u", "v"}, Constants: law.NewConstants(tree.Params(), nil)}}, nil
	}
	rng := rand.New(rand.NewPCG(5, 6))
	table := path([]string{"u", "v"}, []string{"3.6/(1 + v**2) - u", "4.4/(1 + u**3) - v"},
		[][]float64{{0.1, 0.2}, {3, 0.1}, {0.2, 4}, {2.5, 3}, {5, 5.5}}, times(80, 0.1, 0, rng))
	for i := range table.Target.Values {
		table.Vars[2].Values[i] += 0.01 * rng.NormFloat64()
		table.Target.Values[i] += 0.01 * rng.NormFloat64()
	}
	tr, _, err := Read(table, Options{Group: "run"})
	if err != nil {
		t.Fatal(err)
	}
	if own, _ := tr.separate(t.Context(), Settings{}); len(own) == 0 {
		t.Fatal("no separate constants are sought")
	}
	res, err := Discover(t.Context(), tr, Settings{Time: 2 * time.Second, Separate: true})
	if err != nil || len(res.Separate) > 0 || !tr.explained(res) || res.Elapsed < time.Second {
		t.Errorf("separate constants %v, explained %v, stopped after %v", res.Separate, tr.explained(res), res.Elapsed)
	}
}
