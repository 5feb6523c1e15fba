package discover

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/regression"
)

// TestConstantUnitsOfTemperatures checks that temperatures in degrees Celsius or Fahrenheit are
// distinguished from temperature differences.
func TestConstantUnitsOfTemperatures(t *testing.T) {
	cooling := "t [min],T [°C]\n0,90\n5,77\n10,67\n15,58\n"
	for _, test := range []struct {
		csv, formula string
		want         string
	}{
		{cooling, "c0*exp(c1*t) + c2", "K, min^-1, °C"},
		{cooling, "a + (b - a)*exp(c*t)", "°C, °C, min^-1"},
		{strings.ReplaceAll(cooling, "°C", "K"), "c0*exp(c1*t) + c2", "K, min^-1, K"},
		{strings.ReplaceAll(cooling, "°C", "°F"), "c0*exp(c1*t) + c2", "degR, min^-1, °F"},
		{strings.ReplaceAll(cooling, "°C", "°F"), "a + (b - a)*exp(c*t)", "°F, °F, min^-1"},
		{"T [°F],U [°C]\n32,0\n50,10\n68,20\n", "a*(T - b)", ", "},
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

// TestMixing checks that water of two temperatures in °C, mixed and measured to 0.15 K, has the
// weighted mean as its law, without another constant.
func TestMixing(t *testing.T) {
	const csv = `m1 [g],T1 [°C],m2 [g],T2 [°C],T [°C]
100,20,100,80,50.0
150,18,80,90,43.1
200,21,50,75,31.8
80,19,160,60,46.2
120,25,120,70,47.6
60,22,200,85,70.5
180,20,90,65,34.9
140,17,70,95,43.0
90,23,130,55,42.2
110,19,60,88,43.4
`
	table, _, err := dataset.Read(strings.NewReader(csv), "mix.csv", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Discover(context.Background(), table, Settings{Evaluations: 5000, Time: -1})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Best.Tree; got.NumParams() > 0 || len(got.Vars()) != 4 {
		t.Errorf("%v, want the mean of the temperatures, weighted with the masses", r.Best)
	}
}

// TestReadableDecimals checks that the 273.15 of two temperatures cancels in their difference and
// remains elsewhere.
func TestReadableDecimals(t *testing.T) {
	table, _, err := dataset.Read(strings.NewReader("a,b,y\n10,40,5\n20,70,6\n0,50,7\n"), "t.csv", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := expr.Parse("c0*(b + 273.15)/((b + 273.15) - (a + 273.15))", []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	got := readable(tree.WithStarts([]float64{2}), table)
	if want := "c0*(b + 273.15)/(b - a)"; got.Infix([]string{"a", "b"}) != want || math.Abs(got.Params()[0]-2) > 1e-12 {
		t.Errorf("%s with c0 = %g, want %s with 2", got.Infix([]string{"a", "b"}), got.Params()[0], want)
	}
}
