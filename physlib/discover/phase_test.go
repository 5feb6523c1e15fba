package discover

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/survey"
)

func TestFoldPhases(t *testing.T) {
	var x, y []float64
	for i := range 20 {
		x, y = append(x, float64(i)/3), append(y, math.Cos(float64(i)))
	}
	m := mdl.New(&dataset.Table{Vars: []dataset.Column{{Name: "t", Values: x}}, Target: dataset.Column{Name: "x", Values: y}}, survey.Catalogue(), true)
	for _, c := range []struct {
		law          string
		params, want []float64
	}{
		{"c0*exp(c1*t)*cos(c2*t + c3)", []float64{-5, -0.3, 6.1, 3*math.Pi + 0.01}, []float64{5, -0.3, 6.1, 0.01}},
		{"c0*sin(c1*t + c2) + c3", []float64{2, 1.5, -14.37, 7}, []float64{-2, 1.5, -14.37 + 5*math.Pi, 7}},
		{"sin(c0*t + c1)", []float64{2, 9}, []float64{2, 9 - 2*math.Pi}},
		{"c0*sin(c1*t - c2)", []float64{2, 1.5, 2 * math.Pi}, []float64{2, 1.5, 0}},
		{"c0*sin(c1*t + 0.5)", []float64{2, 30}, []float64{2, 30}}, // 0.5 is a number, not a fitted phase
	} {
		tree, err := expr.Parse(c.law, []string{"t"})
		if err != nil {
			t.Fatal(err)
		}
		s := mdl.Score{Tree: tree.WithStarts(c.params), Params: c.params, Cov: make([]float64, len(c.params)*len(c.params))}
		got := foldPhases(m, s)
		for i, v := range got.Params {
			if math.Abs(v-c.want[i]) > 1e-9 {
				t.Errorf("%s: constants %v, want %v", c.law, got.Params, c.want)
				break
			}
		}
		if !equalValues(m.Values(s.Tree, s.Params), m.Values(got.Tree, got.Params)) {
			t.Errorf("%s at %v is another function at %v", c.law, s.Params, got.Params)
		}
	}
}
