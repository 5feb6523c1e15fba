package encoder_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/encoder"
	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/token"
)

// PARR reads the digits of a table. Here the table has one row of y = x², with x = -1.5. The target
// comes last, divided by its root mean square.
func ExampleNumbers_Write() {
	n := encoder.Numbers{Code: token.Observations{Digits: 4}, Cols: 1, Points: 1}
	ids, values := make([]int32, n.Len()), make([]float32, n.Len())
	n.Write(&features.Table{X: [][]float64{{-1.5}}, Y: []float64{2.25}}, ids, values)
	for _, id := range ids {
		fmt.Print(n.Code.Token(id), " ")
	}
	// Output: - 15 00 E0 <VAR> + 10 00 E0 <OBS>
}
