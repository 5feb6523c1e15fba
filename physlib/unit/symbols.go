package unit

import (
	"math"
	"strings"
	"sync"
)

// symbol is a unit with its names. Its SI value is mant * 10^exp10. The power of ten is stored
// separately so that cm^3 is exactly 1e-6.
type symbol struct {
	names    string // symbols, separated by spaces; they may have short prefixes
	words    string // full names, separated by spaces; they may have long prefixes and a plural s
	dim      Dim
	mant     float64
	exp10    int
	prefixes string  // short prefixes that names may have, separated by spaces
	offset   float64 // SI value of zero in this unit
}

const (
	metric = "k m c µ M G n d h da T p f a P E Z Y z y R Q r q"
	large  = "k M G T"
	small  = "m µ n p f"
	none   = ""
)

var prefixes = map[string]struct {
	exp10 int
	word  string
}{
	"Q": {30, "quetta"}, "R": {27, "ronna"}, "Y": {24, "yotta"}, "Z": {21, "zetta"}, "E": {18, "exa"},
	"P": {15, "peta"}, "T": {12, "tera"}, "G": {9, "giga"}, "M": {6, "mega"}, "k": {3, "kilo"}, "h": {2, "hecto"},
	"da": {1, "deca"}, "d": {-1, "deci"}, "c": {-2, "centi"}, "m": {-3, "milli"}, "µ": {-6, "micro"}, "n": {-9, "nano"},
	"p": {-12, "pico"}, "f": {-15, "femto"}, "a": {-18, "atto"}, "z": {-21, "zepto"}, "y": {-24, "yocto"},
	"r": {-27, "ronto"}, "q": {-30, "quecto"},
}

var (
	number   = Powers()
	length   = Powers(0, 1)
	area     = Powers(0, 2)
	volume   = Powers(0, 3)
	flow     = Powers(0, 3, -1)
	mass     = Powers(1)
	duration = Powers(0, 0, 1)
	rate     = Powers(0, 0, -1)
	speed    = Powers(0, 1, -1)
	gravity  = Powers(0, 1, -2)
	force    = Powers(1, 1, -2)
	pressure = Powers(1, -1, -2)
	energy   = Powers(1, 2, -2)
	power    = Powers(1, 2, -3)
	charge   = Powers(0, 0, 1, 1)
	heat     = Powers(0, 0, 0, 0, 1)
)

// symbols lists the units. If a name can be read in two ways, the reading without a prefix has
// precedence, and then the unit on the earlier line.
var symbols = []symbol{
	// SI base units (SI Brochure, 9th edition)
	{"m", "metre meter", length, 1, 0, metric, 0},
	{"s", "second sec", duration, 1, 0, metric, 0},
	{"g", "gram gramme", mass, 1, -3, metric, 0},
	{"mcg", "", mass, 1, -9, none, 0}, // of medicine
	{"A", "ampere amp", Powers(0, 0, 0, 1), 1, 0, metric, 0},
	{"K", "kelvin", heat, 1, 0, metric, 0},
	{"mol", "mole", Powers(0, 0, 0, 0, 0, 1), 1, 0, metric, 0},
	{"cd", "candela", Powers(0, 0, 0, 0, 0, 0, 1), 1, 0, metric, 0},
	// SI derived units
	{"N", "newton", force, 1, 0, metric, 0},
	{"J", "joule", energy, 1, 0, metric, 0},
	{"W", "watt", power, 1, 0, metric, 0},
	{"Pa", "pascal", pressure, 1, 0, metric, 0},
	{"V", "volt", Powers(1, 2, -3, -1), 1, 0, metric, 0},
	{"C", "coulomb", charge, 1, 0, metric, 0},
	{"Hz", "hertz", rate, 1, 0, metric, 0},
	{"Ω Ohm ohm", "ohm", Powers(1, 2, -3, -2), 1, 0, metric, 0},
	{"F", "farad", Powers(-1, -2, 4, 2), 1, 0, metric, 0},
	{"H", "henry", Powers(1, 2, -2, -2), 1, 0, metric, 0},
	{"T", "tesla", Powers(1, 0, -2, -1), 1, 0, metric, 0},
	{"Wb", "weber", Powers(1, 2, -2, -1), 1, 0, metric, 0},
	{"S", "siemens mho", Powers(-1, -2, 3, 2), 1, 0, metric, 0},
	{"Bq", "becquerel", rate, 1, 0, metric, 0},
	{"Gy", "gray", Powers(0, 2, -2), 1, 0, metric, 0},
	{"Sv", "sievert", Powers(0, 2, -2), 1, 0, metric, 0},
	{"lm", "lumen", Powers(0, 0, 0, 0, 0, 0, 1), 1, 0, metric, 0},
	{"lx", "lux", Powers(0, -2, 0, 0, 0, 0, 1), 1, 0, metric, 0},
	{"kat", "katal", Powers(0, 0, -1, 0, 0, 1), 1, 0, metric, 0},
	// angles and pure numbers: dimensionless
	{"rad", "radian", number, 1, 0, metric, 0},
	{"sr", "steradian", number, 1, 0, metric, 0},
	{"deg °", "degree", number, math.Pi / 180, 0, small, 0},
	{"arcmin ′", "arcminute", number, math.Pi / 10800, 0, none, 0},
	{"arcsec ″", "arcsecond", number, math.Pi / 648000, 0, small, 0},
	{"mas", "", number, math.Pi / 648000, -3, none, 0},
	{"µas", "", number, math.Pi / 648000, -6, none, 0},
	{"rev", "revolution turn", number, 2 * math.Pi, 0, none, 0},
	{"gon", "", number, math.Pi / 200, 0, none, 0},
	{"%", "percent", number, 1, -2, none, 0},
	{"‰", "", number, 1, -3, none, 0},
	{"ppm ppmv ppmw", "", number, 1, -6, none, 0},
	{"ppb ppbv", "", number, 1, -9, none, 0},
	{"cts CFU cfu", "dimensionless unitless count cell particle photon event pulse molecule individual", number, 1, 0, none, 0},
	// Levels are logarithms of ratios, so their values in dB are used as numbers.
	{"dB dBm dBV dBu dBA Np", "decibel neper", number, 1, 0, none, 0},
	// time
	{"msec", "", duration, 1, -3, none, 0},
	{"usec µsec", "", duration, 1, -6, none, 0},
	{"min mins", "minute", duration, 60, 0, none, 0},
	{"h hr hrs", "hour", duration, 3600, 0, none, 0},
	{"d", "day", duration, 86400, 0, none, 0},
	{"wk", "week", duration, 604800, 0, none, 0},
	{"yr a", "year", duration, 31557600, 0, "k M G", 0}, // Julian, 365.25 d (IAU)
	{"cps", "", rate, 1, 0, none, 0},                    // counts per second
	{"cpm", "", rate, 1. / 60, 0, none, 0},
	{"rpm RPM", "", rate, 2 * math.Pi / 60, 0, none, 0},
	// temperature
	{"degC °C ℃", "celsius", heat, 1, 0, none, 273.15},
	{"degF °F ℉", "fahrenheit", heat, 5. / 9, 0, none, 459.67 * 5 / 9},
	{"degR °R", "rankine", heat, 5. / 9, 0, none, 0},
	{"degK °K", "", heat, 1, 0, none, 0},
	// length, area, volume
	{"Å", "angstrom ångström", length, 1, -10, none, 0},
	{"", "micron", length, 1, -6, none, 0},
	{"in", "inch", length, 254, -4, none, 0},
	{"ft", "foot", length, 3048, -4, none, 0},
	// The irregular plural "inches" is added by index.
	{"", "feet inches", length, 3048, -4, none, 0},
	{"yd", "yard", length, 9144, -4, none, 0},
	{"mi", "mile", length, 1609344, -3, none, 0},
	{"mil", "", length, 254, -7, none, 0},
	{"nmi", "", length, 1852, 0, none, 0},
	{"punto punti", "", length, 94, -5, none, 0}, // Galileo's point, about 0.94 mm (S. Drake 1973)
	{"ha", "hectare", area, 1, 4, none, 0},
	{"", "acre", area, 40468564224, -7, none, 0},
	{"b", "barn", area, 1, -28, "µ n p f", 0},
	{"L l", "litre liter", volume, 1, -3, metric, 0},
	{"cc ccm", "", volume, 1, -6, none, 0},
	{"gal", "gallon", volume, 3785411784, -12, none, 0},
	// litres per minute; with an s in the name, litres at standard conditions
	{"lpm LPM slpm SLPM SLM slm", "", flow, 1. / 60, -3, none, 0},
	{"sccm", "", flow, 1. / 60, -6, none, 0},
	{"gpm GPM", "", flow, 3785411784. / 60, -12, none, 0},
	{"cfm CFM", "", flow, 0.3048 * 0.3048 * 0.3048 / 60, 0, none, 0},
	// astronomy: au (IAU 2012), pc = 648000/π au, nominal solar values (IAU 2015 B3, with CODATA
	// 2022 for G)
	{"AU au", "", length, 149597870700, 0, none, 0},
	{"pc", "parsec", length, 149597870700 * 648000 / math.Pi, 0, "k M G m", 0},
	{"ly", "lightyear", length, 9460730472580800, 0, "k M G", 0},
	{"Msun M_sun Msol M☉", "", mass, 1.3271244e20 / 6.67430e-11, 0, none, 0},
	{"Rsun R_sun R☉", "", length, 6.957, 8, none, 0},
	{"Lsun L_sun L☉", "", power, 3.828, 26, none, 0},
	{"Jy", "jansky", Powers(1, 0, -2), 1, -26, metric, 0},
	// mass
	{"t", "tonne", mass, 1, 3, large, 0},
	{"u", "", mass, 1.66053906892, -27, none, 0}, // CODATA 2022
	{"Da", "dalton", mass, 1.66053906892, -27, large, 0},
	{"lb lbm lbs", "pound", mass, 45359237, -8, none, 0},
	{"oz", "ounce", mass, 28349523125, -12, none, 0},
	{"slug", "", mass, 0.45359237 * 9.80665 / 0.3048, 0, none, 0},
	{"", "carat", mass, 2, -4, none, 0},
	// speed, acceleration, force
	{"kn", "knot", speed, 1852. / 3600, 0, none, 0},
	{"mph", "", speed, 44704, -5, none, 0},
	{"kmh kph", "", speed, 1 / 3.6, 0, none, 0},
	{"Gal", "", gravity, 1, -2, "m µ", 0},
	{"dyn", "dyne", force, 1, -5, "k M m µ", 0},
	{"kgf kp", "", force, 980665, -5, none, 0},
	{"lbf", "", force, 0.45359237 * 9.80665, 0, none, 0},
	// pressure
	{"bar", "bar", pressure, 1, 5, metric, 0},
	{"atm", "atmosphere", pressure, 101325, 0, none, 0},
	{"at", "", pressure, 980665, -1, none, 0},
	{"Torr torr", "", pressure, 101325. / 760, 0, small, 0},
	{"mmHg", "", pressure, 133322387415, -9, none, 0},
	{"cmHg", "", pressure, 133322387415, -8, none, 0},
	{"inHg", "", pressure, 133322387415 * 25.4, -9, none, 0},
	{"mmH2O", "", pressure, 980665, -5, none, 0},
	{"inH2O", "", pressure, 980665 * 25.4, -5, none, 0},
	{"cmH2O", "", pressure, 980665, -4, none, 0},
	{"psi PSI", "", pressure, 0.45359237 * 9.80665 / (0.0254 * 0.0254), 0, none, 0},
	{"ksi", "", pressure, 0.45359237 * 9.80665 / (0.0254 * 0.0254), 3, none, 0},
	// energy, power
	{"eV", "electronvolt", energy, 1.602176634, -19, metric, 0},
	{"", "hartree", energy, 4.3597447222060, -18, none, 0}, // CODATA 2022
	{"cal", "calorie", energy, 4184, -3, large, 0},
	{"erg", "erg", energy, 1, -7, "k M G", 0},
	{"BTU Btu", "", energy, 105505585262, -8, none, 0},
	{"Wh", "", energy, 3600, 0, metric, 0},
	{"Ah", "", charge, 3600, 0, "k m µ", 0},
	{"VA var", "", power, 1, 0, large, 0},
	{"hp", "horsepower", power, 550 * 0.3048 * 0.45359237 * 9.80665, 0, none, 0},
	// viscosity, radioactivity, chemistry
	{"P", "poise", Powers(1, -1, -1), 1, -1, "c m µ", 0},
	{"St", "stokes", Powers(0, 2, -1), 1, -4, "c m", 0},
	{"Ci", "curie", rate, 3.7, 10, metric, 0},
	{"", "röntgen roentgen", Powers(-1, 0, 1, 1), 258, -6, none, 0},
	{"M", "molar", Powers(0, -3, 0, 0, 0, 1), 1, 3, small, 0},
	{"D", "debye", Powers(0, 1, 1, 1), 1 / 2.99792458, -29, none, 0},
	// Gaussian units
	{"G Gs gauss", "gauss", Powers(1, 0, -2, -1), 1, -4, "k m µ n M", 0},
	{"emu", "electromagnetic unit of magnetic moment", Powers(0, 2, 0, 1), 1, -3, "m µ", 0},
	{"Oe", "oersted", Powers(0, -1, 0, 1), 1000 / (4 * math.Pi), 0, "k m", 0},
	{"Mx", "maxwell", Powers(1, 2, -2, -1), 1, -8, none, 0},
}

// prefixed is the lowest rank of a name with a prefix. Names without a prefix have lower ranks.
const prefixed = 1000

// entry is a symbol with a prefix, or without one.
type entry struct {
	symbol
	rank int  // order in which names are suggested; below prefixed for names without a prefix
	word bool // the name is a full name, not a symbol
}

// index maps every valid name to its entry.
var index = sync.OnceValue(func() map[string]entry {
	m := make(map[string]entry)
	enter := func(name string, s symbol, prefix10, rank int, word bool) {
		if _, taken := m[name]; !taken {
			s.exp10 += prefix10
			m[name] = entry{s, rank, word}
		}
	}
	add := func(name string, s symbol, prefix10, rank int) { enter(name, s, prefix10, rank, false) }
	addWord := func(name string, s symbol, prefix10, rank int) { enter(name, s, prefix10, rank, true) }
	for i, s := range symbols {
		for _, name := range strings.Fields(s.names) {
			add(name, s, 0, i)
		}
		for _, word := range strings.Fields(s.words) {
			addWord(word, s, 0, i)
		}
	}
	inch := m["inch"]
	m["inches"] = inch
	for i, s := range symbols {
		for _, word := range strings.Fields(s.words) {
			addWord(word+"s", s, 0, i)
		}
		for p, prefix := range strings.Fields(s.prefixes) {
			rank := prefixed*(p+1) + i
			if prefix+s.names == "kg" {
				rank = i // a base unit, although it has a prefix
			}
			for _, name := range strings.Fields(s.names) {
				add(prefix+name, s, prefixes[prefix].exp10, rank)
				if prefix == "µ" {
					add("u"+name, s, prefixes[prefix].exp10, rank+500)
				}
			}
			for _, word := range strings.Fields(s.words) {
				long := prefixes[prefix].word
				addWord(long+word, s, prefixes[prefix].exp10, rank)
				addWord(long+word+"s", s, prefixes[prefix].exp10, rank)
			}
		}
	}
	return m
})
