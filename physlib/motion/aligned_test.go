package motion

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// A column that is nearly a linear function of another column is replaced by this function.
// Independent columns are not replaced. The law with the replacement has nearly the same rates.
func TestFollows(t *testing.T) {
	x, y, z := make([]float64, 50), make([]float64, 50), make([]float64, 50)
	for i := range x {
		x[i], y[i] = math.Sin(float64(i)), math.Cos(0.7*float64(i))
		z[i] = 5 - 2*x[i] + 0.05*y[i]
	}
	if _, ok := follows([][]float64{x, y}, 0, 0); ok {
		t.Error("a column follows from an independent one")
	}
	if _, ok := follows([][]float64{x}, 0, 0); ok {
		t.Error("a column follows from none")
	}
	cols := [][]float64{x, y, z}
	by, ok := follows(cols, 2, 1)
	if !ok {
		t.Fatal("z does not follow from x")
	}
	if vars := by.Vars(); len(vars) != 1 || vars[0] != 0 {
		t.Errorf("z follows from columns %v, want x alone", vars)
	}
	law := parse(t, "c0*y*z", "x", "y", "z").WithStarts([]float64{3})
	other := substituted(law, []int{3}, by)
	was, now := valuesOn(law, cols, law.Params()), valuesOn(other, cols, other.Params())
	off := make([]float64, len(was))
	for i := range was {
		off[i] = was[i] - now[i]
	}
	if dot(off, off) > 1e-3*dot(was, was) || len(other.Vars()) != 2 {
		t.Errorf("%s is not %s", other.Infix([]string{"x", "y", "z"}), law.Infix([]string{"x", "y", "z"}))
	}
}

// For a denominator that vanishes, zeros returns an expression that changes sign there. For a
// tangent in a denominator, this is the sine of its argument.
func TestZeros(t *testing.T) {
	for text, want := range map[string]string{
		"x/y": "y", "y/tan(x)": "sin(x)", "tan(x)": "cos(x)", "x*y": "",
	} {
		list := zeros(parse(t, text, "x", "y"))
		if want == "" {
			if len(list) > 0 {
				t.Errorf("%s: %d zeros, want none", text, len(list))
			}
			continue
		}
		if len(list) != 1 || !expr.Equal(list[0], parse(t, want, "x", "y")) {
			t.Errorf("%s: %d zeros, want %s", text, len(list), want)
		}
	}
}
