package unit

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// TestParseSI compares units with the SI Brochure, CODATA 2022 and NIST SP 811. Nautical and
// astronomical units are compared with the IHO and the IAU.
func TestParseSI(t *testing.T) {
	for _, c := range []struct {
		in    string
		scale float64
		dim   string
	}{
		// notations
		{"m/s^2", 1, "m s^-2"}, {"kg m^2 s^-2", 1, "kg m^2 s^-2"}, {"J/(mol K)", 1, "kg m^2 s^-2 K^-1 mol^-1"},
		{"m^(1/2)", 1, "m^(1/2)"}, {"m^0.5", 1, "m^(1/2)"}, {"m^(-3/2)", 1, "m^(-3/2)"}, {"m**2", 1, "m^2"}, {"m²", 1, "m^2"},
		{"m^{-2}", 1, "m^-2"}, {"kg·m²", 1, "kg m^2"}, {"kg⋅m²·s⁻²", 1, "kg m^2 s^-2"}, {"kg m^-3", 1, "kg m^-3"},
		{"kg.m^-3", 1, "kg m^-3"}, {"kg*m^-3", 1, "kg m^-3"}, {"kg/m/s", 1, "kg m^-1 s^-1"}, {"1/s", 1, "s^-1"},
		{"s^-1", 1, "s^-1"}, {"s-1", 1, "s^-1"}, {"s−1", 1, "s^-1"}, {"m2", 1, "m^2"}, {"m2.kg", 1, "kg m^2"},
		{"kg m2 s-2", 1, "kg m^2 s^-2"}, {"m per s", 1, "m s^-1"}, {" m / s ", 1, "m s^-1"}, {"(m)", 1, "m"},
		{"(m/s)^2", 1, "m^2 s^-2"}, {"(m/s)2", 1, "m^2 s^-2"}, {"m/(s)", 1, "m s^-1"}, {"kg m^2/s^2", 1, "kg m^2 s^-2"},
		{"Pa s", 1, "kg m^-1 s^-1"}, {"Pa·s", 1, "kg m^-1 s^-1"}, {"V/sqrt(Hz)", 1, "kg m^2 s^(-5/2) A^-1"},
		{"V/√Hz", 1, "kg m^2 s^(-5/2) A^-1"}, {"kW h", 3.6e6, "kg m^2 s^-2"}, {"kWh", 3.6e6, "kg m^2 s^-2"},
		{"W/m^2 K^-1", 1, "kg s^-3 K^-1"}, {"W/m*K", 1, "kg m s^-3 K"}, {"lb-ft", 0.45359237 * 0.3048, "kg m"},
		{"10^-3 m", 1e-3, "m"}, {"10⁻³ m", 1e-3, "m"}, {"100 km", 1e5, "m"}, {"1e-3 m", 1e-3, "m"}, {"1/100 s", 1e-2, "s"},
		// dimensionless
		{"1", 1, "1"}, {"-", 1, "1"}, {"%", 0.01, "1"}, {"ppm", 1e-6, "1"}, {"dBm", 1, "1"}, {"dB/m", 1, "m^-1"}, {"rad", 1, "1"}, {"mrad", 1e-3, "1"}, {"sr", 1, "1"},
		{"deg", math.Pi / 180, "1"}, {"°", math.Pi / 180, "1"}, {"arcmin", math.Pi / 10800, "1"},
		{"arcsec", math.Pi / 648000, "1"}, {"mas", math.Pi / 648e6, "1"}, {"m/m", 1, "1"}, {"dimensionless", 1, "1"},
		// spellings that people use
		{"Volts", 1, "kg m^2 s^-3 A^-1"}, {"Angstrom", 1e-10, "m"},
		{"mm Hg", 133.322387415, "kg m^-1 s^-2"}, {"% RH", 0.01, "1"}, {"wt.%", 0.01, "1"}, {"vol%", 0.01, "1"}, {"at.%", 0.01, "1"}, {"ppmv", 1e-6, "1"},
		{"cells/mL", 1e6, "m^-3"}, {"cps", 1, "s^-1"}, {"cpm", 1. / 60, "s^-1"}, {"g/cc", 1e3, "kg m^-3"}, {"hrs", 3600, "s"}, {"mins", 60, "s"}, {"msec", 1e-3, "s"}, {"lbs", 0.45359237, "kg"},
		{"LPM", 1e-3 / 60, "m^3 s^-1"}, {"sccm", 1e-6 / 60, "m^3 s^-1"}, {"gpm", 0.003785411784 / 60, "m^3 s^-1"}, {"cfm", 0.3048 * 0.3048 * 0.3048 / 60, "m^3 s^-1"}, {"inH2O", 249.08891, "kg m^-1 s^-2"},
		{"µmol photons m-2 s-1", 1e-6, "m^-2 s^-1 mol"},
		{"Nm", 1, "kg m^2 s^-2"}, {"kNm", 1e3, "kg m^2 s^-2"}, {"mPas", 1e-3, "kg m^-1 s^-1"}, {"Nm3/h", 1. / 3600, "m^3 s^-1"}, {"W/mK", 1, "kg m s^-3 K^-1"}, {"W/(mK)", 1, "kg m s^-3 K^-1"},
		{"W/m2K", 1, "kg s^-3 K^-1"}, {"kJ/kgK", 1e3, "m^2 s^-2 K^-1"}, {"J/(molK)", 1, "kg m^2 s^-2 K^-1 mol^-1"}, {"V/mK", 1e3, "kg m^2 s^-3 A^-1 K^-1"},
		// prefixes
		{"Qm", 1e30, "m"}, {"Rm", 1e27, "m"}, {"Ym", 1e24, "m"}, {"Zm", 1e21, "m"}, {"Em", 1e18, "m"}, {"Pm", 1e15, "m"},
		{"Tm", 1e12, "m"}, {"Gm", 1e9, "m"}, {"Mm", 1e6, "m"}, {"km", 1e3, "m"}, {"hm", 1e2, "m"}, {"dam", 10, "m"},
		{"dm", 0.1, "m"}, {"cm", 1e-2, "m"}, {"mm", 1e-3, "m"}, {"µm", 1e-6, "m"}, {"μm", 1e-6, "m"}, {"um", 1e-6, "m"},
		{"nm", 1e-9, "m"}, {"pm", 1e-12, "m"}, {"fm", 1e-15, "m"}, {"am", 1e-18, "m"}, {"zm", 1e-21, "m"}, {"ym", 1e-24, "m"},
		{"rm", 1e-27, "m"}, {"qm", 1e-30, "m"}, {"cm^3", 1e-6, "m^3"}, {"mm^3", 1e-9, "m^3"}, {"g/cm^3", 1e3, "kg m^-3"},
		{"kilometres", 1e3, "m"}, {"microseconds", 1e-6, "s"}, {"meters/second", 1, "m s^-1"}, {"kilograms", 1, "kg"},
		// derived units
		{"N", 1, "kg m s^-2"}, {"J", 1, "kg m^2 s^-2"}, {"W", 1, "kg m^2 s^-3"}, {"Pa", 1, "kg m^-1 s^-2"}, {"V", 1, "kg m^2 s^-3 A^-1"},
		{"C", 1, "s A"}, {"F", 1, "kg^-1 m^-2 s^4 A^2"}, {"Ohm", 1, "kg m^2 s^-3 A^-2"}, {"Ω", 1, "kg m^2 s^-3 A^-2"}, {"\u2126", 1, "kg m^2 s^-3 A^-2"},
		{"S", 1, "kg^-1 m^-2 s^3 A^2"}, {"Wb", 1, "kg m^2 s^-2 A^-1"}, {"T", 1, "kg s^-2 A^-1"}, {"H", 1, "kg m^2 s^-2 A^-2"},
		{"lm", 1, "cd"}, {"lx", 1, "m^-2 cd"}, {"Bq", 1, "s^-1"}, {"Gy", 1, "m^2 s^-2"}, {"Sv", 1, "m^2 s^-2"}, {"kat", 1, "s^-1 mol"},
		{"Hz", 1, "s^-1"}, {"MHz", 1e6, "s^-1"}, {"kΩ", 1e3, "kg m^2 s^-3 A^-2"}, {"mol", 1, "mol"}, {"cd", 1, "cd"}, {"K", 1, "K"},
		{"\u212a", 1, "K"}, {"mA", 1e-3, "A"}, {"hPa", 100, "kg m^-1 s^-2"},
		// time, length, area, volume
		{"min", 60, "s"}, {"h", 3600, "s"}, {"d", 86400, "s"}, {"yr", 31557600, "s"}, {"a", 31557600, "s"}, {"Gyr", 31557600e9, "s"},
		{"ms", 1e-3, "s"}, {"in", 0.0254, "m"}, {"ft", 0.3048, "m"}, {"yd", 0.9144, "m"}, {"mi", 1609.344, "m"}, {"nmi", 1852, "m"},
		{"inches", 0.0254, "m"}, {"feet", 0.3048, "m"}, {"miles", 1609.344, "m"}, {"Å", 1e-10, "m"}, {"\u212b", 1e-10, "m"}, {"angstrom", 1e-10, "m"},
		{"AU", 149597870700, "m"}, {"au", 149597870700, "m"}, {"pc", 3.085677581491367e16, "m"}, {"Mpc", 3.085677581491367e22, "m"},
		{"ly", 9460730472580800, "m"}, {"punto", 0.94e-3, "m"}, {"ha", 1e4, "m^2"}, {"acre", 4046.8564224, "m^2"}, {"b", 1e-28, "m^2"},
		{"L", 1e-3, "m^3"}, {"l", 1e-3, "m^3"}, {"mL", 1e-6, "m^3"}, {"gal", 3.785411784e-3, "m^3"},
		// mass, speed, force, pressure
		{"g", 1e-3, "kg"}, {"mg", 1e-6, "kg"}, {"t", 1000, "kg"}, {"u", 1.66053906892e-27, "kg"}, {"Da", 1.66053906892e-27, "kg"},
		{"lb", 0.45359237, "kg"}, {"oz", 0.028349523125, "kg"}, {"Msun", 1.98841e30, "kg"}, {"kn", 1852. / 3600, "m s^-1"},
		{"mph", 0.44704, "m s^-1"}, {"mi/h", 0.44704, "m s^-1"}, {"km/h", 1 / 3.6, "m s^-1"}, {"dyn", 1e-5, "kg m s^-2"},
		{"lbf", 4.4482216152605, "kg m s^-2"}, {"kgf", 9.80665, "kg m s^-2"}, {"Gal", 0.01, "m s^-2"}, {"bar", 1e5, "kg m^-1 s^-2"},
		{"mbar", 100, "kg m^-1 s^-2"}, {"atm", 101325, "kg m^-1 s^-2"}, {"mmHg", 133.322387415, "kg m^-1 s^-2"},
		{"Torr", 133.32236842105263, "kg m^-1 s^-2"}, {"inHg", 3386.388640341, "kg m^-1 s^-2"}, {"psi", 6894.757293168361, "kg m^-1 s^-2"},
		{"cmH2O", 98.0665, "kg m^-1 s^-2"},
		// energy, power, fields, other units
		{"eV", 1.602176634e-19, "kg m^2 s^-2"}, {"keV", 1.602176634e-16, "kg m^2 s^-2"}, {"MeV", 1.602176634e-13, "kg m^2 s^-2"},
		{"GeV", 1.602176634e-10, "kg m^2 s^-2"}, {"cal", 4.184, "kg m^2 s^-2"}, {"kcal", 4184, "kg m^2 s^-2"},
		{"BTU", 1055.05585262, "kg m^2 s^-2"}, {"erg", 1e-7, "kg m^2 s^-2"}, {"hp", 745.6998715822702, "kg m^2 s^-3"},
		{"Lsun", 3.828e26, "kg m^2 s^-3"}, {"gauss", 1e-4, "kg s^-2 A^-1"}, {"G", 1e-4, "kg s^-2 A^-1"}, {"Oe", 79.57747154594767, "m^-1 A"}, {"emu", 1e-3, "m^2 A"}, {"emu/g", 1, "kg^-1 m^2 A"},
		{"P", 0.1, "kg m^-1 s^-1"}, {"cP", 1e-3, "kg m^-1 s^-1"}, {"St", 1e-4, "m^2 s^-1"}, {"Ci", 3.7e10, "s^-1"}, {"Jy", 1e-26, "kg s^-2"},
		{"D", 3.3356409519815204e-30, "m s A"}, {"mM", 1, "m^-3 mol"}, {"rpm", 0.10471975511965977, "s^-1"}, {"mAh", 3.6, "s A"},
		{"km/(s Mpc)", 3.2407792894443648e-20, "s^-1"}, {"degR", 5. / 9, "K"},
	} {
		u, err := Parse(c.in)
		if err != nil {
			t.Errorf("Parse(%q): %v", c.in, err)
			continue
		}
		if math.Abs(u.Scale/c.scale-1) > 4e-15 && !(c.in == "Msun" && math.Abs(u.Scale/c.scale-1) < 1e-5) {
			t.Errorf("Parse(%q).Scale = %.17g, want %.17g", c.in, u.Scale, c.scale)
		}
		if u.Dim.String() != c.dim || u.Offset != 0 || u.Name != strings.TrimSpace(c.in) {
			t.Errorf("Parse(%q) = %q, offset %g, name %q; want %q", c.in, u.Dim, u.Offset, u.Name, c.dim)
		}
	}
}

func TestParseExactPowersOfTen(t *testing.T) {
	for in, want := range map[string]float64{"mm^3": 1e-9, "cm^2": 1e-4, "g/cm^3": 1e3, "nm^2": 1e-18, "km^-1": 1e-3, "dm^3": 1e-3, "µs": 1e-6} {
		if u, err := Parse(in); err != nil || u.Scale != want {
			t.Errorf("Parse(%q).Scale = %g, want exactly %g", in, u.Scale, want)
		}
	}
}

func TestTemperature(t *testing.T) {
	for _, c := range []struct {
		in     string
		v, si  float64
		failed bool
	}{
		{"degC", 100, 373.15, false}, {"°C", 0, 273.15, false}, {"deg C", 20, 293.15, false}, {"celsius", -273.15, 0, false},
		{"Celsius", 0, 273.15, false}, {"ºC", 0, 273.15, false}, {"˚C", 0, 273.15, false}, {"oC", 0, 273.15, false}, {"Deg C", 0, 273.15, false}, {"degrees C", 0, 273.15, false}, {"deg. F", 32, 273.15, false},
		{"degF", 32, 273.15, false}, {"degF", 212, 373.15, false}, {"°F", -459.67, 0, false}, {"K", 5, 5, false},
		// scales with a zero point of their own are invalid in a compound unit
		{"J/degC", 0, 0, true}, {"degC^2", 0, 0, true}, {"m degF", 0, 0, true}, {"10 degC", 0, 0, true}, {"1/degC", 0, 0, true},
		{"degC^-1", 0, 0, true}, {"degC degF", 0, 0, true}, {"degC/degC", 0, 0, true}, {"degC rad", 0, 0, true}, {"sqrt(degC)", 0, 0, true},
		{"degC^1", 0, 0, true},
	} {
		u, err := Parse(c.in)
		if (err != nil) != c.failed {
			t.Errorf("Parse(%q): %v", c.in, err)
		} else if err == nil && math.Abs(u.ToSI(c.v)-c.si) > 1e-12 || err == nil && math.Abs(u.FromSI(c.si)-c.v) > 1e-12 {
			t.Errorf("%g %s = %g K, want %g", c.v, c.in, u.ToSI(c.v), c.si)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		in   string
		pos  int
		want string
	}{
		// unknown names and the nearest valid one
		{"Nms", 1, "did you mean"}, {"J/(molKs)", 4, "did you mean"}, {"KPa", 1, "did you mean kPa?"}, {"KM", 1, "did you mean km?"}, {"Nm2/kg2", 1, "did you mean N m?"},
		{"kgg", 1, "did you mean kg?"}, {"KG", 1, "did you mean kg?"}, {"Kg", 1, "did you mean kg?"}, {"m/S^2 hz", 7, "did you mean Hz?"}, {"Pascalls", 1, "did you mean"}, {"OC", 1, ""},
		{"kg/sce", 4, "did you mean sec?"}, {"pascl", 1, "did you mean pascal?"}, {"secnds", 1, "did you mean second"}, {"MPA", 1, "did you mean MPa?"},
		{"mb", 1, "mbar"}, {"xyzzyxyzzy", 1, "leave the unit out"}, {"q", 1, "leave the unit out"}, {"m ☃", 3, "unexpected"},
		// no unit at all
		{"", 1, "empty unit"}, {"  ", 1, "empty unit"}, {"()", 2, "a unit should stand here"}, {"*", 1, "unexpected"},
		// operators and parentheses
		{"m/", 3, "nothing"}, {"m//s", 3, "unexpected"}, {"(m", 1, "never closed"}, {"m)", 2, "unexpected"}, {"/s", 1, "unexpected"},
		{"m^2^3", 4, "unexpected"}, {"[m]", 1, "unexpected"}, {strings.Repeat("(", 50), 21, "too many parentheses"},
		{strings.Repeat("m ", 150), 201, "too long"},
		// exponents
		{"m^", 3, "exponent"}, {"m^x", 3, "exponent"}, {"m^(1/0)", 6, "denominator 0"}, {"m^(1/2", 3, "never closed"}, {"m^1/2", 4, "m^(1/2)"},
		{"m^99999", 3, "out of range"}, {"(m^999)^33", 1, "exponent out of range"}, {"(m^999)^32 m^999", 1, "exponent out of range"},
		{"((m^(1/997))^(1/991))", 1, "exponent out of range"}, {"s/(m^999)^-33", 1, "exponent out of range"}, {"m^0.12345", 3, "out of range"}, {"m⁻", 2, "exponent"}, {"km^999", 1, "scale out of range"}, {"m^99999999999999999999", 3, "exponent"},
		// a product after a slash
		{"J/mol K", 7, "ambiguous"}, {"W/m·K", 4, "ambiguous"}, {"0 m", 1, "not a factor"},
	} {
		_, err := Parse(c.in)
		var e *SyntaxError
		if !errors.As(err, &e) {
			t.Errorf("Parse(%q): error %v", c.in, err)
			continue
		}
		if e.Pos != c.pos || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("Parse(%q): %v (position %d); want position %d and %q", c.in, err, e.Pos, c.pos, c.want)
		}
	}
}

// TestNames checks that every name is parsed as its own unit, and that only known collisions of
// names occur.
func TestNames(t *testing.T) {
	if len(names()) < 2000 {
		t.Errorf("only %d names", len(names()))
	}
	for _, name := range names() {
		u, err := Parse(name)
		if err != nil || !(u.Scale > 0) {
			t.Errorf("Parse(%q) = %v, %v", name, u, err)
		}
	}
	// Names that could also be read as a prefix with another unit.
	for name, want := range map[string]string{
		"min": "s", "cd": "cd", "Pa": "kg m^-1 s^-2", "ha": "m^2", "ft": "m", "mol": "mol", "kat": "s^-1 mol", "Gal": "m s^-2", "T": "kg s^-2 A^-1",
		"Gy": "m^2 s^-2", "nmi": "m", "au": "m", "dyn": "kg m s^-2", "Torr": "kg m^-1 s^-2", "pt": "", "PS": "kg^-1 m^-2 s^3 A^2", "mT": "kg s^-2 A^-1",
		"hp": "kg m^2 s^-3", "Mx": "kg m^2 s^-2 A^-1", "as": "s", "dad": "", "mt": "", "at": "kg m^-1 s^-2", "kn": "m s^-1", "mil": "m",
	} {
		u, err := Parse(name)
		if (err != nil) != (want == "") || err == nil && u.Dim.String() != want {
			t.Errorf("Parse(%q) = %v, %v; want %q", name, u.Dim, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"m/s^2", "kg m^2 s^-2", "J/(mol K)", "m^(1/2)", "µm", "°C", "V/√Hz", "10⁻³ m", "W/m*K", "m**-1.5", "((m))2",
		"mmH2O", "J/mol K", "m^", "(", "1e", "kgg", "s−1", "%", "", "\xff", "m.5", "1e999 m", "Ym^99", "a per b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := Parse(s)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("Parse(%q): error of several lines: %v", s, err)
			}
			return
		}
		if !(u.Scale > 0) || math.IsInf(u.Scale, 0) {
			t.Errorf("Parse(%q).Scale = %g", s, u.Scale)
		}
		if again, err := Parse(u.Name); err != nil || again != u {
			t.Errorf("Parse(%q) reads back as %v, %v", s, again, err)
		}
		if si, err := Parse(u.Dim.String()); err == nil && si.Dim != u.Dim {
			t.Errorf("%q prints as %q, which reads as %q", s, u.Dim, si.Dim)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Parse("kg m^2 s^-2")
	}
}

// Element returns only chemical symbols that Parse would read as a unit.
func TestElement(t *testing.T) {
	for text, want := range map[string]string{"mg C/L": "C", "µg N": "N", "g P/m^3": "P", "mol C m^-2": "C", "mg/L": "", "g C/mol": "C", "C/g": "", "kg K": "K", "mg C2": ""} {
		if symbol, _, _, _ := Element(text); symbol != want {
			t.Errorf("%s: %q, want %q", text, symbol, want)
		}
	}
	if _, read, write, _ := Element("mg C/L"); read != "coulomb" || write != "mg/L" {
		t.Errorf("mg C/L is read in %s, write %s", read, write)
	}
}

func TestDoubtful(t *testing.T) {
	for text, want := range map[string]string{"V/mK": "V/(m K)", "V/(mK)": "V/(m K)", "W/mK": "", "W/(mK)": "", "W/(m K)": "", "mK": "", "K/mm": "", "W m^-1 K^-1": ""} {
		if _, write, ok := Doubtful(text); write != want || ok != (want != "") {
			t.Errorf("%s: write %q, %v; want %q", text, write, ok, want)
		}
	}
}
