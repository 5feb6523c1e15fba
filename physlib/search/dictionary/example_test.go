package dictionary_test

import (
	"context"
	"fmt"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/view"
)

// pool enumerates expressions of one variable x.
func pool(size, cost int) (*dictionary.Pool, *dictionary.Writer) {
	p := &dataset.Problem{Vars: []dataset.Quantity{{Name: "x"}}}
	for i := range 50 {
		p.Vars[0].Values = append(p.Vars[0].Values, 0.2+0.1*float64(i))
		p.Target.Values = append(p.Target.Values, 1)
	}
	s := view.NewSpace(p, 50, false, nil)
	q := dictionary.NewPool(s, func(op expr.Op) bool { return op == expr.Exp || op == expr.Sin }, false)
	q.Grow(context.Background(), size, cost)
	return q, &dictionary.Writer{Space: s, Pool: q}
}

// The cheapest expressions of x.
func ExamplePool() {
	p, w := pool(8, 3)
	for i := range p.Len() {
		fmt.Println(w.Node(int32(i)).Infix([]string{"x"}))
	}
	// Output:
	// x
	// 1/x
	// exp(x)
	// exp(-x)
	// exp(1/x)
	// exp(-(1/x))
	// sin(x)
	// sin(1/x)
}

// Terms of a sum: monomials, and monomials times powers of expressions.
func ExamplePool_Terms() {
	p, w := pool(8, 3)
	n := 0
	for f := range p.Terms(view.Monomial{0}, dictionary.Term, 100) {
		fmt.Println(f.Cost, w.Term(f).Infix([]string{"x"}))
		if n++; n == 8 {
			break
		}
	}
	// Output:
	// 0 1
	// 1 x
	// 1 1/x
	// 2 square(x)
	// 2 1/square(x)
	// 2 sqrt(x)
	// 2 1/sqrt(x)
	// 2 cube(x)
}

// Features for factors of a product. Monomials are not among them, since a product contains powers
// of the variables in any case.
func ExamplePool_Factors() {
	p, w := pool(8, 3)
	for f := range p.Factors(false) {
		fmt.Println(w.Term(f).Infix([]string{"x"}))
	}
	// Output:
	// sin(x)
	// sin(1/x)
}
