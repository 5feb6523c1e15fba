package discover

import (
	"math"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
)

// Compare finds no difference between the chosen law and itself, under all kinds of errors. For a
// law without a score, the error says why.
func TestCompare(t *testing.T) {
	x, y := make([]float64, 12), make([]float64, 12)
	for i := range x {
		x[i] = 1 + 0.5*float64(i)
		y[i] = 3*x[i]*x[i] + 0.3*math.Cos(7*float64(i))
	}
	table := &dataset.Table{Name: "t.csv", Vars: []dataset.Column{{Name: "x", Values: x}}, Target: dataset.Column{Name: "y", Values: y}}
	parabola := func(text string) law.Law {
		return law.Law{Target: "y", Vars: []string{"x"}, Tree: mustLaw(text, []string{"x"})}
	}
	best := parabola("c0*x**2")
	errorsOfX := map[string][]float64{"x": make([]float64, 12)}
	for i := range errorsOfX["x"] {
		errorsOfX["x"][i] = 0.05
	}
	for _, s := range []Settings{{}, {Noise: Noise{Known: true, Sigma: 0.3}}, {Noise: Noise{Known: true, Sigma: 0.3}, XSigma: errorsOfX}} {
		if worse, _, err := Compare(table, s, []int{2}, best, best); err != nil || worse != 0 {
			t.Errorf("%+v: the same law is %g bits worse, %v", s.Noise, worse, err)
		}
		if worse, _, err := Compare(table, s, []int{2}, best, parabola("c0*x**2 + c1*x + c2")); err != nil || !(worse > 1 && worse < 20) {
			t.Errorf("%+v: two needless constants are %g bits worse, %v", s.Noise, worse, err)
		}
	}
	for text, why := range map[string]string{
		"log(x - 3)": "no finite value in row",
		"c0*x + c1*x**2 + c2*x**3 + c3*x**4 + c4*cos(c5*x) + c6*sin(c7*x) + c8": "12 rows are too few to compare a law with 9 constants",
	} {
		if _, _, err := Compare(table, Settings{}, nil, best, parabola(text)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %s", text, err, why)
		}
	}
}
