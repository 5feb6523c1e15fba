package dataset_test

import (
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// A search uses a rare operator only if the list of operators names it. A law that the user gives
// may contain any operator if there is no list.
func TestRareOperators(t *testing.T) {
	for op, o := range expr.Operators() {
		law := expr.Apply(op, []expr.Tree{expr.X(0), expr.X(1)}[:o.Arity]...)
		none, usual := dataset.Problem{}, dataset.Problem{Ops: dataset.DefaultOps()}
		if none.AllowsOp(op) == o.Rare || usual.AllowsOp(op) == o.Rare || usual.Allows(law) == o.Rare || !none.Allows(law) {
			t.Errorf("%s: allowed %v without a list and %v by the usual one", o.Name, none.AllowsOp(op), usual.AllowsOp(op))
		}
		for _, name := range o.Names() {
			if one := (&dataset.Problem{Ops: []string{name}}); !one.AllowsOp(op) || !one.Allows(law) {
				t.Errorf("%s does not allow %s", name, o.Name)
			}
			if listed := dataset.Listed([]string{name}); len(listed) != 1 || listed[0] != op {
				t.Errorf("%s is %v", name, listed)
			}
		}
	}
}
