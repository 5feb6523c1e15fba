package input

import (
	"github.com/physlib/lab/physlib/cmd/physlib/internal/reading"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/unit"
)

// listed returns the value of --units as a list of units, which is empty if units are ignored.
func listed(units string) string {
	if reading.NoUnits(units) {
		return ""
	}
	return units
}

// dropUnits makes the units of all columns and constants of t unknown.
func dropUnits(t *dataset.Table) {
	withoutUnits(t.Vars)
	t.Target.Unit, t.Target.HasUnit = unit.Unit{}, false
	for i := range t.Consts {
		t.Consts[i].Unit, t.Consts[i].HasUnit = unit.Unit{}, false
	}
}

// withoutUnits makes the units of columns unknown. Dates keep the scale in which they are counted.
func withoutUnits(columns []dataset.Column) {
	for i := range columns {
		columns[i].HasUnit = false
		if columns[i].Since.IsZero() {
			columns[i].Unit = unit.Unit{}
		}
	}
}
