package adapt

import (
	"context"
	"math"
	"testing"

	"github.com/gomlx/compute"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/system"
	"github.com/physlib/lab/physlib/unit"
)

// untrained is physdiffuse-small with a few neurons and random weights.
func untrained(t testing.TB, b compute.Backend) *system.System {
	t.Helper()
	c, err := system.Preset("../system/testdata/tiny.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return must(system.Untrained(b, c, 1))
}

// pendulum is T = 2π√(l/g).
func pendulum() *dataset.Problem {
	p := &dataset.Problem{Units: true, Vars: []dataset.Quantity{
		{Name: "l", Dim: unit.Powers(0, 1), Known: true, Values: []float64{1, 2, 3, 4, 5, 6, 7, 8}},
		{Name: "g", Dim: unit.Powers(0, 1, -2), Known: true, Values: []float64{3, 1, 4, 1, 5, 9, 2, 6}},
	}, Target: dataset.Quantity{Name: "T", Dim: unit.Powers(0, 0, 1), Known: true}}
	for i, l := range p.Vars[0].Values {
		p.Target.Values = append(p.Target.Values, 2*math.Pi*math.Sqrt(l/p.Vars[1].Values[i]))
	}
	return p
}

// archive are laws that an archive may hold; the first two are wrong.
func archive() (laws []expr.Tree) {
	for _, s := range []string{"c0*l/g", "c0*sqrt(l) + c1*g", "c0*sqrt(l/g)", "g - c0*sqrt(l)"} {
		laws = append(laws, must(expr.Parse(s, []string{"l", "g"})))
	}
	return laws
}

// quick are settings that learn something in few steps.
func quick() Settings {
	return Settings{Rank: 4, Steps: 12, Batch: 4, Candidates: 16, Refine: 3, LR: 0.02, Targets: []string{"query", "key", "value", "output"}}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// laws are the first that a proposes.
func laws(t *testing.T, propose func(context.Context, *dataset.Problem) func(func(expr.Tree, error) bool)) (all []string) {
	for law, err := range propose(t.Context(), pendulum()) {
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, law.Infix(nil)); len(all) == 12 {
			break
		}
	}
	return all
}

func TestLossFalls(t *testing.T) {
	sys := untrained(t, backendtest.Go(t))
	for _, objective := range []string{Weighted, Pseudo, SelfConsistency} {
		t.Run(objective, func(t *testing.T) {
			s := quick()
			s.Objective, s.Steps = objective, 24
			a := must(New(sys, s))
			defer a.Close()
			r, err := a.Adapt(t.Context(), pendulum(), archive())
			if err != nil {
				t.Fatal(err)
			}
			mean := func(l []float64) (m float64) {
				for _, x := range l {
					m += x / float64(len(l))
				}
				return m
			}
			if first, last := mean(r.Losses[:6]), mean(r.Losses[18:]); r.Steps != 24 || r.Stopped != "steps" || !(last < 0.9*first) {
				t.Errorf("%d steps, stopped by %s, the loss went from %.3f to %.3f", r.Steps, r.Stopped, first, last)
			}
		})
	}
}
