package stream

import (
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/corpus"
)

func TestShow(t *testing.T) {
	for _, s := range corpus.Suites() {
		ps, _ := corpus.Suite(s)
		for _, p := range ps {
			tree, err := p.Tree()
			if err != nil {
				t.Fatal(err)
			}
			sk, scale, ok := Skeleton(tree)
			t.Logf("%v %d %s => %g * %s", ok, sk.Len(), p.Law, scale, sk.Infix(p.Names()))
		}
	}
	_ = expr.Add
}
