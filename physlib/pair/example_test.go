package pair_test

import (
	"context"
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/pair"
)

// Which two of x, x², sin x and cos x give 2x² - 3 cos x?
func Example() {
	names := []string{"x", "x²", "sin x", "cos x"}
	features := pair.NewRows(len(names), 50)
	target := pair.NewRows(1, 50)
	var columns [5][]float64
	for k := range 50 {
		x := 0.1 * float64(k)
		for i, v := range []float64{x, x * x, math.Sin(x), math.Cos(x), 2*x*x - 3*math.Cos(x)} {
			columns[i] = append(columns[i], v)
		}
	}
	for i := range names {
		features.Set(i, columns[i])
	}
	target.Set(0, columns[4])

	best := pair.Default().Square(context.Background(), features, features.Dot(target.Row(0)), pair.Options{K: 2})
	for _, p := range best {
		fmt.Printf("%s, %s: %.4f\n", names[p.I], names[p.J], p.R2)
	}
	// Output:
	// x², cos x: 1.0000
	// x, sin x: 0.9958
}
