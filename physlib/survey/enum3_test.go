package survey

import (
	"fmt"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

func TestAbsorb(t *testing.T) {
	a, _ := expr.Parse("c0*exp(c1*x0)", nil)
	a = a.MergeParams()
	b := expr.Apply(expr.Add, expr.C(a.NumParams(), 1), a)
	fmt.Println(a, b, b.MergeParams(), b.MergeParams().Hash())
	c, _ := expr.Parse("c0*exp(c1*x0)+c2", nil)
	fmt.Println(c.MergeParams().Hash(), b.MergeParams().NumParams())
	forms := Enumerate(devPrior(), 1, Default(1))
	for i, f := range forms {
		if f.hash == c.MergeParams().Hash() {
			fmt.Println("at", i)
		}
	}
	e := enumeration{prior: devPrior(), vars: 1, size: Default(1), seen: map[uint64]struct{}{}}
	e.add(b)
	fmt.Println(e.forms)
}
