package mdl

import (
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// Units returns the dimensions that the constants of t need for it to balance, by slot, and whether
// it does. dims is nil where no units are known.
func (m *Table) Units(t expr.Tree) (dims []unit.Dim, balanced bool) {
	if !m.anyUnit {
		return nil, true
	}
	shape, slots := loose(m.Lift(t))
	dims, violation := shape.ParamDimsKnown(m.dims, m.known, m.target, m.knows)
	return dims[:slots], violation == 0
}
