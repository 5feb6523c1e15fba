// Package dataset holds measurements: tables with units, how to read them from files, and the problem they pose.
package dataset

import "github.com/physlib/lab/physlib/unit"

// Column is one measured quantity.
type Column struct {
	Name    string
	Unit    unit.Unit // how the values are to be read; meaningless unless HasUnit
	HasUnit bool      // a header cell without [unit] leaves the unit unknown, [1] makes it known and dimensionless
	Values  []float64 // as in the file, in the column's own unit
}

// Constant is a known quantity given beside the table: --const g=9.80665[m/s^2].
type Constant struct {
	Name    string
	Value   float64 // in its own unit
	Unit    unit.Unit
	HasUnit bool
}

// Table is a target and the columns that may explain it, all of one length.
type Table struct {
	Name    string // file or example, for messages
	Target  Column
	Vars    []Column
	Sigma   []float64 // standard error of each target value, in the target's unit; nil when unknown
	Consts  []Constant
	Dropped int // rows left out by Options.Drop
}

// Rows is the number of measurements.
func (t *Table) Rows() int { return len(t.Target.Values) }
