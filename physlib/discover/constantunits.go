package discover

import (
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

// ConstantUnits returns the units that the free constants of a law over t's columns and known
// constants need, by slot, and whether its dimensions balance then. A unit is "" where it is 1 or
// not known.
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
