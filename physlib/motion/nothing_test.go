package motion

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
)

// A law must save more bits than it costs, compared with the constant mean of each run.
func TestNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	tr := &Trajectories{Order: 1, Runs: [][2]int{{0, 60}, {60, 120}}, Time: dataset.Column{Name: "t"}}
	x, squares := make([]float64, 120), 0.0
	for i := range x {
		e := rng.NormFloat64()
		x[i], squares = e+100*float64(i/60), squares+e*e
		tr.Time.Values = append(tr.Time.Values, float64(i%60))
	}
	tr.States = []dataset.Column{{Name: "x", Values: x}}
	sr := &searcher{tr: tr, names: []string{"x"}, d: tr.data(t.Context(), nil)}
	sd := math.Sqrt(squares / 120)
	l := law.Law{Tree: parse(t, "x**4", "x"), Vars: []string{"x"}, Complexity: 4}
	for share, want := range map[float64]bool{1: true, 0.99: true, 0.9: false, math.NaN(): true} {
		if got := sr.nothing(0, nil, Equation{Law: l, Error: share * sd}); got != want {
			t.Errorf("error %g times the deviation: nothing %v, want %v", share, got, want)
		}
	}
}

// Constants are not given the name of a state.
func TestConstantsOfStatesNamedAlike(t *testing.T) {
	for state, want := range map[string]string{"x": "c0", "c0": "const0", "c1": "const0", "cold": "c0"} {
		tr := &Trajectories{Order: 1, Runs: [][2]int{{0, 20}}, Time: dataset.Column{Name: "t"}}
		x := make([]float64, 20)
		for i := range x {
			x[i] = math.Exp(-float64(i) / 5)
			tr.Time.Values = append(tr.Time.Values, float64(i))
		}
		tr.States = []dataset.Column{{Name: state, Values: x}}
		sr := &searcher{tr: tr, names: []string{state}, d: tr.data(t.Context(), nil)}
		l := sr.law(0, parse(t, "c0*x", "x"), []float64{-0.2}, nil)
		if got := l.Constants[0].Name; got != want {
			t.Errorf("state %s: constant %s, want %s", state, got, want)
		}
	}
}
