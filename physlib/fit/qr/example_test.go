package qr_test

import (
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/fit/qr"
)

// The example fits a line to four points of 1 + 2·x. It prints the coefficients and the length of
// the residual.
func ExampleTriangle() {
	one, x, y := []float64{1, 1, 1, 1}, []float64{0, 1, 2, 3}, []float64{1, 3, 5, 7}
	var t qr.Triangle
	t.Factor([][]float64{one, x, y})
	c := make([]float64, 2)
	t.Solve(c, 2, 2)
	fmt.Printf("%.2f, residual %.0e\n", c, math.Round(1e9*qr.Norm(y)))
	// Output: [1.00 2.00], residual 0e+00
}

// The example prints the rate k of exp(-k·t) after one step from k = 1.2, with damping 0 and with
// damping 1. The true rate of the data is 1.
func ExampleDamped() {
	slope, residual := make([]float64, 5), make([]float64, 5)
	for i := range slope {
		t := float64(i) / 2
		slope[i] = -t * math.Exp(-1.2*t)
		residual[i] = math.Exp(-t) - math.Exp(-1.2*t)
	}
	var jacobian qr.Triangle
	jacobian.Factor([][]float64{slope, residual})
	var d qr.Damped
	d.Reset(1)
	d.Take(&jacobian, 0)
	for _, mu := range []float64{0, 1} {
		d.Solve(mu)
		fmt.Printf("%.3f ", 1.2+d.Delta[0])
	}
	// Output: 0.976 1.088
}

// A line through four points.
func ExampleLeastSquares() {
	one, x := []float64{1, 1, 1, 1}, []float64{0, 1, 2, 3}
	coef, _, _ := qr.LeastSquares([][]float64{one, x}, []float64{1, 3, 5, 7})
	fmt.Printf("%.2f + %.2f·x\n", coef[0], coef[1])
	// Output: 1.00 + 2.00·x
}
