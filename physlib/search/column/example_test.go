package column_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/search/column"
)

// A line through four points.
func ExampleLeastSquares() {
	x := []float64{0, 1, 2, 3}
	coef, _, _ := column.LeastSquares([][]float64{column.Ones(4), x}, []float64{1, 3, 5, 7})
	fmt.Printf("%.2f + %.2f·x\n", coef[0], coef[1])
	// Output: 1.00 + 2.00·x
}
