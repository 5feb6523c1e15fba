package invariant_test

import (
	"context"
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/invariant"
)

// The points of an ellipse satisfy x²/4 + y² = 1.
func ExampleFind() {
	x, y := dataset.Column{Name: "x"}, dataset.Column{Name: "y"}
	for i := range 40 {
		a := 2 * math.Pi * float64(i) / 40
		x.Values, y.Values = append(x.Values, 2*math.Cos(a)), append(y.Values, math.Sin(a))
	}
	result, err := invariant.Find(context.Background(), []dataset.Column{x, y}, invariant.Settings{Evaluations: 500, Time: -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Found[0].Zero)
	// Output:
	// 0 = x**2 + 4*y**2 - 4
}
