package rewrite_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
)

func ExampleCommonLogarithms() {
	for _, law := range []string{"c0 + log(V/(c1 - V))/log(10)", "10*log(p**2/c0)/log(10)", "0.4343*log(p)", "exp(-log(p)**2/(2*log(10)**2))"} {
		t, _ := expr.Parse(law, []string{"V", "p"})
		merged := t.MergeParams()
		fmt.Println(rewrite.CommonLogarithms(merged).Infix([]string{"V", "p"}))
	}
	// Output:
	// log(-V/(V + c0))/log(10) + c1
	// 10*(2*log(abs(p)) + c0)/log(10)
	// 0.4343*log(p)
	// exp(-log(p)**2/(2*log(10)**2))
}
