package discover_test

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
)

// The embedded tables give their accepted laws, and their constants within 2.5 standard errors.
func TestExampleTables(t *testing.T) {
	for _, test := range []struct {
		name, law string
		constant  float64 // of a fit with equal weights, see dataset/examples/index.csv; Kepler's is the Earth's year
		unit      string
	}{
		{"kepler", "c0*a**(3/2)", 365.256, "d AU^(-3/2)"},
		{"galilean_moons", "c0*a**(3/2)", 6.46035e-9, "d km^(-3/2)"},
		{"galileo1608", "c0*sqrt(h)", 47.0858, "punto^(1/2)"},
		{"boyle1662", "c0/V", 1406.9, "inHg"},
		{"balmer", "c0/(1 - 4/n**2)", 364.599, "nm"},                        // n²/(n² - 4)
		{"geiger_marsden1913", "c0/(1 - cos(pi*phi/180))**2", 4 * 31.4, ""}, // 4 sin(phi/2)**4
		{"danwood", "c0*T**c1", 0.76886226176, "kK^(-193/50)"},
		{"mgh10", "exp(c1/(x - c0) - c2)", -345.22363462, ""},
		{"hubble1929", "c0*r", 423.937, "km/s Mpc^-1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			table, _, err := dataset.Example(test.name)
			if err != nil {
				t.Fatal(err)
			}
			best := found(t, table, discover.Settings{Evaluations: 3000}).Best
			want, err := expr.Parse(test.law, best.Vars)
			if err != nil {
				t.Fatal(err)
			}
			if !expr.Equal(best.Exacted().AbsorbParams(), want.AbsorbParams()) {
				t.Fatalf("the law is %s, want %s", best.Infix(), test.law)
			}
			k := best.Constants[0]
			if math.Abs(k.Value-test.constant) > 2.5*k.StdErr {
				t.Errorf("the constant is %v ± %v, want %v", k.Value, k.StdErr, test.constant)
			}
			if !(k.StdErr > 0) || k.StdErr > 0.12*math.Abs(k.Value) {
				t.Errorf("the constant is %v ± %v", k.Value, k.StdErr)
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
