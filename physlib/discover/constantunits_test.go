package discover_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
)

func TestConstantUnits(t *testing.T) {
	for _, test := range []struct {
		head, law string
		want      []string // nil: the law does not balance
	}{
		{"A [m^2],d [m],C [pF]", "c0*A/d + c1", []string{"pF m^-1", "pF"}},
		{"A [cm²],d [mm],C [pF]", "c0*A/d + c1", []string{"pF mm cm^-2", "pF"}},
		{"a [mm],b [m],F [N]", "c0*(a + b)", []string{""}}, // c0 contains a factor of 1000
		{"a [mm],b [m],F [N]", "c0*a + c1*b", []string{"N mm^-1", "N m^-1"}},
		{"t [d],n,count", "c0*(1 - exp(c1*t/c0))", []string{"", "d^-1"}}, // count has no dimension
		{"t [d],n,x [m]", "c0*t + c1*n", []string{"m d^-1", "m"}},
		{"T [K],n,C [J mol-1 K-1]", "c0 + c1*T", []string{"J mol-1 K-1", "J mol^-1 K^-2"}},
		{"R [ohm],n,P [W]", "c0**2*R/(R + c1)**2", []string{"V", "ohm"}},
		{"t [s],x [m],v [m/s]", "x + c0*t", nil},
		{"c [mg/L],n,q [mg/g]", "c0*c/(c + c1)", []string{"mg/g", "mg/L"}},
		{"t [d],n,w [%]", "c0*exp(c1*t) + c2", []string{"%", "d^-1", "%"}},
		{"w [%],n,R [ohm]", "c0*exp(c1*w)", []string{"ohm", "%^-1"}},
		{"a [deg],n,F [N]", "c0*sin(a) + c1", []string{"N", "N"}},
		{"d [cm],T [degC],A [m2]", "c0*d*(T - c1)", []string{"m^2 cm^-1 K^-1", "degC"}},
		{"d [cm],T [degC],A [m2]", "c0*d*(T + 273.15)**4", []string{"m^2 cm^-1 K^-4"}},
	} {
		table, _, err := dataset.Read(strings.NewReader(test.head+"\n1,2,3\n2,4,7\n3,5,8\n"), "t.csv", dataset.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tree, err := expr.Parse(test.law, table.InputNames())
		if err != nil {
			t.Fatal(err)
		}
		units, balanced := discover.ConstantUnits(table, tree)
		if balanced != (test.want != nil) || balanced && !slices.Equal(units, test.want) {
			t.Errorf("%s: %s: %q, balanced %v, want %q", test.head, test.law, units, balanced, test.want)
		}
	}
}
