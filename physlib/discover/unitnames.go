package discover

import (
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

// The units of constants are named in two ways, both as products of powers of the columns' units
// (byColumns):
//
//   - waySearch.unitName names those of the laws of one search. It needs the problem of the search,
//     and writes SI base units if they are shorter. The names remain in exact laws that are not
//     ranked.
//   - unitNames names those of ranked laws, and those of laws that do not come from a search. It
//     needs only the table. In a table in SI units, it also writes a single symbol such as V.

// unitName returns the name of a constant's unit in the columns' own units, if these are coherent.
// It returns the name in SI units in two cases: if it is shorter and the unit has the same size, or
// if all columns are in SI units. It returns "" if the unit is unknown.
func (r *waySearch) unitName(d unit.Dim) string {
	if d.IsZero() {
		return ""
	}
	base, coherent := r.columnBase()
	if !coherent || !r.p.Units {
		if r.si() {
			return d.String()
		}
		return "" // the number contains conversion factors of the columns
	}
	s, ok := byColumns(r.t, d)
	// Logarithm of the size, in SI units, of the unit that the columns' units give for dimension d.
	size := 0.0
	si := r.siBase()
	for k, e := range exponents(d) {
		size += e * (base[k] - si[k])
	}
	if !ok || math.Abs(size) < 1e-9 && len(d.String()) < len(s) {
		return d.String()
	}
	return s
}

// si reports whether all columns with a unit are in SI units.
func (r *waySearch) si() bool {
	for _, c := range append(r.t.Vars[:len(r.t.Vars):len(r.t.Vars)], r.t.Target) {
		if c.HasUnit && (c.Unit.Factor() != 1 || c.Unit.Offset != 0) {
			return false
		}
	}
	return true
}

// unitNames names the units of constants as products of powers of the columns' units.
type unitNames struct {
	t        *dataset.Table
	coherent bool // the columns' units can be made from one set of base units
	si       bool // all columns are in SI units
}

// newUnitNames returns the unitNames for t.
func newUnitNames(t *dataset.Table) unitNames {
	u := unitNames{t: t, si: true}
	var units []unit.Unit
	for _, c := range append(t.Vars[:len(t.Vars):len(t.Vars)], t.Target) {
		if c.HasUnit {
			u.si = u.si && c.Unit.Factor() == 1 && c.Unit.Offset == 0
			units = append(units, c.Unit)
		}
	}
	u.coherent = coherent(units)
	return u
}

// name returns the name of the unit with dimension d. It is "" if d is dimensionless. It is also ""
// if the columns' units do not form one system, since a constant then contains conversion factors.
func (u unitNames) name(d unit.Dim) string {
	switch {
	case d.IsZero():
		return ""
	case u.si:
		s, ok := byColumns(u.t, d)
		if name := d.Name(); !ok || len(name) < len(s) && strings.Contains(s, "^") {
			return name // V instead of W^(1/2) ohm^(1/2)
		}
		return s
	case !u.coherent:
		return ""
	}
	if s, ok := byColumns(u.t, d); ok {
		return s
	}
	return ""
}

// byColumns returns d as a product of powers of the units of t's columns. ok is false if no such
// product has dimension d.
func byColumns(t *dataset.Table, d unit.Dim) (name string, ok bool) {
	var dims []unit.Dim // different ones, those of names
	var names []string
	for _, c := range slices.Concat([]dataset.Column{t.Target}, t.Vars) {
		if u := c.Unit; !u.Dim.IsZero() && !slices.Contains(dims, u.Dim) {
			dims = append(dims, u.Dim)
			names = append(names, step(u))
		}
	}
	ex, ok := unit.SolveExponents(dims, d)
	if !ok {
		return "", false
	}
	return productOfPowers(names, ex), true
}

// productOfPowers returns the product of the units with the given names, each to its exponent.
// Units with positive exponents come first. In a product, units such as m/s^2 are divided into
// powers of single units, since km^2 m/s^2 would be ambiguous.
func productOfPowers(names []string, ex []unit.Ratio) string {
	var factors []unit.Factor
	some := func(e unit.Ratio) bool { return !e.IsZero() }
	if i := slices.IndexFunc(ex, some); i >= 0 && ex[i] == unit.Rat(1, 1) && !slices.ContainsFunc(ex[i+1:], some) {
		return names[i]
	}
	for i, e := range ex {
		if e.IsZero() {
			continue
		}
		parts, ok := unit.Factors(names[i])
		if !ok { // with a number, as in 10^24 kg
			parts = []unit.Factor{{Name: names[i], Power: unit.Rat(1, 1)}}
		}
		for _, f := range parts {
			f.Power = f.Power.Mul(e)
			if k := slices.IndexFunc(factors, func(o unit.Factor) bool { return o.Name == f.Name }); k >= 0 {
				factors[k].Power = factors[k].Power.Add(f.Power)
			} else {
				factors = append(factors, f)
			}
		}
	}
	var above, below []string // units with positive and negative exponents
	for _, f := range factors {
		text := f.Name
		if strings.ContainsAny(text, " /*·^²³⁴⁻0123456789") {
			text = "(" + text + ")"
		}
		switch e := f.Power.Float64(); {
		case e > 0:
			above = append(above, text+f.Power.Power())
		case e < 0:
			below = append(below, text+f.Power.Power())
		}
	}
	return strings.Join(append(above, below...), " ")
}

// step returns the name of the unit of differences between values in u. It is K for degC, and degR
// for degF.
func step(u unit.Unit) string {
	switch {
	case u.Offset == 0:
		return u.Name
	case u.Factor() == 1:
		return "K"
	}
	return "degR"
}
