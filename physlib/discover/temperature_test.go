package discover

import (
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/regression"
)

// TestConstantUnitsOfTemperatures checks that temperatures of a table in degrees Celsius are told
// from differences of temperatures.
func TestConstantUnitsOfTemperatures(t *testing.T) {
	cooling := "t [min],T [°C]\n0,90\n5,77\n10,67\n15,58\n"
	for _, test := range []struct {
		csv, formula string
		want         string
	}{
		{cooling, "c0*exp(c1*t) + c2", "K, min^-1, °C"},
		{cooling, "a + (b - a)*exp(c*t)", "°C, °C, min^-1"},
		{strings.ReplaceAll(cooling, "°C", "K"), "c0*exp(c1*t) + c2", "K, min^-1, K"},
		{"T [°C],R [ohm]\n10,97\n20,101\n30,105\n", "a*(1 + b*(T - c))", "ohm, K^-1, °C"},
		{"T [°C],R [ohm]\n10,97\n20,101\n30,105\n", "a*T + b", "ohm K^-1, ohm"},
	} {
		table, _, err := dataset.Read(strings.NewReader(test.csv), "table.csv", dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		l, err := regression.Parse(test.formula, table)
		if err != nil {
			t.Fatal(err)
		}
		units, _ := ConstantUnits(table, l.Tree)
		if got := strings.Join(units, ", "); got != test.want {
			t.Errorf("%s: the constants of %s have the units %s, want %s", table.Target.Name, test.formula, got, test.want)
		}
	}
}
