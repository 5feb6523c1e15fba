package discover

import (
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/motion"
)

// Each equation has a line with the verdict on its law, and with the other laws that the errors
// allow. If it has no law, the line states that.
func TestVerdicts(t *testing.T) {
	column := func(name string) dataset.Column { return dataset.Column{Name: name, Values: []float64{3, -4, 5}} }
	some := law.Law{Tree: parse(t, "x", "x"), Vars: []string{"x"}, Score: 10}
	other := law.Law{Tree: parse(t, "2*x", "x"), Vars: []string{"x"}, Target: "da_dt", Score: 12.5}
	f := movement{
		tr: &motion.Trajectories{Time: column("t"), States: []dataset.Column{column("a"), column("b")}},
		result: &motion.Result{Equations: []motion.Equation{
			{State: "a", Law: some, Verdict: "one of several, about 60 %", Rivals: []law.Law{other}},
			{State: "b", Error: 9, Noise: 0.1},
		}},
	}
	want := []string{
		"da_dt: one of several, about 60 %",
		"  within the errors as well: da_dt = 2*x (2.5 bits worse)",
		"no law was found for db_dt",
	}
	if got := f.verdicts(); !slices.Equal(got, want) {
		t.Errorf("verdicts %q, want %q", got, want)
	}
}
