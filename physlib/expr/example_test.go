package expr_test

import (
	"fmt"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

func ExampleParse() {
	vars := []string{"l", "g"}
	law, err := expr.Parse("2*pi*sqrt(l/g)", vars)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(law.Infix(vars))
	fmt.Println(law.LaTeX(vars))
	fmt.Println(law.Go(vars))
	fmt.Println(law.RPN(vars))
	_, err = expr.Parse("2pi*sqrt(l/g)", vars)
	fmt.Println(err)
	// Output:
	// 2*pi*sqrt(l/g)
	// 2 \pi \sqrt{\frac{l}{g}}
	// 2.0*math.Pi*math.Sqrt(l/g)
	// 2 pi mul l g div sqrt mul
	// 2pi*sqrt(l/g): column 2: expected an operator before "pi": to multiply write *pi
}

func ExampleTree_Hash() {
	vars := []string{"v", "c"}
	a, _ := expr.Parse("1/(1 + v/c)", vars)
	b, _ := expr.Parse("c/(v + c)", vars)
	fmt.Println(a.Hash() == b.Hash())
	// Output: true
}

func ExampleTree_Simplify() {
	vars := []string{"x", "y", "z"}
	law, _ := expr.Parse("z*(x - y)*-1 + log(x) - log(y)", vars)
	fmt.Println(law.Simplify().Infix(vars))
	// Output: z*(y - x) + log(x/y)
}

func ExampleTree_AbsorbParams() {
	vars := []string{"x"}
	law, _ := expr.Parse("c0*(2*c1*x + 3*c2)*pi", vars)
	law = law.AbsorbParams()
	fmt.Println(law.Infix(vars))
	fmt.Printf("%.3g\n", law.Params()) // where the fit starts
	// Output:
	// c0*x + c1
	// [6.28 9.42]
}

func ExampleTree_Diff() {
	vars := []string{"x"}
	law, _ := expr.Parse("exp(-c0*x**2)", vars)
	fmt.Println(law.Diff(0).Simplify().Infix(vars))
	// Output: -2*c0*x*exp(-c0*x**2)
}

func ExampleTree_ParamDims() {
	vars := []string{"a"}
	law, _ := expr.Parse("c0*a**(3/2)", vars) // Kepler's third law
	metre, _ := unit.Parse("m")
	second, _ := unit.Parse("s")
	dims, violation := law.ParamDims([]unit.Dim{metre.Dim}, second.Dim)
	fmt.Println(dims[0], violation)
	// Output: m^(-3/2) s 0
}
