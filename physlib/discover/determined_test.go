package discover

import "testing"

// A law of a table with eight values of x and 400 of z is determined if it is not an interpolation
// of either column.
func TestDetermined(t *testing.T) {
	const rows = 400
	cols := [][]float64{make([]float64, rows), make([]float64, rows)}
	for i := range rows {
		cols[0][i], cols[1][i] = 1+float64(i%8), 0.01*float64(i)
	}
	const curve = "c0*cos(c1*x) + c2*sin(c3*x) + c4*exp(c5*x)"
	for _, c := range []struct {
		law  string
		want bool
	}{
		{"z + c0*x**2", true},
		{"c0*x + c1*z", true},
		{"z + c0 + c1*x + c2*x**2 + c3*x**3", true},
		{"c0*z + c1 + c2*x + c3*x**2 + c4*x**3 + c5*x**4", false},
		{"z + " + curve, false},
		{"z*(" + curve + ")", true}, // every constant acts through both columns
	} {
		if got := determined(mustLaw(c.law, []string{"x", "z"}), cols, rows); got != c.want {
			t.Errorf("%s: determined %t, want %t", c.law, got, c.want)
		}
	}
}
