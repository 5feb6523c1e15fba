package survey

import (
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// Every rare operator has forms in one, two and three variables. Other operators have none.
func TestRare(t *testing.T) {
	for op, o := range expr.Operators() {
		for vars := 1; vars <= mostVars; vars++ {
			forms := rare(nil, vars, []expr.Op{op})
			if (len(forms) > 0) != o.Rare {
				t.Errorf("%d forms of %s in %d variables", len(forms), o.Name, vars)
			}
			for _, f := range forms {
				if len(f.Vars()) != vars {
					t.Errorf("%s has %d variables, want %d", f, len(f.Vars()), vars)
				}
			}
		}
	}
}
