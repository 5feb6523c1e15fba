package discover

import (
	"math"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Of a run file with very many laws, only the best are scored again, each once. A file with few
// laws keeps all of them in order.
func TestForemost(t *testing.T) {
	var many []law.Law
	for i := range 5 * mostResumed {
		tree := expr.Apply(expr.Mul, expr.Num(float64(i+2)), expr.X(0))
		many = append(many, law.Law{Tree: tree, Score: float64(-i)}, law.Law{Tree: tree, Score: math.NaN()})
	}
	best := bestEarlier(many)
	if len(best) != mostResumed {
		t.Fatalf("%d laws", len(best))
	}
	for i, l := range best {
		if want := float64(i + 1 - 5*mostResumed); l.Score != want {
			t.Fatalf("law %d has the score %v, want %v", i, l.Score, want)
		}
	}
	few := bestEarlier(many[:2*alwaysResumed])
	if len(few) != alwaysResumed || few[0].Score != 0 || few[1].Score != -1 {
		t.Errorf("%d laws, scores %v, %v", len(few), few[0].Score, few[1].Score)
	}
}
