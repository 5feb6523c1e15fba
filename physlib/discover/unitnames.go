package discover

import (
	"math"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

// unitName returns the name of a constant's unit in the columns' own units, if these are coherent.
// It returns the name in SI units if that is shorter and the unit has the same size, or if all
// columns are in SI units. It returns "" if the unit is unknown.
func (r *run) unitName(d unit.Dim) string {
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
	natural := r.problemBase()
	for k, e := range exponents(d) {
		size += e * (base[k] - natural[k])
	}
	if !ok || math.Abs(size) < 1e-9 && len(d.String()) < len(s) {
		return d.String()
	}
	return s
}

// si reports whether all columns with a unit are in SI units.
func (r *run) si() bool {
	for _, c := range append(r.t.Vars[:len(r.t.Vars):len(r.t.Vars)], r.t.Target) {
		if c.HasUnit && (c.Unit.Factor() != 1 || c.Unit.Offset != 0) {
			return false
		}
	}
	return true
}

// byColumns returns d as a product of powers of the units of t's columns.
func byColumns(t *dataset.Table, d unit.Dim) (string, bool) {
	var dims []unit.Dim
	var names []string
	add := func(u unit.Unit) {
		for _, o := range dims {
			if o == u.Dim {
				return
			}
		}
		if !u.Dim.IsZero() {
			dims = append(dims, u.Dim)
			names = append(names, step(u))
		}
	}
	add(t.Target.Unit)
	for _, c := range t.Vars {
		add(c.Unit)
	}
	ex, ok := unit.SolveExponents(dims, d)
	if !ok {
		return "", false
	}
	var parts []string
	several := slices.IndexFunc(ex, func(e unit.Ratio) bool { return !e.IsZero() && e != unit.Rat(1, 1) }) >= 0
	for i, e := range ex {
		if e.IsZero() {
			continue
		}
		n := names[i]
		if strings.ContainsAny(n, " /*·^²³⁴⁻0123456789") && e != unit.Rat(1, 1) || several && strings.Contains(n, " ") {
			n = "(" + n + ")"
		}
		switch s := e.String(); {
		case s == "1":
			parts = append(parts, n)
		case strings.Contains(s, "/"):
			parts = append(parts, n+"^("+s+")")
		default:
			parts = append(parts, n+"^"+s)
		}
	}
	return strings.Join(parts, " "), true
}

// step returns the name of the unit of differences between values in u. It is K for degC, and degR
// for degF.
func step(u unit.Unit) string {
	switch {
	case u.Offset == 0:
		return u.Name
	case u.Factor() == 1:
		return u.Dim.String()
	}
	return "degR"
}
