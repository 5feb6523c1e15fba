package outlier_test

import (
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/outlier"
)

// A code for a missing value contradicts the other rows of a smooth law.
func ExampleSuspects() {
	x, y := make([]float64, 20), make([]float64, 20)
	for i := range x {
		x[i] = 1 + float64(i)/4
		y[i] = math.Sqrt(x[i])
	}
	y[7] = -999
	fmt.Println(outlier.Suspects([][]float64{x}, y))
	// Output: [7]
}
