package polynomial_test

import (
	"fmt"
	"testing"

	"github.com/physlib/lab/physlib/polynomial"
)

// (2x - 3y²)² = 4x² - 12xy² + 9y⁴.
func ExampleSquareRoot() {
	root, _ := polynomial.SquareRoot([]polynomial.Term{
		{Exponents: []int{0, 4}, Coef: 9}, {Exponents: []int{1, 2}, Coef: -12}, {Exponents: []int{2, 0}, Coef: 4},
	})
	for _, t := range root {
		fmt.Printf("%+.0f·x^%d·y^%d\n", t.Coef, t.Exponents[0], t.Exponents[1])
	}
	// Output:
	// +2·x^1·y^0
	// -3·x^0·y^2
}

// 4x² - x⁴ - 4 is not a square, but its negative is.
func TestSquareRootOfNegative(t *testing.T) {
	root, sign := polynomial.SquareRoot([]polynomial.Term{
		{Exponents: []int{2}, Coef: 4}, {Exponents: []int{4}, Coef: -1}, {Exponents: []int{0}, Coef: -4},
	})
	if sign != -1 || len(root) != 2 || root[0].Coef != 1 || root[1].Coef != -2 {
		t.Errorf("root %v, sign %v", root, sign)
	}
}

func TestNoSquareRoot(t *testing.T) {
	for name, terms := range map[string][]polynomial.Term{
		"x² + xy + y²": {{Exponents: []int{2, 0}, Coef: 1}, {Exponents: []int{1, 1}, Coef: 1}, {Exponents: []int{0, 2}, Coef: 1}},
		"x³":           {{Exponents: []int{3, 0}, Coef: 1}},
		"y - x²":       {{Exponents: []int{2, 0}, Coef: -1}, {Exponents: []int{0, 1}, Coef: 1}},
		"x² + y":       {{Exponents: []int{2, 0}, Coef: 1}, {Exponents: []int{0, 1}, Coef: 1}},
	} {
		if root, _ := polynomial.SquareRoot(terms); root != nil {
			t.Errorf("√(%s) = %v", name, root)
		}
	}
}
