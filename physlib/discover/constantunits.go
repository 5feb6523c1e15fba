package discover

import (
	"slices"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/unit"
)

// ConstantUnits returns the units of the free constants of a law, in their order. The law is over
// t's columns and known constants. balanced reports whether its dimensions balance with these
// units. A unit is "" if it is 1 or unknown. Quantities without a unit count as dimensionless if
// the dimensions of the law then balance.
func ConstantUnits(t *dataset.Table, law expr.Tree) (units []string, balanced bool) {
	sampled := fewerRows(t) // the units do not depend on the rows
	dims, balanced := mdl.New(numbers(sampled), nil, true).Units(law)
	if !balanced {
		dims, balanced = mdl.New(sampled, nil, true).Units(law)
	}
	if !balanced {
		return make([]string, law.NumParams()), false
	}
	return newUnitNames(t).constants(law, dims), true
}

// numbers returns t with all quantities without a unit marked as dimensionless. If no column has a
// unit, it returns t unchanged.
func numbers(t *dataset.Table) *dataset.Table {
	c := *t
	c.Vars = slices.Clone(t.Vars)
	some := t.Target.HasUnit
	for i := range c.Vars {
		some = some || c.Vars[i].HasUnit
		c.Vars[i].HasUnit = true
	}
	c.Target.HasUnit = true
	if !some {
		return t
	}
	return &c
}

// constants returns the names of the units of a law's free constants, in their order. dims holds
// their dimensions. The name is "" for a constant without a dimension or with an unknown unit.
func (u unitNames) constants(law expr.Tree, dims []unit.Dim) []string {
	names := make([]string, law.NumParams())
	mixed := !u.coherent && !u.si
	own, ok := newOwnUnits(u.t, law)
	if mixed && !ok {
		return names
	}
	for i := range min(len(names), len(dims)) {
		if mixed || ok && own.hasRatio(i) {
			names[i] = own.name(i)
		} else {
			names[i] = u.name(dims[i])
		}
	}
	celsius, degree := temperatures(u.t, law, dims)
	for i, is := range celsius {
		if is {
			names[i] = degree
		}
	}
	return names
}

// ownUnits gives each unit of a table a separate dimension, so that millimetres and metres differ,
// and so that a ratio such as mg/g is no plain number. Degrees Celsius have the dimension of
// kelvins.
type ownUnits struct {
	t      *dataset.Table // with these dimensions
	dims   []unit.Dim     // of the constants of a law
	names  []string       // of the units, in the order of the dimensions
	ratios []bool         // whether each unit is a ratio
}

// newOwnUnits returns the ownUnits of t and the constants of a law. ok is false if the law does not
// balance. This is so if the law adds millimetres and metres, since one of its numbers then
// contains a conversion factor. ok is also false if there are more units than dimensions, or
// columns in both °C and °F.
func newOwnUnits(t *dataset.Table, law expr.Tree) (o ownUnits, ok bool) {
	if moved, _ := offsetColumns(t); moved == nil {
		return o, false
	}
	sampled := *fewerRows(t)
	o.t = &sampled
	o.t.Vars, o.t.Consts = slices.Clone(o.t.Vars), slices.Clone(o.t.Consts)
	ok = o.separate(&o.t.Target.Unit)
	for i := range o.t.Vars {
		ok = ok && o.separate(&o.t.Vars[i].Unit)
	}
	for i := range o.t.Consts {
		ok = ok && o.separate(&o.t.Consts[i].Unit)
	}
	if ok {
		o.dims, ok = mdl.New(o.t, nil, true).Units(law)
	}
	return o, ok
}

// separate gives u the dimension of its name. It returns false if there are too many names. Plain
// numbers and angles stay without a dimension.
func (o *ownUnits) separate(u *unit.Unit) bool {
	ratio := u.Dim.IsZero()
	if ratio && (u.Name == "" || u.Name == "1" || u.IsAngle()) {
		return true
	}
	k := slices.Index(o.names, step(*u))
	if k < 0 {
		k, o.names, o.ratios = len(o.names), append(o.names, step(*u)), append(o.ratios, ratio)
	}
	if k >= len(u.Dim) {
		return false
	}
	exponents := make([]int, k+1)
	exponents[k] = 1
	u.Dim = unit.Powers(exponents...)
	return true
}

// name returns the unit of constant i as a product of powers of the columns' units.
func (o *ownUnits) name(i int) string {
	if i >= len(o.dims) || o.dims[i].IsZero() {
		return ""
	}
	s, _ := byColumns(o.t, o.dims[i])
	return s
}

// hasRatio reports whether the unit of constant i contains a ratio.
func (o *ownUnits) hasRatio(i int) bool {
	for k, is := range o.ratios {
		if is && i < len(o.dims) && !o.dims[i][k].IsZero() {
			return true
		}
	}
	return false
}
