package mdl

import (
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// A law is refused if it has a pole between two rows, and the values in these rows do not show the
// pole.
func TestPoles(t *testing.T) {
	x := []float64{0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4}
	s := New(&dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: x}}, unknown{}, true).Scorer()
	for _, c := range []struct {
		law    string
		params []float64
		want   bool
	}{
		{"c0*x/(x + c1)", []float64{2, 1}, true},                           // no pole
		{"c0*x/(x + c1) + c2/(x - c3)", []float64{2, 1, 1e-3, 0.3}, false}, // a hidden pole
		{"c0/(c1 - x**2)", []float64{2, 1}, true},                          // the pole of a resonance
		{"c0*x + c1*tan(c2*x)", []float64{3, 1e-4, 3}, false},
		{"c0*tan(c1*x)", []float64{3, 0.4}, true},
	} {
		tree, err := expr.Parse(c.law, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.showsPoles(tree.WithStarts(c.params)); got != c.want {
			t.Errorf("%s at %v: %v, want %v", c.law, c.params, got, c.want)
		}
	}
}

// A tiny exponent and a rate that is small in all rows cost as much as the large offset of the line
// that they imitate.
func TestLimitsOfLines(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6}
	s := New(&dataset.Table{Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: x}}, unknown{}, true).Scorer()
	price := func(law string, params ...float64) float64 {
		tree, err := expr.Parse(law, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		return s.prices(tree, params)
	}
	line := price("c0*x + c1", 0.003, 1)
	for law, rate := range map[string]float64{"c0*exp(c1*x)": 0.003, "c0*x**c1": 0.01} {
		if got := price(law, 1, rate); got < line-1 || got > line+1 {
			t.Errorf("%s costs %.1f bits, a line %.1f", law, got, line)
		}
	}
	if power, line := price("c0*x**c1", 1, 1.5), price("c0*x + c1", 1, 3); power > line+1 {
		t.Errorf("a power costs %.1f bits, a line %.1f", power, line)
	}
}
