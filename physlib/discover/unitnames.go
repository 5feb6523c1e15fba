package discover

import (
	"math"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

// unitNames writes the units of constants as products of powers of the columns' units.
type unitNames struct {
	t        *dataset.Table
	coherent bool // some system of base units has the columns' units as its own
	si       bool // all columns are in SI units
}

func newUnitNames(t *dataset.Table) unitNames {
	u := unitNames{t: t, si: true}
	var dims [][]float64
	var logs []float64
	for _, c := range append(t.Vars[:len(t.Vars):len(t.Vars)], t.Target) {
		if !c.HasUnit {
			continue
		}
		u.si = u.si && c.Unit.Factor() == 1 && c.Unit.Offset == 0
		if c.Unit.Dim.IsZero() && c.Unit.Factor() != 1 {
			continue // degrees, per cent
		}
		dims = append(dims, exponents(c.Unit.Dim))
		logs = append(logs, math.Log(c.Unit.Factor()))
	}
	base, ok := baseUnits(dims, logs, 1e-12)
	u.coherent = ok
	for k, d := range dims {
		s := 0.0
		for i, e := range d {
			s += e * base[i]
		}
		u.coherent = u.coherent && math.Abs(s-logs[k]) < 1e-6*(1+math.Abs(logs[k]))
	}
	return u
}

// name is "" for no unit, and where the number holds conversion factors of the columns.
func (u unitNames) name(d unit.Dim) string {
	switch {
	case d.IsZero():
		return ""
	case u.si:
		if s, ok := byColumns(u.t, d); ok && len(s) <= len(d.String()) {
			return s
		}
		return d.String()
	case !u.coherent:
		return ""
	}
	if s, ok := byColumns(u.t, d); ok {
		return s
	}
	return ""
}
