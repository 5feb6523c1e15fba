package discover

import (
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// The evidence for a law counts its constants and its fitted exponents, and the columns.
func TestEvidence(t *testing.T) {
	x, z, y := make([]float64, 20), make([]float64, 20), make([]float64, 20)
	for i := range x {
		x[i], z[i] = float64(i+1), float64(i%3)
		y[i] = 3*x[i]*x[i] + 0.2*float64(i*7%5)
	}
	for text, want := range map[string]Evidence{
		"c0*x**2":        {Constants: 1, Columns: 2},
		"c0*x**c1":       {Constants: 2, Exponents: 1, Columns: 2},
		"c0*x**2 + c1*x": {Constants: 2, Columns: 2},
	} {
		tree, err := expr.Parse(text, []string{"x", "z"})
		if err != nil {
			t.Fatal(err)
		}
		k := newRanking(&dataset.Table{
			Vars: []dataset.Column{{Name: "x", Values: x}, {Name: "z", Values: z}}, Target: dataset.Column{Name: "y", Values: y},
		}, Settings{})
		k.add(tree, "test")
		k.scoreAndOrder(t.Context(), func() bool { return false })
		k.list[0].Tree = tree // the ranking may have replaced it by a shorter law
		got := k.evidence()
		if !(got.Posterior > 0.4 && got.Posterior <= 1) {
			t.Errorf("%s: posterior %g", text, got.Posterior)
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
	for stop, want := range map[Stop]bool{Settled: true, Exhausted: true, TimeUp: false, Interrupted: false} {
		if got := (&Result{Stopped: stop}).Finished(); got != want {
			t.Errorf("%s: finished is %v", stop, got)
		}
	}
}
