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
)

// discovered reads a table and searches it for laws until the search ends.
func discovered(t *testing.T, table *dataset.Table, o Options) *Result {
	t.Helper()
	tr, _, err := Read(table, o)
	if err != nil {
		t.Fatal(err)
	}
	res, err := Discover(t.Context(), tr, Settings{Time: -1})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// noEngine replaces the engine by one that finds no law, until the test ends.
func noEngine(t *testing.T) {
	old := engine
	engine = func(context.Context, *dataset.Table, discover.Settings) (*discover.Result, error) {
		return &discover.Result{}, nil
	}
	t.Cleanup(func() { engine = old })
}

// thrown returns two flights of a ball thrown upwards with drag. Each has n rows over three
// seconds, with errors of 1 % of the RMS height.
func thrown(n int, seed uint64) *dataset.Table {
	f := NewField([]expr.Tree{expr.X(1), mustParse("-9.81 - 0.1*v*abs(v)", "y", "v")}, 0, false)
	rng := rand.New(rand.NewPCG(3, seed))
	table := &dataset.Table{Name: "ball.csv", Vars: []dataset.Column{{Name: "run"}, {Name: "t"}}, Target: dataset.Column{Name: "y"}}
	at := times(n, 3/float64(n), 0, rng)
	for run, v := range []float64{20, 12} {
		for i, y := range Simulate(f, []float64{0, v}, at, nil)[0] {
			table.Vars[0].Values = append(table.Vars[0].Values, float64(run))
			table.Vars[1].Values = append(table.Vars[1].Values, at[i])
			table.Target.Values = append(table.Target.Values, y)
		}
	}
	size := math.Sqrt(dot(table.Target.Values, table.Target.Values) / float64(2*n))
	for i := range table.Target.Values {
		table.Target.Values[i] += 0.01 * size * rng.NormFloat64()
	}
	return table
}

func mustParse(s string, vars ...string) expr.Tree {
	t, err := expr.Parse(s, vars)
	if err != nil {
		panic(err)
	}
	return t
}

// Gravity and quadratic drag are found in all rows, in every fifth and every tenth row, and without
// the last third. This holds for two samples of random errors. More rows give smaller standard
// errors of the constants.
func TestThinning(t *testing.T) {
	noEngine(t)
	const n = 300
	for seed := range uint64(2) {
		whole := thrown(n, seed)
		every := func(keep func(i int) bool) *dataset.Table {
			var rows []int
			for i := range whole.Rows() {
				if keep(i % n) {
					rows = append(rows, i)
				}
			}
			return whole.Subset(rows)
		}
		all := 0.0
		for _, c := range []struct {
			name  string
			table *dataset.Table
		}{
			{"all rows", whole},
			{"two thirds", every(func(i int) bool { return i < 2*n/3 })},
			{"every fifth", every(func(i int) bool { return i%5 == 0 })},
			{"every tenth", every(func(i int) bool { return i%10 == 0 })},
		} {
			e := dragFound(t, fmt.Sprintf("seed %d, %s", seed, c.name), c.table)
			if all == 0 {
				all = e
			}
			if e < all {
				t.Errorf("seed %d, %s: gravity ± %g, all rows ± %g", seed, c.name, e, all)
			}
		}
	}
}

// dragFound checks that gravity and quadratic drag are found in a table, and returns the standard
// error of gravity.
func dragFound(t *testing.T, name string, table *dataset.Table) (stderr float64) {
	t.Helper()
	res := discovered(t, table, Options{Group: "run", Order: 2})
	e := res.Equations[0]
	text := e.Law.Tree.Infix(e.Law.Vars)
	if !strings.Contains(text, "abs(dy_dt)") || len(e.Law.Constants) != 2 || !res.Whole {
		t.Errorf("%s: %s", name, text)
		return 0
	}
	for _, k := range e.Law.Constants {
		want := -9.81
		if math.Abs(k.Value) < 1 {
			want = -0.1
		} else {
			stderr = k.StdErr
		}
		if math.Abs(k.Value-want) > 4*k.StdErr {
			t.Errorf("%s: %s = %g ± %g, want %g", name, k.Name, k.Value, k.StdErr, want)
		}
	}
	if e.Probability < 0.4 || e.Verdict == "" {
		t.Errorf("%s: %q, %g", name, e.Verdict, e.Probability)
	}
	return stderr
}

// A law of motion found in noise has a low probability, or no law is found.
func TestNoiseHasNoLaw(t *testing.T) {
	noEngine(t)
	rng := rand.New(rand.NewPCG(5, 6))
	table := &dataset.Table{Name: "noise.csv", Vars: []dataset.Column{{Name: "t"}}, Target: dataset.Column{Name: "x"}}
	for i := range 150 {
		table.Vars[0].Values = append(table.Vars[0].Values, float64(i))
		table.Target.Values = append(table.Target.Values, rng.NormFloat64())
	}
	res := discovered(t, table, Options{})
	if e := res.Equations[0]; e.Law.Tree.Len() > 0 && e.Probability > 0.9 {
		t.Errorf("%s: %s", e.Law.Tree.Infix(e.Law.Vars), e.Verdict)
	}
}

// A voltage that is switched on and off drives a circuit. As an input, it gets no law.
func TestInput(t *testing.T) {
	noEngine(t)
	rng := rand.New(rand.NewPCG(7, 8))
	table := &dataset.Table{Name: "rc.csv", Vars: []dataset.Column{{Name: "t"}, {Name: "U"}}, Target: dataset.Column{Name: "q"}}
	q := 0.2
	for i := range 240 {
		u := 1.0
		if i/30%2 == 1 {
			u = -0.5
		}
		for k, v := range []float64{0.05 * float64(i), u} {
			table.Vars[k].Values = append(table.Vars[k].Values, v)
		}
		table.Target.Values = append(table.Target.Values, q+0.005*rng.NormFloat64())
		q = u/0.8 + (q-u/0.8)*math.Exp(-0.8*0.05)
	}
	tr, _, err := Read(table, Options{Inputs: []string{"U"}})
	if err != nil || len(tr.States) != 2 || tr.Inputs != 1 || tr.States[1].Name != "U" {
		t.Fatalf("%+v, %v", tr, err)
	}
	t.Run("time", func(t *testing.T) { inputsHaveNoTime(t, tr) })
	res, err := Discover(t.Context(), tr, Settings{Time: -1})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Equations) != 1 {
		t.Fatalf("%d equations", len(res.Equations))
	}
	e := res.Equations[0]
	p := e.Law.Params()
	rate := expr.Compile(e.Law.Tree)
	y := make([]float64, 2)
	rate.Eval(y, [][]float64{{0.3, -0.2}, {1, -0.5}}, p)
	if math.Abs(y[0]-0.76) > 0.05 || math.Abs(y[1]+0.34) > 0.05 {
		t.Errorf("%s: rates %.3f, want 0.76 and -0.34", e.Law.Tree.Infix(e.Law.Vars), y)
	}
	if _, _, err := Read(table, Options{Inputs: []string{"V"}}); err == nil || !strings.Contains(err.Error(), `no input column "V"`) {
		t.Errorf("error %v", err)
	}
}

// inputsHaveNoTime checks that the default time for tr, which has one equation, is one minute.
// Inputs do not add to it.
func inputsHaveNoTime(t *testing.T, tr *Trajectories) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	noEngine(t)
	began, asked := time.Now(), false
	engine = func(ctx context.Context, _ *dataset.Table, _ discover.Settings) (*discover.Result, error) {
		asked = true
		if end, ok := ctx.Deadline(); !ok || end.Sub(began) > time.Minute {
			t.Errorf("the time of one equation is %v, want a minute at most", end.Sub(began))
		}
		cancel()
		return &discover.Result{}, nil
	}
	if _, err := Discover(ctx, tr, Settings{}); err != nil {
		t.Fatal(err)
	}
	if !asked {
		t.Error("the derivative was not searched")
	}
}

// The linearized system shows which term a fitted law lacks.
func TestLacking(t *testing.T) {
	tr, _, err := Read(thrown(120, 4), Options{Group: "run", Order: 2})
	if err != nil {
		t.Fatal(err)
	}
	d := tr.data(context.Background(), nil)
	sr := &searcher{tr: tr, d: d, names: []string{"y", "dy_dt"}}
	wins := d.windowsOf(120)
	linearized := func(law expr.Tree) *tangent {
		t.Helper()
		trees := []expr.Tree{law}
		shot := d.shoot(sr.field(trees), wins, 1e-7, 10, nil, nil)
		sr.shot = shot
		trees[0] = law.WithStarts(shot.Params)
		g := sr.newTangent(t.Context(), sr.field(trees), shot, wins)
		if g == nil {
			t.Fatal("no tangent")
		}
		return g
	}
	g := linearized(expr.C(0, -9))
	found := g.lacking(t.Context(), 0, sr.termsFor(0))
	if len(found) == 0 || found[0].bits < 20 {
		t.Fatalf("%+v", found)
	}
	place := -1
	for i, a := range found {
		if a.term.Infix(sr.names) == "dy_dt*abs(dy_dt)" {
			place = i
		}
	}
	if place < 0 || place > 12 || math.Abs(found[place].coef+0.1) > 0.06 {
		t.Errorf("quadratic drag is number %d of what is lacking: %v", place, fmt.Sprint(found[:min(5, len(found))]))
	}
	if o := sr.missingObjections(t.Context(), 0, evidence{g: g, known: []float64{0}}); len(o) != 1 || !strings.Contains(o[0].why, "a further term such as") {
		t.Errorf("objections %v to a law without drag", o)
	}
	whole := mustParse("c0 + c1*v*abs(v)", "y", "v").WithStarts([]float64{-9, -0.1})
	if o := sr.missingObjections(t.Context(), 0, evidence{g: linearized(whole), known: []float64{0}}); len(o) != 0 {
		t.Errorf("objections %v to the true law", o)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if o := sr.missingObjections(ended, 0, evidence{g: g, known: []float64{0}}); len(o) != 1 || !strings.Contains(o[0].why, "no time was left") {
		t.Errorf("objections %v when no time is left for tests", o)
	}
}
