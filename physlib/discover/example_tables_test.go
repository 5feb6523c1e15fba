package discover_test

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
)

// The embedded tables give their accepted laws, and constants that agree with a plain least-squares fit of those.
func TestExampleTables(t *testing.T) {
	for _, test := range []struct {
		name, law string
		constant  float64 // of least squares, see dataset/examples/index.csv
		digits    float64 // to which that is given
		accepted  float64 // what is known today; 0: nothing to compare with
		unit      string
	}{
		{"kepler", "c0*a**(3/2)", 365.186, 5e-4, 365.256, "d AU^(-3/2)"}, // errors proportional to T
		{"galilean_moons", "c0*a**(3/2)", 6.46035e-9, 5e-15, 0, "d km^(-3/2)"},
		{"galileo1608", "c0*sqrt(h)", 47.0858, 5e-5, 0, "punto^(1/2)"},
		{"boyle1662", "c0/V", 1406.9, 0.05, 0, "inHg"},
		{"balmer", "c0/(1 - 4/n**2)", 364.599, 5e-4, 0, "nm"}, // n²/(n² - 4)
		{"hubble1929", "c0*r", 423.937, 5e-4, 424, "km/s Mpc^-1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			table, _, err := dataset.Example(test.name)
			if err != nil {
				t.Fatal(err)
			}
			best := found(t, table, discover.Settings{}).Best
			want, err := expr.Parse(test.law, best.Vars)
			if err != nil {
				t.Fatal(err)
			}
			if !expr.Equal(best.Exacted().AbsorbParams(), want.AbsorbParams()) {
				t.Fatalf("the law is %s, want %s", best.Infix(), test.law)
			}
			k := best.Constants[0]
			if math.Abs(k.Value-test.constant) > test.digits*1.01 {
				t.Errorf("the constant is %v, want %v", k.Value, test.constant)
			}
			if !(k.StdErr > 0) || k.StdErr > 0.12*k.Value {
				t.Errorf("the constant is %v ± %v", k.Value, k.StdErr)
			}
			if test.accepted != 0 && math.Abs(k.Value-test.accepted) > 2*k.StdErr {
				t.Errorf("%v is more than two standard errors (%v) from %v", k.Value, k.StdErr, test.accepted)
			}
			if k.Unit != test.unit {
				t.Errorf("its unit is %q, want %q", k.Unit, test.unit)
			}
			if !best.UnitsOK || best.R2 < 0.6 {
				t.Errorf("units balance: %v, R² = %v", best.UnitsOK, best.R2)
			}
		})
	}
}
