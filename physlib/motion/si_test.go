package motion

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

// Conversion factors between the units of columns are exact, and the law in SI units is free of
// them. Constants that contain such factors get no wrong unit.
func TestConversions(t *testing.T) {
	if testing.Short() {
		t.Skip("searches for seconds")
	}
	for _, c := range []struct {
		t, x, v string // units
		first   string // the law of x
		si      string // the laws in SI units
		units   string // the units of the constants of the law of v
	}{
		{"ms", "m", "m/s", "0.001*v", "dx_dt = v, dv_dt = -2*x - 2/5*v", "s^-1 ms^-1, ms^-1"},
		{"s", "cm", "m/s", "100*v", "dx_dt = v, dv_dt = -2*x - 2/5*v", "m s^-2 cm^-1, s^-1"},
		{"h", "km", "km/h", "v", ", ", "h^-2, h^-1"},
	} {
		second, _ := unit.Parse(c.t)
		metre, _ := unit.Parse(c.x)
		speed, _ := unit.Parse(c.v)
		rng := rand.New(rand.NewPCG(3, 1))
		table := &dataset.Table{Name: "a.csv", Vars: []dataset.Column{{Name: "t", Unit: second, HasUnit: true}, {Name: "x", Unit: metre, HasUnit: true}},
			Target: dataset.Column{Name: "v", Unit: speed, HasUnit: true}}
		const decay = 0.2
		turn := math.Sqrt(2 - decay*decay)
		for i := range 150 {
			at := 0.06 * float64(i)
			noise := func() float64 { return 0.002 * rng.NormFloat64() }
			e := math.Exp(-decay * at)
			x := e*math.Cos(turn*at) + noise()
			v := e*(-decay*math.Cos(turn*at)-turn*math.Sin(turn*at)) + noise()
			table.Vars[0].Values = append(table.Vars[0].Values, second.FromSI(at))
			table.Vars[1].Values = append(table.Vars[1].Values, metre.FromSI(x))
			table.Target.Values = append(table.Target.Values, speed.FromSI(v))
		}
		tr, _, err := Read(table, Options{})
		if err != nil {
			t.Fatal(err)
		}
		found, err := Discover(context.Background(), tr, Settings{Time: 4 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		var si, units []string
		for _, e := range found.Equations {
			si = append(si, e.Law.SI)
		}
		for _, constant := range found.Equations[1].Law.Constants {
			units = append(units, constant.Unit)
		}
		first := found.Equations[0].Law.Display(6)
		if first != c.first || strings.Join(si, ", ") != c.si || strings.Join(units, ", ") != c.units {
			t.Errorf("%s, %s and %s: dx_dt = %s, in SI units %q, units of constants %q; want %s, %q, %q", c.t, c.x, c.v, first, si, units, c.first, c.si, c.units)
		}
	}
}
