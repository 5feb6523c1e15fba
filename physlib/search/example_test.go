package search_test

import (
	"context"
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search"
	"github.com/physlib/lab/physlib/unit"
)

// The period of a pendulum depends on its length and on gravity, but not on its mass.
func ExampleSearch() {
	metre, second := unit.Powers(0, 1), unit.Powers(0, 0, 1)
	p := &dataset.Problem{
		Units: true,
		Vars: []dataset.Quantity{
			{Name: "m", Dim: unit.Powers(1), Known: true, Values: []float64{1, 2, 1, 3, 2, 1}},
			{Name: "l", Dim: metre, Known: true, Values: []float64{0.3, 0.5, 0.8, 1.2, 2, 2.5}},
			{Name: "g", Dim: metre.Div(second).Div(second), Known: true, Values: []float64{9.81, 1.62, 3.7, 9.81, 1.62, 24.8}},
		},
		Target: dataset.Quantity{Name: "T", Dim: second, Known: true},
	}
	for i, l := range p.Vars[1].Values {
		p.Target.Values = append(p.Target.Values, 2*math.Pi*math.Sqrt(l/p.Vars[2].Values[i]))
	}
	for tree := range (&search.Search{}).Propose(context.Background(), p) {
		fmt.Println(tree.Infix([]string{"m", "l", "g"}), "from", expr.Num(tree.Params()[0]).Format(nil, 6))
		break
	}
	// Output: c0*sqrt(l)/sqrt(g) from 6.28319
}
