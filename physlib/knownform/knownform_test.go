package knownform

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/regression"
)

// cooling is a table of the temperature of a body that is at 90 °C at first. The room is at 20 °C,
// and the time constant is 25 min.
const cooling = "t [min],T [°C]\n0,90.2\n5,77.1\n10,67.0\n15,58.4\n20,51.3\n30,41.2\n40,34.0\n60,26.5\n80,22.7\n"

func fitted(t *testing.T, csv, formula string) (*dataset.Table, law.Law) {
	t.Helper()
	table, _, err := dataset.Read(strings.NewReader(csv), "table.csv", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := regression.Parse(formula, table)
	if err != nil {
		t.Fatal(err)
	}
	r, err := regression.Fit(l, table, regression.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return table, r.Law
}

func TestOf(t *testing.T) {
	for _, test := range []struct{ name, csv, found, known, want string }{
		{"cooling", cooling, "c0*exp(c1*t) + c2", "Newton's law of cooling", "T_a + (T_0 - T_a)*exp(-t/tau)"},
		{"saturation", "S [mM],v [mM/s]\n1,2.1\n2,3.4\n4,5.0\n8,6.6\n16,8.1\n32,8.8\n", "c0/(1 + c1/S)",
			"Michaelis-Menten kinetics", "V_max*S/(K_m + S)"},
		{"years of the calendar", "year,n\n1990,100\n1992,128\n1995,184\n1999,299\n2004,548\n", "c0*exp(c1*(year - 1990))",
			"Exponential population growth", "N_0*exp(r*(year - 1990))"},
		{"a column with a parameter's name", "K_m [mM],v [mM/s]\n1,2.1\n2,3.4\n4,5.0\n8,6.6\n16,8.1\n32,8.8\n", "c0*K_m/(c1 + K_m)",
			"Michaelis-Menten kinetics", "V_max*K_m/(K_m_ + K_m)"},
	} {
		table, found := fitted(t, test.csv, test.found)
		got, ok := Of(table, found, []string{"No such law", test.known})
		if !ok || got.Name != test.known || got.Formula != test.want {
			t.Errorf("%s: %q %s %v, want %s", test.name, got.Name, got.Formula, ok, test.want)
			continue
		}
		_, direct := fitted(t, test.csv, got.Formula)
		for _, k := range got.Constants {
			for _, d := range direct.Constants {
				if k.Name == d.Name && !(math.Abs(k.Value-d.Value) < 1e-3*d.StdErr && math.Abs(k.StdErr-d.StdErr) < 1e-3*d.StdErr) {
					t.Errorf("%s: %s is %g ± %g, a direct fit gives %g ± %g", test.name, k.Name, k.Value, k.StdErr, d.Value, d.StdErr)
				}
			}
		}
	}
}

func TestInUsualUnit(t *testing.T) {
	ohm := "I [mA],V [V]\n10,2.2\n20,4.3\n30,6.7\n40,8.7\n"
	table, found := fitted(t, ohm, "c0*I")
	form, ok := Of(table, found, []string{"Ohm's law"})
	if !ok {
		t.Fatal("V = R*I is not Ohm's law")
	}
	for _, test := range []struct {
		unit, want string
	}{
		{"V mA^-1", "ohm"}, // two factors
		{"kohm", ""},       // as short as the unit of the catalogue
		{"V", ""},          // another dimension
		{"", ""},
	} {
		form.Constants[0].Unit = test.unit
		k, ok := form.InUsualUnit(0)
		if ok != (test.want != "") || ok && k.Unit != test.want {
			t.Errorf("unit %q: %v %s, want %s", test.unit, ok, k.Unit, test.want)
		}
		if ok && math.Abs(k.Value-1000*form.Constants[0].Value) > 1e-9*k.Value || ok && k.StdErr != 1000*form.Constants[0].StdErr {
			t.Errorf("%s: %g ± %g, want 1000 times %+v", test.unit, k.Value, k.StdErr, form.Constants[0])
		}
	}
}

func TestOfOther(t *testing.T) {
	for _, test := range []struct{ name, csv, found, known string }{
		{"another function", cooling, "c0*exp(c1*t) + c2", "Logistic growth"},
		{"other quantities", cooling, "c0*exp(c1*t) + c2", "Capacitor discharge"},
		{"other sign", "t [min],T [°C]\n0,20\n5,22\n10,25.1\n15,30.2\n20,37\n30,62\n", "c0*exp(c1*t) + c2", "Newton's law of cooling"},
		{"undetermined parameters", cooling, "c0*exp(c1*t) + c2", "First-order plus dead time step response"},
		{"no names", cooling, "c0*exp(c1*t) + c2", ""},
	} {
		table, found := fitted(t, test.csv, test.found)
		if got, ok := Of(table, found, []string{test.known}); ok {
			t.Errorf("%s: %s = %s", test.name, got.Name, got.Formula)
		}
	}
}

// TestOfConstantsOfNature checks that a law with constants of nature has parameters in SI units. In
// the example, the Sun's mass is calculated from the orbits of the planets.
func TestOfConstantsOfNature(t *testing.T) {
	table, found := fitted(t, "a [AU],T [d]\n0.387,87.97\n0.723,224.7\n1,365.26\n1.524,686.98\n5.203,4332.6\n", "c0*a**(3/2)")
	got, ok := Of(table, found, []string{"Kepler's third law"})
	if !ok || !got.SI || len(got.Constants) != 1 || got.Constants[0].Unit != "kg" {
		t.Fatalf("%+v %v", got, ok)
	}
	if m := got.Constants[0]; math.Abs(m.Value-1.9885e30) > 5e27 || !(m.StdErr > 0) {
		t.Errorf("the mass of the Sun is %g ± %g kg", m.Value, m.StdErr)
	}
}

func TestFoldPhases(t *testing.T) {
	csv := "t [s],x [mm]\n"
	for i := range 60 {
		u := 0.1 * float64(i)
		csv += fmt.Sprintf("%g,%g\n", u, 3+14*math.Exp(-0.4*u)*math.Cos(5.4*u+0.4))
	}
	table, found := fitted(t, csv, "c0*exp(-c1*t)*cos(c2*t + c3) + c4")
	w, ok := newWanted(table, found)
	if !ok {
		t.Fatal("the law has no form of a catalogue")
	}
	parameters := []corpus.Quantity{{Unit: "mm"}, {Unit: "s^-1"}, {Unit: "s^-1"}, {Unit: "rad"}, {Unit: "rad"}}
	far := found.Params()
	far[3] -= 4 * math.Pi
	if got := w.foldPhases(found.Tree, far, parameters); math.Abs(math.Abs(got[3])-0.4) > 1e-3 || got[4] != far[4] {
		t.Errorf("the phase %g is folded to %g; the offset %g becomes %g", far[3], got[3], far[4], got[4])
	}
}

// A reference quantity is 1 in the unit of a column, whatever its unit in the catalogue is.
func TestReferences(t *testing.T) {
	for _, test := range []struct {
		name, csv, found, known string
		constant                string // a constant of the known form
		equals                  string // the constant of the found law that it equals
		reference               string
	}{
		{"a time in min", "t [min],eps [%]\n1,0.3\n2,0.352\n4,0.417\n8,0.5\n16,0.605\n32,0.737\n", "c0 + c1*t**(1/3)",
			"Andrade primary creep without steady creep", "b", "c1", "t_1 = 1 min"},
		{"a mass in g", "m [g],P [kcal/day]\n20,3.7\n300,28.2\n4000,196\n60000,1500\n", "c0*m**c1", "Kleiber's law", "B_0", "c0", "M_0 = 1 g"},
		{"a pressure in mmHg", "T [°C],p [mmHg]\n0,12\n20,43.9\n40,135\n60,352\n80,812\n100,1690\n", "c0*10**(-c1/(c2 + T))",
			"Antoine equation", "B", "c1", "p_u = 1 mmHg"},
	} {
		table, found := fitted(t, test.csv, test.found)
		got, ok := Of(table, found, []string{test.known})
		if !ok || got.SI || len(got.References) != 1 {
			t.Errorf("%s: %v, references %v", test.name, ok, got.References)
			continue
		}
		if r := got.References[0]; fmt.Sprintf("%s = %g %s", r.Name, r.Value, r.Unit.Name) != test.reference {
			t.Errorf("%s: the reference is %s = %g %s", test.name, r.Name, r.Value, r.Unit.Name)
		}
		value := func(list []law.Constant, name string) float64 {
			return list[slices.IndexFunc(list, func(k law.Constant) bool { return k.Name == name })].Value
		}
		if a, b := value(got.Constants, test.constant), value(found.Constants, test.equals); !(math.Abs(a/b-1) < 1e-6) {
			t.Errorf("%s: %s is %g, %s of the found law %g", test.name, test.constant, a, test.equals, b)
		}
	}
}
