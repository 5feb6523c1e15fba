package discover

import (
	"math"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/survey"
)

// Two exponentials with nearly the same rate give a candidate that has one exponential times a
// linear factor.
func TestLimitOfTwoExponentials(t *testing.T) {
	var x, y []float64
	for i := range 20 {
		v := 0.25 * float64(i)
		x, y = append(x, v), append(y, 3*v*math.Exp(-0.8*v))
	}
	table := &dataset.Table{Name: "critical", Vars: []dataset.Column{{Name: "t", Values: x}}, Target: dataset.Column{Name: "u", Values: y}}
	m := mdl.New(table, survey.Catalogue(), true)
	offered := func(law string, params ...float64) (out []string) {
		tree, err := expr.Parse(law, []string{"t"})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range limits(m, mdl.Score{Tree: tree.WithStarts(params), Params: params}) {
			out = append(out, l.Infix([]string{"t"}))
		}
		return out
	}
	for _, c := range []struct {
		law    string
		params []float64
		want   []string
	}{
		{"c0*(exp(c1*t) - exp(c2*t))", []float64{200, -0.78, -0.82}, []string{"c0*t*exp(c1*t)", "c0*t*exp(c1*t) + c2*exp(c1*t)"}},
		{"c0*exp(c1*t) + c2*exp(c3*t)", []float64{200, -0.78, -200, -0.82}, []string{"c0*t*exp(c1*t) + c2*exp(c1*t)"}},
		{"c0*(exp(c1*t) - exp(c2*t))", []float64{3, -0.2, -0.8}, nil},
	} {
		if got := offered(c.law, c.params...); !slices.Equal(got, c.want) {
			t.Errorf("%s at %v: %q, want %q", c.law, c.params, got, c.want)
		}
	}
}
