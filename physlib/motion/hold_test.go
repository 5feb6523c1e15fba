package motion

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
)

// heated returns a body that is heated by pulses and cools to 20, with errors of noise. The heating
// power at a row applies from this row on, or up to it if later is true.
func heated(noise float64, later bool) *dataset.Table {
	rng := rand.New(rand.NewPCG(7, 7))
	table := &dataset.Table{Name: "heated.csv", Vars: []dataset.Column{{Name: "t"}, {Name: "P"}}, Target: dataset.Column{Name: "T"}}
	temperature, before := 20.0, 0.0
	for i := range 200 {
		power := 0.0
		if i >= 10 && i < 30 || i >= 60 && i < 80 || i >= 120 && i < 160 {
			power = 50
		}
		if later {
			before = power
		}
		if i > 0 {
			final := 20 + 0.1/0.05*before
			temperature = final + (temperature-final)*math.Exp(-0.05)
		}
		before = power
		table.Vars[0].Values = append(table.Vars[0].Values, float64(i))
		table.Vars[1].Values = append(table.Vars[1].Values, power)
		table.Target.Values = append(table.Target.Values, temperature+noise*rng.NormFloat64())
	}
	return table
}

// The states show whether the value of a switched input applies before or after its row. Then the
// law of a heated body is found.
func TestHold(t *testing.T) {
	noEngine(t)
	for noise, later := range map[float64]bool{0: false, 0.8: true} {
		tr, _, err := Read(heated(noise, later), Options{Inputs: []string{"P"}})
		if err != nil {
			t.Fatal(err)
		}
		sr := &searcher{tr: tr}
		sr.prepare(t.Context())
		if want := map[bool]hold{false: holdEarlier, true: holdLater}[later]; sr.d.hold == nil || sr.d.hold[1] != want {
			t.Errorf("later %v, noise %g: held %v, want %d", later, noise, sr.d.hold, want)
		}
		res, err := Discover(t.Context(), tr, Settings{Time: -1})
		if err != nil {
			t.Fatal(err)
		}
		e := res.Equations[0]
		y := valuesOn(e.Law.Tree, [][]float64{{20, 60, 90}, {0, 50, 0}}, e.Law.Params())
		for i, want := range []float64{0, 3, -3.5} {
			if math.Abs(y[i]-want) > 0.1 {
				t.Errorf("later %v, noise %g: dT/dt = %s, %s", later, noise, e.Law.Tree.Infix(e.Law.Vars), e.Verdict)
				break
			}
		}
	}
}

// An input that changes at most rows is not held.
func TestSwitched(t *testing.T) {
	d := &data{runs: []run{{x: [][]float64{{0, 0, 0, 0, 1, 1, 1, 1}, {0, 1, 2, 3, 3, 3, 2, 1}, {5, 5, 5, 5, 5, 5, 5, 5}}}}}
	for k, want := range []bool{true, false, false} {
		if got := d.switched(k); got != want {
			t.Errorf("input %d: switched %v, want %v", k, got, want)
		}
	}
}
