package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/physlib/lab/physlib/spelling"
	"github.com/physlib/lab/physlib/unit"
)

// natural is a constant of nature.
type natural struct {
	name   string
	value  float64
	stderr float64 // 0: exact
	unit   string
	title  string
}

// codata are the constants of nature from CODATA 2022 (P. J. Mohr, D. B. Newell, B. N. Taylor and
// E. Tiesinga, Rev. Mod. Phys. 97 (2025) 025002), together with some conventional values.
var codata = []natural{
	{"c", 299792458, 0, "m/s", "speed of light"},
	{"G", 6.67430e-11, 0.00015e-11, "m^3/(kg s^2)", "gravitational constant"},
	{"h", 6.62607015e-34, 0, "J s", "Planck constant"},
	{"hbar", 1.0545718176461565e-34, 0, "J s", "reduced Planck constant"},
	{"k_B", 1.380649e-23, 0, "J/K", "Boltzmann constant"},
	{"e", 1.602176634e-19, 0, "C", "elementary charge"},
	{"N_A", 6.02214076e23, 0, "1/mol", "Avogadro constant"},
	{"R", 8.31446261815324, 0, "J/(mol K)", "molar gas constant"},
	{"F", 96485.33212331001, 0, "C/mol", "Faraday constant"},
	{"sigma_SB", 5.6703744191844294e-08, 0, "W/(m^2 K^4)", "Stefan-Boltzmann constant"},
	{"b_W", 2.897771955185172e-3, 0, "m K", "Wien displacement constant"},
	{"eps_0", 8.8541878188e-12, 0.0000000014e-12, "F/m", "vacuum electric permittivity"},
	{"mu_0", 1.25663706127e-6, 0.00000000020e-6, "N/A^2", "vacuum magnetic permeability"},
	{"alpha", 7.2973525643e-3, 0.0000000011e-3, "1", "fine-structure constant"},
	{"m_e", 9.1093837139e-31, 0.0000000028e-31, "kg", "electron mass"},
	{"m_p", 1.67262192595e-27, 0.00000000052e-27, "kg", "proton mass"},
	{"m_n", 1.67492750056e-27, 0.00000000085e-27, "kg", "neutron mass"},
	{"m_u", 1.66053906892e-27, 0.00000000052e-27, "kg", "atomic mass constant"},
	{"a_0", 5.29177210544e-11, 0.00000000082e-11, "m", "Bohr radius"},
	{"R_inf", 10973731.568157, 0.000012, "1/m", "Rydberg constant"},
	{"mu_B", 9.2740100657e-24, 0.0000000029e-24, "J/T", "Bohr magneton"},
	{"g_n", 9.80665, 0, "m/s^2", "standard acceleration of gravity"},
	{"atm", 101325, 0, "Pa", "standard atmosphere"},
}

// naturals returns the constants of codata in their order, with their units.
var naturals = sync.OnceValue(func() (all []Constant) {
	for _, k := range codata {
		u, err := unit.Parse(k.unit)
		if err != nil {
			panic(err) // a test makes sure that the units parse
		}
		all = append(all, Constant{Name: k.name, Value: k.value, StdErr: k.stderr, Unit: u, HasUnit: true})
	}
	return all
})

// NaturalNear returns the symbol of the constant of nature with the dimension d that is nearest to
// v, in SI units, if it is within two standard errors. It returns "" if there is none, or if d has
// fewer than two base dimensions: any length may happen to be near the Bohr radius.
func NaturalNear(v, stderr float64, d unit.Dim) (name string) {
	bases := 0
	for _, e := range d {
		if !e.IsZero() {
			bases++
		}
	}
	if bases < 2 {
		return ""
	}
	least := 2 * stderr
	for _, k := range naturals() {
		if off := math.Abs(v - k.Unit.ToSI(k.Value)); k.Unit.Dim == d && off <= least {
			name, least = k.Name, off
		}
	}
	return name
}

// Natural returns the constant of nature with the given symbol, such as "k_B", in SI units. The
// error of an unknown symbol lists the known symbols.
func Natural(name string) (Constant, error) {
	var names []string
	for _, k := range codata {
		names = append(names, k.name)
	}
	i := slices.Index(names, name)
	if i < 0 {
		hint := "known ones are " + strings.Join(names, ", ")
		if near := spelling.Nearest(name, names); near != "" {
			hint = "did you mean " + near + "? " + hint
		}
		return Constant{}, fmt.Errorf("constant %q has no = and is not a constant of nature; write it as g=9.80665[m/s^2]; %s", name, hint)
	}
	return naturals()[i], nil
}
