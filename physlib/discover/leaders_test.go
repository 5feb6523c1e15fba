package discover

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

// climber proposes y = c·x, requests the best laws, and proposes their squares.
type climber struct{ lists [][]string }

func (c *climber) Propose(_ context.Context, p *dataset.Problem) iter.Seq2[expr.Tree, error] {
	return func(yield func(expr.Tree, error) bool) {
		yield(expr.Apply(expr.Mul, expr.C(0, 1), expr.X(0)), nil)
		for range 4 {
			laws := p.Laws()
			c.lists = append(c.lists, nil)
			for _, t := range laws {
				c.lists[len(c.lists)-1] = append(c.lists[len(c.lists)-1], fmt.Sprintf("%s %.3g", t, t.Params()))
			}
			for _, t := range laws[:min(len(laws), 3)] {
				if !yield(expr.Apply(expr.Square, t), nil) {
					return
				}
			}
		}
	}
}

// The expressions of a Proposer are scored before it gets the list of the best laws, no matter
// which other Proposers run. In equal runs it gets the same list.
func TestLawsQuery(t *testing.T) {
	x, y := make([]float64, 50), make([]float64, 50)
	for i := range x {
		x[i] = 1 + float64(i)/50
		y[i] = 3 * x[i] * x[i] * x[i] * x[i] * (1 + 1e-3*float64(i%7))
	}
	table := &dataset.Table{Target: dataset.Column{Name: "y", Values: y}, Vars: []dataset.Column{{Name: "x", Values: x}}}
	var first [][]string
	for run, settings := range []Settings{
		{Evaluations: 1500, Proposers: []string{Search, "climber"}}, {Evaluations: 1500, Proposers: []string{Search, "climber"}}, {Proposers: []string{"climber"}}} {
		c := &climber{}
		settings.Extra = []NamedProposer{{Name: "climber", Proposer: c}}
		if _, err := Discover(t.Context(), table, settings); err != nil {
			t.Fatal(err)
		}
		if len(c.lists) < 4 || len(c.lists[0]) == 0 {
			t.Fatalf("run %d: %d queries, with the laws %v", run, len(c.lists), c.lists)
		}
		switch run {
		case 0:
			first = c.lists
		case 1:
			if fmt.Sprint(first) != fmt.Sprint(c.lists) {
				t.Errorf("the laws are %v, then %v", first, c.lists)
			}
		case 2:
			if len(c.lists[0]) != 1 {
				t.Errorf("the first query gives %v, want the only law proposed", c.lists[0])
			}
			if len(c.lists[1]) != 2 {
				t.Errorf("the second query gives %v, want two laws", c.lists[1])
			}
		}
	}
}
