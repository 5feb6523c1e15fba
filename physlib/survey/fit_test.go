package survey

import (
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

// Once a column has proved to be useless, its trees wait for those that were behind them.
func TestQueue(t *testing.T) {
	values := []float64{1, 2, 3, 4, 5}
	m := mdl.New(&dataset.Table{Target: dataset.Column{Name: "y", Values: values},
		Vars: []dataset.Column{{Name: "x", Values: values}, {Name: "w", Values: values}}}, mdl.NoForm{}, true)
	var trees []expr.Tree
	for range 2 * fitsAtOnce {
		trees = append(trees, expr.X(0), expr.X(1)) // the queue only looks at their columns
	}
	q := newQueue(m, trees)
	count := func(next []int) (useless int) {
		for _, i := range next {
			useless += i % 2
		}
		return useless
	}
	first := q.next()
	if got := count(first); len(first) != fitsAtOnce || got != fitsAtOnce/2 {
		t.Errorf("%d of the first %d trees have the column w", got, len(first))
	}
	for _, i := range first {
		q.scored(mdl.Scored{Score: mdl.Score{Bits: 10 + 8*float64(i%2)}, From: i})
	}
	if got := count(q.next()); got > 0 {
		t.Errorf("%d of the next trees have the column w", got)
	}
	rest := 0
	for next := q.next(); len(next) > 0; next = q.next() {
		rest += len(next)
	}
	if rest != len(trees)-2*fitsAtOnce {
		t.Errorf("%d trees are fitted after these, want %d", rest, len(trees)-2*fitsAtOnce)
	}
}
