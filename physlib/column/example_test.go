package column_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/column"
)

// The part of a column that a constant does not explain.
func ExampleOutside() {
	mean := []float64{0.5, 0.5, 0.5, 0.5} // a column of ones, of unit norm
	u, norm := column.Outside([][]float64{mean}, []float64{1, 2, 2, 1})
	fmt.Println(u, norm)
	// Output: [-0.5 0.5 0.5 -0.5] 1
}
