package skeleton_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
)

// Laws of one form have one hash, however their columns are named and their operands ordered.
func ExampleHash() {
	hash := func(law string, columns ...string) uint64 {
		t, err := expr.Parse(law, columns)
		if err != nil {
			panic(err)
		}
		return skeleton.Hash(t)
	}
	monod := hash("c0*S/(c1 + S)", "S")
	fmt.Println(monod == hash("P/(c0 + P*c1)", "P"))
	fmt.Println(monod == hash("c0*S/(c1 + S**2)", "S"))
	// Output:
	// true
	// false
}
