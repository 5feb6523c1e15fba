package match_test

import (
	"context"
	"fmt"
	"math"

	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/dictionary"
	"github.com/physlib/lab/physlib/search/match"
	"github.com/physlib/lab/physlib/search/view"
)

// The law is y = 1 + 2·exp(-x) - 0.3·x². Its two terms are the best pair, and this pair is exact.
func ExampleJoin_PairsInDouble() {
	p := &dataset.Problem{Vars: []dataset.Quantity{{Name: "x"}}}
	for i := range 50 {
		x := 0.2 + 0.1*float64(i)
		p.Vars[0].Values = append(p.Vars[0].Values, x)
		p.Target.Values = append(p.Target.Values, 1+2*math.Exp(-x)-0.3*x*x)
	}
	s := view.NewSpace(p, 50, false, nil)
	pool := dictionary.NewPool(s, func(op expr.Op) bool { return op == expr.Exp || op == expr.Sin }, false)
	pool.Grow(context.Background(), 200, 6)
	j := match.New(s, pool, s.Y, [][]float64{column.Ones(50)}, nil)
	for f := range pool.Terms(view.Monomial{0}, dictionary.Term, 200) {
		j.Add(f)
	}
	best := j.PairsInDouble(100, 1)[0]
	w := &dictionary.Writer{Space: s, Pool: pool}
	for _, f := range best.Features {
		fmt.Println(w.Term(j.Features[f]).Infix([]string{"x"}))
	}
	fmt.Println("exact:", j.Exact(best, match.Exact))
	// Output:
	// square(x)
	// exp(-x)
	// exact: true
}
