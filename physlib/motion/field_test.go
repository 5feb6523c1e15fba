package motion

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// Dry friction jumps when the velocity changes its sign. Between two turning points the mass
// oscillates about ±f/k, so each half period lowers the amplitude by 2·f/k.
func TestDryFriction(t *testing.T) {
	f := NewField([]expr.Tree{expr.X(1), parse(t, "-9*x - 0.4*sign(v)", "x", "v")}, 0, false)
	x := Simulate(f, []float64{2, 0}, []float64{0, math.Pi / 3, 2 * math.Pi / 3, math.Pi}, nil)
	for i, want := range []float64{2, -2 + 0.8/9, 2 - 1.6/9, -2 + 2.4/9} {
		if math.Abs(x[0][i]-want) > 1e-6 {
			t.Errorf("after %d half periods at %.9f, want %.9f", i, x[0][i], want)
		}
	}
}
