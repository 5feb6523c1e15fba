package discover

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// The evidence for a law is its posterior among all laws of the ranking, its constants and fitted
// exponents, and the columns.
func TestEvidence(t *testing.T) {
	column := func(name string) dataset.Column { return dataset.Column{Name: name, Values: []float64{1, 2, 4}} }
	k := newRanking(task{t: &dataset.Table{Vars: []dataset.Column{column("x"), column("z")}, Target: column("y")}}, nil)
	k.nullBits = 30
	posterior := 1 / (1 + math.Exp2(-1) + math.Exp2(-3) + math.Exp2(-20))
	for text, want := range map[string]Evidence{
		"c0*x**2":        {Constants: 1, Columns: 2},
		"c0*x**c1":       {Constants: 2, Exponents: 1, Columns: 2},
		"c0*x**2 + c1*x": {Constants: 2, Columns: 2},
	} {
		tree, err := expr.Parse(text, []string{"x", "z"})
		if err != nil {
			t.Fatal(err)
		}
		laws := make([]lawInColumns, 3)
		laws[0].Tree = tree
		laws[0].rankBits, laws[1].rankBits, laws[2].rankBits = 10, 11, 13
		got := k.evidence(laws)
		if math.Abs(got.Posterior-posterior) > 1e-12 {
			t.Errorf("%s: posterior %g, want %g", text, got.Posterior, posterior)
		}
		if got.Posterior = 0; got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	if _, ok := (&Result{}).Evidence(); ok {
		t.Error("no law has evidence")
	}
}

func TestFinished(t *testing.T) {
	for stop, want := range map[Stop]bool{StopSettled: true, StopExhausted: true, StopTime: false, StopInterrupted: false} {
		if got := (&Result{Stopped: stop}).Finished(); got != want {
			t.Errorf("%s: finished is %v", stop, got)
		}
	}
}
