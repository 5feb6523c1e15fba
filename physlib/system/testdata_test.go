package system

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

// tiny returns physdiffuse-small with a few neurons.
func tiny(t testing.TB) *Config {
	t.Helper()
	c, err := Preset("testdata/tiny.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func goBackend(t testing.TB) compute.Backend {
	t.Helper()
	b, _, err := backend.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Finalize)
	return b
}

// untrained returns a system with random weights.
func untrained(t testing.TB, c *Config) *System {
	t.Helper()
	s, err := open(goBackend(t), c, model.NewStore())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// pendulum returns T = 2π√(l/g) at a few points.
func pendulum() *dataset.Problem {
	p := &dataset.Problem{Units: true, Vars: []dataset.Quantity{
		{Name: "l", Dim: unit.Powers(0, 1), Known: true, Values: []float64{1, 2, 3, 4, 5, 6}},
		{Name: "g", Dim: unit.Powers(0, 1, -2), Known: true, Values: []float64{3, 1, 4, 1, 5, 9}},
	}, Target: dataset.Quantity{Name: "T", Dim: unit.Powers(0, 0, 1), Known: true, Values: []float64{3.63, 8.89, 5.44, 12.57, 6.28, 5.13}}}
	return p
}
