package prior

import (
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/physlib/lab/physlib/unit"
)

// A Kind is the known part of a quantity: its symbol or name, and its dimension.
type Kind struct {
	Name      string
	Dimension string // as DimensionOf gives it; "": not known
}

// DimensionOf returns the dimension of a unit as text. Angles have one of their own, so that phases
// are distinguished from counts.
func DimensionOf(u unit.Unit) string {
	if !u.Dim.IsZero() {
		return u.Dim.String()
	}
	for word := range strings.FieldsFuncSeq(u.Name, func(r rune) bool { return !unicode.IsLetter(r) && r != '°' }) {
		switch word {
		case "rad", "deg", "°", "mrad", "degree", "degrees", "arcmin", "arcsec":
			return "angle"
		}
	}
	return "1"
}

// words are the dimensions of quantities that tables call by a word and formulas by a symbol.
// concentration is an amount in a volume.
const concentration = "m^-3 mol"

var words = map[string]string{
	"time": "s", "year": "s", "years": "s", "age": "s", "day": "s", "days": "s", "date": "s", "hour": "s", "hours": "s",
	"month": "s", "week": "s", "weeks": "s", "minute": "s", "minutes": "s", "seconds": "s", "duration": "s", "period": "s",
	"temp": "K", "temperature": "K",
	"mass": "kg", "weight": "kg",
	"length": "m", "distance": "m", "dist": "m", "height": "m", "depth": "m", "diameter": "m", "radius": "m", "width": "m",
	"position": "m", "wavelength": "m", "thickness": "m", "climb": "m",
	"area": "m^2", "volume": "m^3",
	"speed": "m s^-1", "velocity": "m s^-1", "angle": "angle", "theta": "angle", "phase": "angle",
	"pressure": "kg m^-1 s^-2", "energy": "kg m^2 s^-2", "power": "kg m^2 s^-3", "force": "kg m s^-2",
	"voltage": "kg m^2 s^-3 A^-1", "current": "A", "resistance": "kg m^2 s^-3 A^-2",
	"frequency": "s^-1", "freq": "s^-1", "rate": "s^-1",
	"conc": concentration, "concentration": concentration, "dose": concentration, "substrate": concentration,
	"density": "kg m^-3", "population": "1", "pop": "1", "number": "1", "count": "1", "counts": "1",
}

// dimensions returns the dimensions that a quantity may have, with their probabilities; nil:
// nothing is known.
func (m *Model) dimensions(k Kind) map[string]float64 {
	if k.Dimension != "" {
		return map[string]float64{k.Dimension: 1}
	}
	if d, ok := words[strings.ToLower(k.Name)]; ok {
		return map[string]float64{d: 1}
	}
	return m.ofName[k.Name]
}

// Likely returns the dimension that a quantity of this name has in most laws, "" where none has a
// majority.
func (m *Model) Likely(name string) string {
	for d, p := range m.dimensions(Kind{Name: name}) {
		if p > 0.5 {
			return d
		}
	}
	return ""
}

// numberShare is the share of numbers and angles among the quantities of the catalogue's laws.
const numberShare = 0.22

// NumberBits compares a quantity of this name with others, where its unit is not given. It returns
// by how many bits it is less likely to be a number or an angle. It is 0 for an uninformative name,
// since the prices of forms account for the frequency of numbers.
func (m *Model) NumberBits(name string) float64 {
	known := 0.0
	d := m.dimensions(Kind{Name: name})
	for _, k := range slices.Sorted(maps.Keys(d)) {
		known += d[k]
	}
	p := max(d["1"]+d["angle"]+(1-known)*numberShare, leastNumber)
	return max(0, math.Log2(numberShare/p))
}

// leastNumber allows for columns that are divided by a unit, or called by the wrong name.
const leastNumber = 1. / 32

// learnNames counts which dimensions the symbols of laws have.
func (m *Model) learnNames() {
	m.ofName = make(map[string]map[string]float64)
	for _, e := range m.examples {
		for _, k := range append(slices.Clone(e.Kinds), e.Target) {
			if k.Name == "" || k.Dimension == "" {
				continue
			}
			if m.ofName[k.Name] == nil {
				m.ofName[k.Name] = make(map[string]float64)
			}
			m.ofName[k.Name][k.Dimension] += e.Weight
		}
	}
	for _, d := range m.ofName {
		sum := 1.0 // a rare symbol is uninformative
		for _, k := range slices.Sorted(maps.Keys(d)) {
			sum += d[k]
		}
		for k := range d {
			d[k] /= sum
		}
	}
}

// Additional bits for a law whose dimensions match the table. They minimize the bits of forms of
// one variable in leave-one-law-out cross-validation on the catalogue (15.22; 15.62 without).
const (
	inputBits  = 4 // the columns have the dimensions of its variables
	targetBits = 3 // the target has that of the law
)

// For returns the model for a table with the given columns and target: laws of such quantities
// count more than others.
func (m *Model) For(columns []Kind, target Kind) *Model {
	cols := make([]map[string]float64, 0, len(columns))
	some, unknown := false, false
	for _, c := range columns {
		d := m.dimensions(c)
		some = some || len(d) > 0
		if d == nil && unknown { // one stands for all of which nothing is known
			continue
		}
		unknown = unknown || d == nil
		cols = append(cols, d)
	}
	of := m.dimensions(target)
	if !some && len(of) == 0 {
		return m
	}
	special := *m
	special.nameBy(func(e *Example) float64 { return math.Exp2(affinity(e, cols, of)) })
	return &special
}

// affinity returns by how many bits a law is likelier in a table whose columns and target have such
// dimensions.
func affinity(e *Example, cols []map[string]float64, target map[string]float64) float64 {
	sum := 0.0
	for _, k := range e.Kinds {
		best := 0.0
		for _, c := range cols {
			if c == nil {
				best = max(best, unknownMatch)
			} else {
				best = max(best, match(c, k.Dimension))
			}
		}
		sum += best
	}
	a := inputBits * sum / float64(max(1, len(e.Kinds)))
	if target == nil {
		return a + unknownMatch*targetBits
	}
	return a + targetBits*match(target, e.Target.Dimension)
}

// unknownMatch is the match of a quantity of which nothing is known.
const unknownMatch = 0.3

// match returns how far a quantity of such dimensions may be one of dimension d.
func match(of map[string]float64, d string) float64 {
	p := of[d]
	switch d {
	case concentration:
		p = max(p, 0.7*of["kg m^-3"])
	case "kg m^-3":
		p = max(p, 0.7*of[concentration])
	}
	return p
}
