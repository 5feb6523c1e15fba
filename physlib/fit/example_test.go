package fit_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
)

// The law is a decay with an offset. c0 and c2 are linear, so the fit does not need their starting
// values.
func ExampleFit() {
	tree, err := expr.Parse("c0*exp(-c1*x) + c2", []string{"x"})
	if err != nil {
		fmt.Println(err)
		return
	}
	t := []float64{0, 1, 2, 3, 4, 5, 6}
	y := []float64{5, 3.42612264, 2.47151776, 1.89252065, 1.54134113, 1.32833999, 1.19914827} // 4·exp(−t/2) + 1
	r, err := fit.Fit(tree, [][]float64{t}, y, nil, fit.Settings{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.6f\n", r.Params)
	// Output: [4.000000 0.500000 1.000000]
}
