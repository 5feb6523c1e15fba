package motion

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// circuit returns a table of a driven circuit with the given number of unevenly spaced rows in 30
// s. Between them, the voltage u is known only by interpolation.
func circuit(rows int) *dataset.Table {
	drive := func(t float64) float64 { return 1.5*math.Sin(1.1*t) + 0.8*math.Cos(2.53*t) }
	f := NewField([]expr.Tree{mustParse("(1.5*sin(1.1*t) + 0.8*cos(2.53*t) - 0.66*i - vc)/1.1", "i", "vc", "t"),
		mustParse("i/0.46", "i", "vc", "t")}, 0, true)
	rng := rand.New(rand.NewPCG(4, 1))
	at := []float64{0}
	for range rows - 1 {
		at = append(at, at[len(at)-1]+30/float64(rows)*rng.ExpFloat64())
	}
	x := Simulate(f, []float64{0, 0}, at, nil)
	u := dataset.Column{Name: "u"}
	for _, t := range at {
		u.Values = append(u.Values, drive(t))
	}
	return &dataset.Table{Name: "circuit.csv", Target: u,
		Vars: []dataset.Column{{Name: "t", Values: at}, {Name: "i", Values: x[0]}, {Name: "vc", Values: x[1]}}}
}

// fitted returns a searcher whose chosen laws are the given ones, fitted over windows of 12 rows.
func fitted(t *testing.T, table *dataset.Table, o Options, laws ...string) *searcher {
	t.Helper()
	tr, _, err := Read(table, o)
	if err != nil {
		t.Fatal(err)
	}
	sr := &searcher{tr: tr, s: Settings{Time: -1}, pools: make([]pool, len(laws))}
	sr.prepare(t.Context())
	sr.wins = sr.d.windows(windowLength, mostWhole)
	sr.best = make([]*candidate, sr.d.numMeasured())
	for k, text := range laws {
		tree := mustParse(text, sr.names...)
		sr.best[k] = sr.newCandidate(k, tree.WithStarts(tree.Params()), stepwiseName)
	}
	sr.together(t.Context(), 0, nil)
	return sr
}

// The residuals of the true law that come from the interpolation of an input are estimated to a
// factor of three.
func TestInputErrors(t *testing.T) {
	sr := fitted(t, circuit(380), Options{Inputs: []string{"u"}}, "(u - 0.66*i - vc)/1.1", "i/0.46")
	sr.measureInputs(t.Context())
	for k := range sr.numLaws() {
		if r := sr.shot.misfit(sr.d, k) / sr.inputError(k); !(r > 1./3 && r < 3) {
			t.Errorf("%s: a residual of %.2g, estimated as %.2g", sr.names[k], sr.shot.misfit(sr.d, k), sr.inputError(k))
		}
	}
	if e := sr.inputError(2); e != 0 {
		t.Errorf("the input itself has an error of %g", e)
	}
}

// The errors of an interpolated input are not explained by further terms, and do not make the law
// doubtful.
func TestSparseInput(t *testing.T) {
	noEngine(t)
	for _, rows := range []int{380, 200} {
		res := discovered(t, circuit(rows), Options{Inputs: []string{"u"}})
		for k, want := range []string{"i", "i"} {
			e := res.Equations[k]
			n := e.Law.Tree.NumParams()
			if !strings.Contains(e.Law.Infix(), want) || n > 3 || e.Probability < 0.9 {
				t.Errorf("%d rows: %s' = %s, %s", rows, e.State, e.Law.Display(6), e.Verdict)
			}
		}
	}
}

// If the law of another state is wrong, the residuals of a law are calculated with the measured
// values of the other states.
func TestOtherLawWrong(t *testing.T) {
	f := NewField([]expr.Tree{mustParse("3.57/(1 + v**2) - u", "u", "v"), mustParse("4.39/(1 + u**3) - v", "u", "v")}, 0, false)
	table := &dataset.Table{Name: "toggle.csv", Vars: []dataset.Column{{Name: "run"}, {Name: "t"}, {Name: "u"}}, Target: dataset.Column{Name: "v"}}
	rng := rand.New(rand.NewPCG(8, 1))
	for run, start := range [][]float64{{0.1, 0.2}, {3, 0.1}, {0.2, 4}} {
		at := times(80, 0.1, 0, rng)
		x := Simulate(f, start, at, nil)
		for i := range at {
			table.Vars[0].Values = append(table.Vars[0].Values, float64(run))
			table.Vars[1].Values = append(table.Vars[1].Values, at[i])
			table.Vars[2].Values = append(table.Vars[2].Values, x[0][i])
			table.Target.Values = append(table.Target.Values, x[1][i])
		}
	}
	sr := fitted(t, table, Options{Group: "run"}, "3.57/(1 + v**2) - u", "2*cos(u) - v + 1")
	ev := sr.evidence(t.Context(), "settled")
	for k, wrong := range []bool{false, true} {
		e := Equation{Error: sr.shot.misfit(sr.d, k)}
		list := sr.residualObjections(k, &e, sr.without(t.Context(), ev, k))
		if far := strings.Contains(fmt.Sprint(list), "something is missing"); far != wrong {
			t.Errorf("%s: objections %v", sr.names[k], list)
		}
	}
}
