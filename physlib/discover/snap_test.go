package discover

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Constants that were fitted in another form of the law are converted to the form shown, or
// omitted.
func TestStanding(t *testing.T) {
	for _, c := range []struct {
		shown, fitted, want string
		value, stderr       float64
	}{
		{"2*pi*sqrt(l/g)", "4*pi**2", "2*pi", 2 * math.Pi, 0.01 / (4 * math.Pi)},
		{"4*pi**2*l/g", "4*pi**2", "4*pi**2", 4 * math.Pi * math.Pi, 0.01},
		{"l/(2*g)", "1/2", "1/2", 0.5, 0.01},
		{"l**(3/2)*g", "3/2", "3/2", 1.5, 0.01},
		{"3*l", "-8/9", "", 0, 0},
		{"l", "0", "", 0, 0},
	} {
		shown, err := expr.Parse(c.shown, []string{"l", "g"})
		if err != nil {
			t.Fatal(err)
		}
		form, err := expr.Parse(c.fitted, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := standing(shown, []law.Constant{{Value: value(form), StdErr: 0.01, Exact: c.fitted}})
		switch {
		case c.want == "" && len(got) > 0:
			t.Errorf("%s: %s stands in it as %s", c.shown, c.fitted, got[0].Exact)
		case c.want == "":
		case len(got) != 1 || got[0].Exact != c.want || math.Abs(got[0].Value-c.value) > 1e-12 || math.Abs(got[0].StdErr-c.stderr) > 1e-12:
			t.Errorf("%s: %s stands in it as %+v, want %s = %v ± %v", c.shown, c.fitted, got, c.want, c.value, c.stderr)
		}
	}
}
