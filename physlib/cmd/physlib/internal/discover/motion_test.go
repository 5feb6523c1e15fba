package discover

import (
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/motion"
)

// A state is doubted where what is left of it is much more than its scatter, or, of data without any, than a millionth of its size;
// one without a law is not.
func TestDoubts(t *testing.T) {
	column := func(name string) dataset.Column { return dataset.Column{Name: name, Values: []float64{3, -4, 5}} }
	some := law.Law{Tree: parse(t, "x", "x"), Vars: []string{"x"}}
	f := movement{
		tr: &motion.Trajectories{States: []dataset.Column{column("a"), column("b"), column("c"), column("d"), column("e")}},
		result: &motion.Result{Equations: []motion.Equation{
			{State: "a", Law: some, Error: 0.5, Noise: 0.1},
			{State: "b", Law: some, Error: 0.15, Noise: 0.1},
			{State: "c", Law: some, Error: 1e-6, Noise: 1e-13},
			{State: "d", Law: some, Error: 1e-3, Noise: 1e-13},
			{State: "e", Error: 9, Noise: 0.1},
		}},
	}
	want := []string{
		"doubtful: what is left of a is 5 times its scatter, 0.1: a description of these data, not all of their law",
		"doubtful: what is left of d is 245 times its scatter, 4.1e-06: a description of these data, not all of their law",
	}
	if got := f.doubts(); !slices.Equal(got, want) {
		t.Errorf("doubts %q, want %q", got, want)
	}
}
