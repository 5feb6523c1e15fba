package figure_test

import (
	"fmt"
	"strings"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/figure"
)

// Kepler's third law in a terminal.
func ExampleText() {
	t := expr.Apply(expr.Mul, expr.Num(365.256), expr.Apply(expr.Pow, expr.X(0), expr.Num(1.5)))
	fmt.Println(strings.Join(figure.Text("T", t, []string{"a"}), "\n"))
	// Output:
	//              3/2
	// T = 365.256·a
}

// The same in a page.
func ExampleMathML() {
	t := expr.Apply(expr.Sqrt, expr.X(0))
	fmt.Println(figure.MathML("T", t, []string{"a"}))
	// Output:
	// <math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><mrow><mi>T</mi><mo>=</mo><msqrt><mi>a</mi></msqrt></mrow></math>
}

// Measurements against a law's predictions, as SVG.
func ExampleFit() {
	svg, err := figure.Fit([]float64{88, 225, 365}, []float64{87.97, 224.7, 365.26}, "T [d]").SVG(figure.Options{})
	fmt.Println(strings.Contains(svg, "measured T [d]"), err)
	// Output: true <nil>
}
