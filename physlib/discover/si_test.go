package discover

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// A law in SI units has known constants and numbers of its own, but no conversion factors of the
// columns' units.
func TestInSI(t *testing.T) {
	const g, sun, au = 6.6743e-11, 1.989e30, 149597870700
	for _, test := range []struct {
		head, law string
		consts    []string
		y         func(a, b float64) float64 // the target, from columns in their own units
		start     float64
		want      string
	}{
		{"m [g],v [km/h],E [J]", "c0*m*v**2", nil,
			func(m, v float64) float64 { return 0.5e-3 * m * v * v / 3.6 / 3.6 }, 3.858e-5, "E = 1/2*m*v**2"},
		{"a [AU],b [K],v [km/s]", "c0/sqrt(a)", []string{"G=6.6743e-11[m^3/(kg s^2)]", "M=1.989e30[kg]"},
			func(a, _ float64) float64 { return math.Sqrt(g*sun/(a*au)) / 1e3 }, 29.8, "v = sqrt(G*M/a)"},
		{"a [km],M [kg],T [d]", "25/108*pi*a**(3/2)/sqrt(0.1*G*M)", []string{"G=6.6743e-11[m^3/(kg s^2)]"},
			func(a, m float64) float64 { return 2 * math.Pi * math.Sqrt(1e9*a*a*a/(g*m)) / 86400 }, 0, "T = 2*pi*a**(3/2)/sqrt(M*G)"},
		{"T [degC],V [L],p [kPa]", "c0*(T + 273.15)/V", nil,
			func(c, v float64) float64 { return 4.157 * (c + 273.15) / v }, 4.157, ""},
		{"T [degC],V [L],p [J]", "c0*T*V", nil, func(c, v float64) float64 { return 4.157 * c * v }, 4.157, ""},
		{"a [m],b [s],v [km/h]", "c0*a/b", nil, // 2.72 ± 0.02 is not e
			func(a, b float64) float64 { return 3.6 * 2.72 * a / b * (1 + 0.02*math.Sin(9*a)) }, 9.8, "v = 2.722*a/b"},
		{"x [m],t,y [J]", "c0*x*t", nil, func(x, t float64) float64 { return 4 * x * t }, 4, ""},
	} {
		var b strings.Builder
		b.WriteString(test.head + "\n")
		for i := range 12 {
			x, z := 1+0.37*float64(i), 2+float64(i*i%7)
			b.WriteString(strings.Join([]string{format(x), format(z), format(test.y(x, z))}, ",") + "\n")
		}
		d, _, err := dataset.Read(strings.NewReader(b.String()), "test", dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range test.consts {
			c, err := dataset.ParseConstant(text)
			if err != nil {
				t.Fatal(err)
			}
			d.Consts = append(d.Consts, c)
		}
		tree, err := expr.Parse(test.law, d.InputNames())
		if err != nil {
			t.Fatal(err)
		}
		l := law.Law{Tree: tree, Target: d.Target.Name, UnitsOK: true, Vars: d.InputNames()}
		if tree.NumParams() > 0 {
			l.Constants = []law.Constant{{Name: "c0", Value: test.start}}
		}
		if got := newRanking(task{t: d}, nil).inSI(l); got != test.want {
			t.Errorf("%s: %q, want %q", test.law, got, test.want)
		}
	}
}

func format(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
