package build_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
)

// The second argument of By is twice the exponent of the factor.
func ExampleProduct() {
	p := build.One()
	p.By(expr.X(0), 4)
	p.By(expr.X(1), -1)
	fmt.Println(p.Tree().Infix([]string{"l", "g"}))
	// Output: square(l)/sqrt(g)
}

func ExampleConstants() {
	var c build.Constants
	line := expr.Apply(expr.Add, c.Free(1), build.Mul(c.Free(2.5), expr.X(0)))
	fmt.Println(line.Infix([]string{"x"}), line.NumParams())
	// Output: c0 + c1*x 2
}
