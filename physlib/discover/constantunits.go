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
	name, named := u.name, dims
	if !u.coherent && !u.si {
		own, ok := ownDimensions(fewerRows(u.t))
		if !ok {
			return names
		}
		var balanced bool
		if named, balanced = mdl.New(own, nil, true).Units(law); !balanced {
			return names
		}
		name = func(d unit.Dim) string {
			s, _ := byColumns(own, d)
			return s
		}
	}
	for i := range min(len(names), len(named)) {
		names[i] = name(named[i])
	}
	celsius, degree := temperatures(u.t, law, dims)
	for i, is := range celsius {
		if is {
			names[i] = degree
		}
	}
	return names
}

// ownDimensions returns t with a separate dimension for each unit, so that millimetres and metres
// differ. The dimensions of a law that adds millimetres and metres then do not balance, since one
// of its numbers contains a conversion factor. Degrees Celsius have the dimension of kelvins. ok is
// false if there are more units than dimensions, or columns in both °C and °F.
func ownDimensions(t *dataset.Table) (c *dataset.Table, ok bool) {
	var names []string
	own := func(u *unit.Unit) bool {
		if u.Dim.IsZero() {
			return true
		}
		k := slices.Index(names, step(*u))
		if k < 0 {
			k, names = len(names), append(names, step(*u))
		}
		if k >= len(u.Dim) {
			return false
		}
		exponents := make([]int, k+1)
		exponents[k] = 1
		u.Dim = unit.Powers(exponents...)
		return true
	}
	if moved, _ := offsetColumns(t); moved == nil {
		return nil, false
	}
	copied := *t
	copied.Vars, copied.Consts = slices.Clone(t.Vars), slices.Clone(t.Consts)
	ok = own(&copied.Target.Unit)
	for i := range copied.Vars {
		ok = ok && own(&copied.Vars[i].Unit)
	}
	for i := range copied.Consts {
		ok = ok && own(&copied.Consts[i].Unit)
	}
	return &copied, ok
}
