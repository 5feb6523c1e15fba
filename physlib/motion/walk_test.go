package motion

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// stochastic returns a table of states with independent random steps of unit size. Between two
// rows, each state relaxes towards zero by the given share of its value.
func stochastic(rows, states int, share float64, seed uint64) *dataset.Table {
	rng := rand.New(rand.NewPCG(21, seed))
	table := &dataset.Table{Name: "walk.csv", Target: dataset.Column{Name: "t"}}
	for i := range rows {
		table.Target.Values = append(table.Target.Values, float64(i))
	}
	for k := range states {
		x := make([]float64, rows)
		for i := 1; i < rows; i++ {
			x[i] = (1-share)*x[i-1] + rng.NormFloat64()
		}
		table.Vars = append(table.Vars, dataset.Column{Name: fmt.Sprintf("x%d", k), Values: x})
	}
	return table
}

// No law is found in random walks, however well windows of them are fitted.
func TestWalk(t *testing.T) {
	noEngine(t)
	for _, states := range []int{1, 2} {
		for seed := range uint64(2) {
			res := discovered(t, stochastic(60+20*int(seed), states, 0, seed), Options{})
			for _, e := range res.Equations {
				if e.Law.Tree.Len() > 0 {
					t.Errorf("%d walks, seed %d: d%s/dt = %s, %s", states, seed, e.State, e.Law.Tree.Infix(e.Law.Vars), e.Verdict)
				}
			}
		}
	}
}

// Neither of two states is a random walk: one relaxes between random steps, and one relaxes while a
// further force acts that its law lacks. Their laws are better than no law, but a constant rate is
// not.
func TestNotAWalk(t *testing.T) {
	kicked := stochastic(400, 1, 0.3, 1)
	forced := stochastic(400, 1, 0, 1)
	for i := range forced.Vars[0].Values {
		forced.Vars[0].Values[i] = 10*math.Exp(-float64(i)/50) + math.Sin(float64(i)/3)
	}
	for name, table := range map[string]*dataset.Table{"kicked": kicked, "forced": forced} {
		tr, _, err := Read(table, Options{})
		if err != nil {
			t.Fatal(err)
		}
		d := tr.data(t.Context(), nil)
		sr := &searcher{tr: tr, names: []string{"x0"}, d: d}
		e := Equation{Error: d.scale[0]}
		for rate, want := range map[string]bool{"-c0*x0": false, "c0": true} {
			e.Law.Tree = parse(t, rate, "x0").WithStarts([]float64{map[string]float64{"kicked": 0.36, "forced": 0.02}[name]})
			e.Law.Complexity = 12
			if got := sr.wanders(0, sr.field([]expr.Tree{e.Law.Tree}), e); got != want {
				t.Errorf("%s, dx/dt = %s: a walk %v, want %v", name, rate, got, want)
			}
		}
	}
}
