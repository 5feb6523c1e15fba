package discover

import (
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

// ConstantUnits returns the units that the free constants of a law need, by slot. The law is over
// t's columns and known constants. balanced reports whether its dimensions balance with these
// units. A unit is "" if it is 1 or unknown.
func ConstantUnits(t *dataset.Table, law expr.Tree) (units []string, balanced bool) {
	units = make([]string, law.NumParams())
	dims, balanced := mdl.New(t, nil, true).Units(law)
	names := newUnitNames(t)
	for i := range units {
		if i < len(dims) && balanced {
			units[i] = names.name(dims[i])
		}
	}
	return units, balanced
}
