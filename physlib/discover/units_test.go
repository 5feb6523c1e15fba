package discover_test

import (
	"math"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/discover"
)

// A reported law computes the target from the table's own numbers, whatever their units.
func TestUnits(t *testing.T) {
	for _, test := range []struct{ name, law, target, columns string }{
		// coherent systems
		{"SI", "m*v**2/2", "E:J", "m:1:5:kg v:1:9:m/s"},
		{"another time", "d/t", "v:km/h", "d:1:9:km t:1:9:h"},
		{"one column scaled", "v*t", "s:m", "v:1:9:m/s t:1:9:min"},
		// incoherent systems
		{"km/h with s", "v*t", "s:m", "v:36:90:km/h t:1:9:s"},
		{"pounds and grams", "m*a", "F:lbf", "m:100:900:g a:10:99:cm/s^2"},
		{"stopping distance", "v**2/(2*a)", "d:ft", "v:20:90:mi/h a:2:9:m/s^2"},
		{"a sum", "x + v*t", "s:km", "x:1:900:m v:36:90:km/h t:10:90:s"},
		{"electronvolts", "h*c/l", "E:eV", "l:300:900:nm h:6.62607015e-34:6.62607015e-34:J_s c:299792458:299792458:m/s"},
		// angles
		{"degrees", "v**2*sin(2*theta)/g", "R:m", "v:5:30:m/s theta:10:80:deg g:1:20:m/s^2"},
		{"degrees and km/h", "v*cos(theta)", "w:km/h", "v:36:90:km/h theta:10:80:deg"},
		{"an angle in degrees", "asin(sin(theta)/n)", "phi:deg", "theta:5:85:deg n:1.2:2:1"},
		{"turns", "sin(omega*t)", "x:1", "omega:1:9:rpm t:1:5:s"},
		// units with a zero of their own
		{"Celsius", "n*8.314462618*T/V", "p:kPa", "n:1:5:mol T:5:95:degC V:10:50:L R:8.314462618:8.314462618:J/(mol_K)"},
		{"Celsius in a ratio", "V*T/S", "W:L", "V:1:5:L T:5:95:degC S:5:95:degC"},
		{"Fahrenheit", "c*T", "u:J/kg", "T:10:200:degF c:1:5:J/(kg_K)"},
		{"a target in Celsius", "(m*T + n*S)/(m + n)", "U:degC", "m:1:5:kg n:1:5:kg T:5:95:degC S:5:95:degC"},
		{"a target in Fahrenheit", "T*V/W", "U:degF", "T:5:95:degC V:2:3:L W:2:3:L"},
		// percent, so that the law contains a factor of 1/100
		{"percent", "m*x", "n:kg", "m:1:5:kg x:5:95:%"},
		// units of some columns only
		{"one unknown unit", "3*m*v**2", "E:J", "m:1:5:kg v:1:9"},
		{"no units", "3*m*v**2", "E", "m:1:5 v:1:9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := measured(t, test.law, test.target, test.columns, 60)
			r := found(t, table, discover.Settings{Evaluations: 1000})
			if e := misfit(r.Best, table); e > 1e-8 {
				t.Errorf("%s leaves %.1e", r.Best.Infix(), e)
			}
			if !r.Best.UnitsOK {
				t.Errorf("%s does not balance", r.Best.Infix())
			}
			for _, l := range r.Front {
				if e := misfit(l, table); !(l.RMSE >= 0) || e < 1e-9 && l.R2 < 0.999999 {
					t.Errorf("%s: R² %v, RMSE %v, largest error %.1e", l.Infix(), l.R2, l.RMSE, e)
				}
			}
		})
	}
}

// Laws are found in columns of very different magnitudes in SI units, from below 1e-13 to above
// 1e26.
func TestScales(t *testing.T) {
	const g, k, sb = 6.6743e-11, 8.9875517923e9, 5.670374419e-8
	for _, test := range []struct {
		name, law, target, columns string
		constants                  []float64
	}{
		{"gravity", "6.6743e-11*m*n/r**2", "F:N", "m:1e24:1e27:kg n:1e29:1e31:kg r:1e10:1e12:m", []float64{g}},
		{"gravity without units", "6.6743e-11*m*n/r**2", "F", "m:1e24:1e27 n:1e29:1e31 r:1e10:1e12", nil},
		{"Coulomb", "8.9875517923e9*q*p/r**2", "F:N", "q:1.6e-19:5e-18:C p:1.6e-19:5e-18:C r:1e-11:1e-9:m", []float64{k}},
		{"Stefan and Boltzmann", "4*pi*r**2*5.670374419e-8*T**4", "L:W", "r:1e8:1e10:m T:3000:30000:K", []float64{4 * math.Pi * sb}},
		{"tiny", "a*b", "c:m^2", "a:1e-13:1e-11:m b:1e-13:1e-12:m", nil},
		{"tiny and huge", "a*b", "c", "a:1e-13:1e-11 b:1e24:1e26", nil},
		{"a sum of them", "a*b + c", "d", "a:1e-13:1e-12 b:1e25:1e26 c:1e12:1e13", nil},
		{"relativity", "m*299792458**2", "E:J", "m:1e-31:1e-27:kg", []float64{299792458. * 299792458.}},
	} {
		t.Run(test.name, func(t *testing.T) {
			table := measured(t, test.law, test.target, test.columns, 80)
			best := found(t, table, discover.Settings{}).Best
			if e := misfit(best, table); e > 1e-8 {
				t.Fatalf("%s leaves %.1e", best.Infix(), e)
			}
			for _, want := range test.constants {
				if !slices.ContainsFunc(best.Params(), func(c float64) bool { return math.Abs(c-want) < 1e-8*want }) {
					t.Errorf("%s has the constants %v, want %v", best.Infix(), best.Params(), want)
				}
			}
		})
	}
}

// A law contains a known constant by its name, and a constant without influence is omitted.
func TestKnownConstants(t *testing.T) {
	table := measured(t, "m*g*h", "E:kJ", "m:1:9:kg h:1:90:m g:9.80665:9.80665:m/s^2 c:299792458:299792458:m/s", 60)
	best := found(t, table, discover.Settings{}).Best
	if e := misfit(best, table); e > 1e-9 || !slices.Contains(best.Tree.Vars(), 2) || slices.Contains(best.Tree.Vars(), 3) {
		t.Errorf("%s leaves %.1e; want g in it and no c", best.Infix(), e)
	}
	if len(best.Params()) > 0 {
		t.Errorf("%s has constants of its own", best.Infix())
	}
	if want := []string{"m", "h", "g", "c"}; !slices.Equal(best.Vars, want) {
		t.Errorf("the variables are %v, want %v", best.Vars, want)
	}
}

// NoUnits searches a table as if it had none.
func TestNoUnits(t *testing.T) {
	table := measured(t, "m + v", "E", "m:1:9 v:1:9", 60)
	for i, u := range []string{"kg", "m/s"} {
		table.Vars[i].Unit, table.Vars[i].HasUnit = unitOf(t, u), true
	}
	table.Target.Unit, table.Target.HasUnit = unitOf(t, "J"), true
	best := found(t, table, discover.Settings{NoUnits: true}).Best
	if e := misfit(best, table); e > 1e-9 {
		t.Errorf("%s leaves %.1e", best.Infix(), e)
	}
}
