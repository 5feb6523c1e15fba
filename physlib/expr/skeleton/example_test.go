package skeleton_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/skeleton"
)

// Laws with the same form have the same hash, whatever the names of columns and the order of
// operands.
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
