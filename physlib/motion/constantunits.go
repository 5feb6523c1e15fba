package motion

import (
	"strings"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// constantUnits returns the units of the free constants of t, a law of equation k. They are
// products of powers of the unit symbols in the columns' units. For example, the coefficient of a
// flow in L/s in the rate of a level in m has the unit m L^-1. Angles keep their unit, except
// inside functions. ok is false if a column of t has no unit or one with an offset, or if t adds
// different units.
func (sr *searcher) constantUnits(k int, t expr.Tree) (units []string, ok bool) {
	rate := sr.tr.rate(k, sr.tr.Order)
	of := make([]map[string]unit.Ratio, len(sr.names))
	angle, outside := make([]bool, len(sr.names)), make([]bool, len(sr.names))
	markAngles(t, false, angle, outside)
	var symbols []string
	add := func(u unit.Unit, known bool) map[string]unit.Ratio {
		factors, parsed := unit.Factors(symbol(u))
		ok = ok && known && parsed && u.Offset == 0
		powers := map[string]unit.Ratio{}
		for _, f := range factors {
			symbols = append(symbols, f.Name)
			powers[f.Name] = f.Power
		}
		return powers
	}
	ok = true
	target := add(rate.Unit, rate.HasUnit)
	for _, j := range t.Vars() {
		u, has := sr.knownUnit(sr.names[j])
		of[j] = add(u, has)
		if angle[j] && u.Dim.IsZero() {
			of[j] = nil
		}
	}
	if !ok {
		return nil, false
	}
	units = make([]string, t.NumParams())
	done := map[string]bool{}
	for _, s := range symbols {
		if done[s] {
			continue
		}
		done[s] = true
		dim := func(powers map[string]unit.Ratio) (d unit.Dim) {
			d[0] = powers[s]
			return d
		}
		dims := make([]unit.Dim, len(sr.names))
		for j := range dims {
			dims[j] = dim(of[j])
		}
		powers, violation := t.ParamDims(dims, dim(target))
		if violation != 0 {
			return nil, false
		}
		for i, d := range powers {
			units[i] = strings.TrimSpace(units[i] + " " + withPower(s, d[0]))
		}
	}
	return units, true
}

// withPower returns a unit symbol with its power, "" for the power 0.
func withPower(symbol string, power unit.Ratio) string {
	if power.IsZero() {
		return ""
	}
	return symbol + power.Power()
}
