package motion

import (
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

// The units of constants follow from the symbols in the columns' units. This holds even if two
// units of one dimension occur, and with angles.
func TestConstantUnits(t *testing.T) {
	for _, c := range []struct {
		t, x, y, u string // units
		law        string // of dx_dt
		want       string
	}{
		{"s", "m", "m", "L/s", "c0*sqrt(x) + c1*u", "m^(1/2) s^-1, m L^-1"},
		{"s", "rad/s", "rad", "V", "c0*x + c1*u + c2*sin(y)", "s^-1, rad s^-2 V^-1, rad s^-2"},
		{"h", "km/h", "km", "1", "c0*x + c1*y + c2*u", "h^-1, h^-2, km h^-2"},
		{"min", "kg", "m^2", "W/(m^2 K)", "c0*y*u", "kg min^-1 W^-1 K"},
	} {
		column := func(name, text string) dataset.Column {
			u, err := unit.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			return dataset.Column{Name: name, Unit: u, HasUnit: true}
		}
		tr := &Trajectories{Time: column("t", c.t), States: []dataset.Column{column("x", c.x), column("y", c.y), column("u", c.u)}, Inputs: 1, Order: 1}
		sr := &searcher{tr: tr, names: []string{"x", "y", "u"}}
		units, ok := sr.constantUnits(0, mustParse(c.law, sr.names...))
		if got := strings.Join(units, ", "); !ok || got != c.want {
			t.Errorf("%s with %s, %s, %s: %q, want %q", c.law, c.x, c.y, c.u, got, c.want)
		}
	}
}
