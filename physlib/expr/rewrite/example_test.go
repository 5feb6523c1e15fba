package rewrite_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
)

var vars = []string{"x", "y"}

func parse(s string) expr.Tree {
	t, err := expr.Parse(s, vars)
	if err != nil {
		panic(err)
	}
	return t
}

func ExampleTidy() {
	fmt.Println(rewrite.Tidy(parse("x + -2*y*inv(square(x))")).Infix(vars))
	// Output: x - 2*y/x**2
}

func ExampleClearDenominators() {
	fmt.Println(rewrite.ClearDenominators(parse("sqrt(x**2*(1 + y**2/x**2))")).Infix(vars))
	// Output: sqrt(square(x) + square(y))
}

func ExampleFold() {
	t := parse("c0*x**c1 + c2") // a law with one constant less
	fmt.Println(rewrite.Fold(t.SubstituteParam(1, expr.Num(1))).Infix(vars))
	fmt.Println(rewrite.Fold(t.SubstituteParam(2, expr.Num(0))).Infix(vars))
	// Output:
	// c0*x + c1
	// c0*x**c1
}

func ExampleSpreadPowers() {
	fmt.Println(rewrite.SpreadPowers(parse("sqrt(x**3/y)")).Infix(vars))
	// Output: x**(3/2)/y**(1/2)
}

func ExampleCancelPi() {
	fmt.Println(rewrite.CancelPi(parse("180*(pi*x/180)/pi")).Infix(vars))
	// Output: 1*x
}

func ExampleConstantBefore() {
	for _, form := range rewrite.ConstantBefore(parse("x/(c0*x + c1)")) {
		fmt.Println(form.Infix(vars)) // Michaelis-Menten kinetics
	}
	// Output: c0*x/(x + c1)
}
