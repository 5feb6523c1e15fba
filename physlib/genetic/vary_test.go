package genetic

import (
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
)

func TestVariation(t *testing.T) {
	p := &dataset.Problem{Vars: []dataset.Quantity{{Name: "x", Values: []float64{1, 2, 3, 4, 5}}, {Name: "z", Values: []float64{2, 7, 1, 8, 2}}},
		Target: dataset.Quantity{Name: "y", Values: []float64{1, 4, 9, 16, 26}}, Ops: []string{"+", "*", "sin"}}
	laws := map[string]int{}
	for range 2 {
		rng := rand.New(rand.NewPCG(1, 2))
		v, ok := NewVariation(p, rng)
		if !ok {
			t.Fatal("nothing to vary")
		}
		a, b := must(t, "3*x + c0*sin(x*z)"), must(t, "x*sin(z)")
		for range 300 {
			child, ok := v.Offspring(rng, a, b)
			if !ok {
				continue
			}
			for i, n := range child.Nodes() {
				if n.Op == expr.Param && n.Index < 0 || n.Op == expr.Cos || n.Op == expr.Div {
					t.Fatalf("%s: node %d is not allowed", child, i)
				}
			}
			laws[child.String()]++
		}
	}
	if len(laws) < 100 {
		t.Errorf("%d different children", len(laws))
	}
	for law, n := range laws {
		if n%2 != 0 {
			t.Fatalf("%s came %d times in two equal runs", law, n)
		}
	}
	if _, ok := NewVariation(&dataset.Problem{Vars: p.Vars, Target: dataset.Quantity{Values: []float64{1, 1, 1, 1, 1}}}, rand.New(rand.NewPCG(1, 2))); ok {
		t.Error("a constant target gives something to vary")
	}
}

func must(t *testing.T, text string) expr.Tree {
	t.Helper()
	tree, err := expr.Parse(text, []string{"x", "z"})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
