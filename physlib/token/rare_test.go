package token

import (
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// A law with an operator that no vocabulary contains gives an error for each vocabulary.
func TestRareOperators(t *testing.T) {
	for op, o := range expr.Operators() {
		if !o.Rare {
			continue
		}
		law := expr.Apply(expr.Add, expr.X(0), expr.Apply(op, []expr.Tree{expr.X(0), expr.X(1)}[:o.Arity]...))
		for _, v := range []*Vocabulary{PhysDiffuse(), Small(), SmallRPN(), PhysMDT(), PARR()} {
			if ids, err := v.Encode(law); err == nil || !strings.Contains(err.Error(), o.Name) {
				t.Errorf("%s in %s: %v, %v", law, v.Name(), ids, err)
			}
		}
	}
}
