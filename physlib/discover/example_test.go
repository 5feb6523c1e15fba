package discover_test

import (
	"context"
	"fmt"
	"iter"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// In Galileo's experiment a ball rolls off a table after a fall by h, and lands at the distance d
// (folio 116v, about 1608).
func ExampleDiscover() {
	table, info, err := dataset.Example("galileo1608")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := discover.Discover(context.Background(), table, discover.Settings{Evaluations: 1000})
	if err != nil {
		fmt.Println(err)
		return
	}
	k := result.Best.Constants[0]
	fmt.Println("accepted:", info.Law)
	fmt.Println("found:   ", result.Best.Target, "=", result.Best.Display(0))
	fmt.Println("k =", law.FormatUncertain(k.Value, k.StdErr), k.Unit)
	// Output:
	// accepted: d = k*sqrt(h)
	// found:    d = 47.09*sqrt(h)
	// k = 47.09(26) punto^(1/2)
}

// kepler proposes that a time is proportional to a length to the power 3/2.
type kepler struct{}

func (kepler) Propose(_ context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		for i := range p.Vars {
			power := expr.Apply(expr.Sqrt, expr.Apply(expr.Cube, expr.X(i)))
			if !yield(expr.Apply(expr.Mul, expr.C(0, 1), power), nil) {
				return
			}
		}
	}
}

// Any type that yields expressions can take part in a run. Its laws are fitted and scored like all
// others.
func ExampleNamedProposer() {
	table, _, err := dataset.Example("kepler")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := discover.Discover(context.Background(), table, discover.Settings{
		Proposers: []string{"kepler"},
		Extra:     []discover.NamedProposer{{Name: "kepler", Proposer: kepler{}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Best.Target, "=", result.Best.Display(5), "by", result.Best.Proposer)
	// Output: T = 365.186*a**(3/2) by kepler
}
