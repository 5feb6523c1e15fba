package genetic_test

import (
	"context"
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/genetic"
)

// A damped oscillation, sampled without noise. The search yields ever better laws. The example
// stops at an exact one.
func ExampleSearch() {
	var t, y []float64
	for i := range 60 {
		x := 0.1 * float64(i)
		t, y = append(t, x), append(y, 2*math.Exp(-0.5*x)*math.Cos(3*x))
	}
	p := &dataset.Problem{Vars: []dataset.Quantity{{Name: "t", Values: t}}, Target: dataset.Quantity{Name: "y", Values: y}}
	search := genetic.Search{Generations: 50}
	for tree, err := range search.Propose(context.Background(), p) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if worst := largestError(tree, p); worst < 1e-9 {
			fmt.Println("found a law whose largest error is below 1e-9")
			return
		}
	}
	// Output: found a law whose largest error is below 1e-9
}

func largestError(tree expr.Tree, p *dataset.Problem) (worst float64) {
	f := tree.Values(len(p.Target.Values), p.Cols(), tree.Params())
	for i, y := range p.Target.Values {
		worst = max(worst, math.Abs(f[i]-y))
	}
	return worst
}
