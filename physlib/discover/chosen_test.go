package discover

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// Once the time is up, only the best law is fitted on all rows of a large table.
func TestFillWhenTimeIsUp(t *testing.T) {
	const rows = 3 * rankedRows
	rng := rand.New(rand.NewPCG(7, 0))
	x, y := make([]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = 1 + 9*rng.Float64()
		y[i] = 3.217/x[i] + 0.1*rng.NormFloat64()
	}
	table := &dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: y}}
	settings := Settings{Errors: EqualErrors}
	standardErrors := func(late bool) (first, second float64) {
		k := newRanking(table, settings)
		k.add(expr.Apply(expr.Div, expr.C(0, 3.2), expr.X(0)), "test")
		k.add(expr.Apply(expr.Div, expr.C(0, 2), expr.Apply(expr.Sqrt, expr.X(0))), "test")
		k.choose(t.Context(), func() bool { return true })
		var res Result
		k.fill(&res, func() bool { return late })
		if len(res.Finalists) < 2 {
			t.Fatalf("%d laws", len(res.Finalists))
		}
		return res.Finalists[0].Constants[0].StdErr, res.Finalists[1].Constants[0].StdErr
	}
	first, second := standardErrors(false)
	lateFirst, lateSecond := standardErrors(true)
	if lateFirst != first {
		t.Errorf("the best law has a standard error of %g once the time is up, %g before", lateFirst, first)
	}
	if r := lateSecond / second; r < 1.5 || r > 2 { // √3 of a third of the rows
		t.Errorf("the standard error of another law is %g times that of all rows once the time is up", r)
	}
	settings = Settings{Noise: Noise{Known: true, Sigma: 0.1}}
	if given, _ := standardErrors(false); math.Abs(given/first-1) > 0.05 {
		t.Errorf("the best law has a standard error of %g with the noise given, %g without", given, first)
	}
}
