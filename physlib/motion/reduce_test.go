package motion

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// The zeros of a denominator between the data are divided out, and those at 0. Other denominators
// stay.
func TestReducedDenominators(t *testing.T) {
	cols := [][]float64{{0.1, 3, 8}, {-1, 0, 1}}
	for text, want := range map[string]string{
		"-0.1*x**3 + 0.35*x**2 + 0.75*x": "x + 1.5", // zeros at 5, 0 and -1.5
		"(x - 5)*(x - 2)*(x**2 + 3)":     "x**2 + 3",
		"(x - 9)*(x + 2)":                "",
		"x - 5":                          "",
		"x - 5*y":                        "",
		"sin(x)":                         "",
	} {
		got := reducedDenominators(parse(t, text, "x", "y"), cols)
		if len(got) == 0 || want == "" {
			if len(got) > 0 || want != "" {
				t.Errorf("%s: %d denominators, want %q", text, len(got), want)
			}
			continue
		}
		a, b := make([]float64, 3), make([]float64, 3)
		expr.Compile(got[0]).Eval(a, cols, got[0].Params())
		expr.Compile(parse(t, want, "x", "y")).Eval(b, cols, nil)
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-6 {
				t.Errorf("%s: %s, want %s", text, got[0].Infix([]string{"x", "y"}), want)
				break
			}
		}
	}
}

// path returns a table of the states of a system that starts at each of the given states.
func path(names []string, rates []string, starts [][]float64, at []float64) *dataset.Table {
	var trees []expr.Tree
	for _, r := range rates {
		trees = append(trees, mustParse(r, names...))
	}
	table := &dataset.Table{Name: "path.csv", Vars: []dataset.Column{{Name: "run"}, {Name: "t"}}}
	for _, n := range names {
		table.Vars = append(table.Vars, dataset.Column{Name: n})
	}
	for run, start := range starts {
		x := Simulate(NewField(trees, 0, false), start, at, nil)
		for i, t := range at {
			table.Vars[0].Values = append(table.Vars[0].Values, float64(run+1))
			table.Vars[1].Values = append(table.Vars[1].Values, t)
			for k := range names {
				v := &table.Vars[2+k].Values
				*v = append(*v, x[k][i])
			}
		}
	}
	last := len(table.Vars) - 1
	table.Target, table.Vars = table.Vars[last], table.Vars[:last]
	return table
}

// searcherOf returns a searcher of a table with the given laws as the chosen ones.
func searcherOf(t *testing.T, table *dataset.Table, laws ...expr.Tree) *searcher {
	tr, _, err := Read(table, Options{})
	if err != nil {
		t.Fatal(err)
	}
	sr := &searcher{tr: tr, s: Settings{Time: -1}}
	sr.prepare(t.Context())
	n := len(laws)
	sr.pools, sr.best = make([]pool, n), make([]*candidate, n)
	sr.solved, sr.summed, sr.stable, sr.undefined = make([]bool, n), make([]bool, n), make([]bool, n), make([]bool, n)
	for k, law := range laws {
		sr.pools[k].seen = map[uint64]*candidate{}
		sr.best[k] = sr.newCandidate(k, law, stepwiseName)
	}
	sr.windowLength = windowLength
	sr.wins = sr.d.windowsOf(sr.windowLength)
	sr.together(t.Context(), 0, nil)
	return sr
}

// A law with a factor (x - 3)/(x - 3.0001) is replaced by the law without it.
func TestReplaceCancellingFactors(t *testing.T) {
	table := path([]string{"x"}, []string{"-x/(x + 1)"}, [][]float64{{5}}, times(200, 0.03, 0, rand.New(rand.NewPCG(1, 1))))
	law := parse(t, "c0*x*(x - c1)/(x**2 - c2*x - c3)", "x").WithStarts([]float64{-1, 3, 2.0001, 3.0001})
	sr := searcherOf(t, table, law)
	sr.replaceCancelling(t.Context())
	if got := sr.best[0].tree; got.NumParams() > 2 || sr.shot.misfit(sr.d, 0) > 1e-6 {
		t.Errorf("%s with an error of %g", got.Infix(sr.names), sr.shot.misfit(sr.d, 0))
	}
}

// Saturation is found if a run starts at 0, where an uncancelled fraction has no value.
func TestSaturationFromZero(t *testing.T) {
	noEngine(t)
	table := path([]string{"g", "c"}, []string{"-1.1*g", "0.0275*g - 1.8*c/(3 + c)"}, [][]float64{{300, 0}, {600, 0}}, times(120, 0.2, 0, rand.New(rand.NewPCG(1, 1))))
	for k := range table.Vars {
		for i, v := range table.Vars[k].Values { // rounded as in a table
			table.Vars[k].Values[i] = math.Round(v*1e6) / 1e6
		}
	}
	res := discovered(t, table, Options{})
	e := res.Equations[1]
	if e.Law.Tree.Len() == 0 || e.Law.Tree.NumParams() > 3 || e.Error > 1e-6 {
		t.Errorf("%s with an error of %g", e.Law.Tree.Infix(e.Law.Vars), e.Error)
	}
}

// An equation is not solved by a law that has no value in some row.
func TestUndefinedLaw(t *testing.T) {
	table := path([]string{"x"}, []string{"1 - x"}, [][]float64{{0}}, times(60, 0.05, 0, rand.New(rand.NewPCG(1, 1))))
	for text, want := range map[string]bool{"sqrt(x - 1/2)": true, "1 - x": false} {
		sr := searcherOf(t, table, parse(t, text, "x"))
		sr.solved[0] = true
		sr.refute()
		if sr.undefined[0] != want || sr.solved[0] == want {
			t.Errorf("%s: undefined %v, solved %v", text, sr.undefined[0], sr.solved[0])
		}
	}
}
