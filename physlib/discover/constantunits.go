package discover

import (
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
	"github.com/physlib/lab/physlib/unit"
)

// ConstantUnits returns the units that the free constants of a law need, by slot. The law is over
// t's columns and known constants. balanced reports whether its dimensions balance with these
// units. A unit is "" if it is 1 or unknown.
func ConstantUnits(t *dataset.Table, law expr.Tree) (units []string, balanced bool) {
	dims, balanced := mdl.New(t, nil, true).Units(law)
	if !balanced {
		return make([]string, law.NumParams()), false
	}
	return newUnitNames(t).constants(law, dims), true
}

// constants returns the names of the units of a law's free constants, by slot. dims are their
// dimensions; a constant beyond them has "".
func (u unitNames) constants(law expr.Tree, dims []unit.Dim) []string {
	names := make([]string, law.NumParams())
	for i := range min(len(names), len(dims)) {
		names[i] = u.name(dims[i])
	}
	celsius, degree := temperatures(u.t, law, dims)
	for i, is := range celsius {
		if is {
			names[i] = degree
		}
	}
	return names
}
