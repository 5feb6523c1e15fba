package mdl

import (
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// unknown is a prior for which all forms are alike.
type unknown struct{}

func (unknown) Bits(expr.Tree, int) float64 { return 10 }

// A sine that is straight over all rows is no oscillation.
func TestTurns(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5}
	s := New(&dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: x}}, unknown{}, true).Scorer()
	for _, c := range []struct {
		law    string
		params []float64
		want   bool
	}{
		{"c0*cos(c1*x + c2)", []float64{4.5e13, 1.5e-12, 1.5707963}, false},
		{"c0*sin(c1*x)", []float64{2, 0.4}, true},
		{"c0*x + sin(x/1000)", []float64{2}, true}, // no constant: a law of small angles
	} {
		tree, err := expr.Parse(c.law, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.turns(tree.WithStarts(c.params)); got != c.want {
			t.Errorf("%s at %v: %v", c.law, c.params, got)
		}
	}
}
