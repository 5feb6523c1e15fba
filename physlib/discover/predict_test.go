package discover

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/unit"
)

// A law is evaluated in the table's own units, with its constants. If the table lacks a column of
// the law, the values are NaN. Curve returns a curve only for a law of one column.
func TestPredictAndCurve(t *testing.T) {
	metre := unit.Unit{Name: "cm"}
	table := &dataset.Table{
		Target: dataset.Column{Name: "y", Values: []float64{2, 20, 200}},
		Vars:   []dataset.Column{{Name: "x", Unit: metre, HasUnit: true, Values: []float64{1, 100, 10}}, {Name: "z", Values: []float64{3, 3, 3}}},
		Consts: []dataset.Constant{{Name: "g", Value: 2}},
	}
	parse := func(text string, names ...string) law.Law {
		tree, err := expr.Parse(text, names)
		if err != nil {
			t.Fatal(err)
		}
		return law.Law{Tree: tree, Vars: names, Target: "y"}
	}
	curve := parse("x*g", "x", "z", "g")
	if got := Predict(curve, table); got[0] != 2 || got[1] != 200 || got[2] != 20 {
		t.Errorf("predicted %v", got)
	}
	if got := Predict(parse("x*w", "x", "w"), table); !math.IsNaN(got[0]) {
		t.Errorf("a column that is not there gives %v", got)
	}
	x, at, value, ok := Curve(curve, table)
	if !ok || x.Label() != "x [cm]" || len(at) != len(value) || at[0] != 1 || math.Abs(at[len(at)-1]-100) > 1e-9 || value[0] != 2 {
		t.Fatalf("the curve is %v, %v of %v, %t", at, value, x, ok)
	}
	if r := at[1] / at[0]; math.Abs(at[200]/at[199]-r) > 1e-9 {
		t.Error("over two decades the values are not evenly spaced in the logarithm")
	}
	for _, l := range []law.Law{parse("x*z", "x", "z"), parse("3", "x"), parse("g", "x", "g")} {
		if _, _, _, ok := Curve(l, table); ok {
			t.Errorf("%s is a curve", l.Display(3))
		}
	}
}
