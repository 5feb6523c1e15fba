// Package discovertest tests Proposers: the author of a Proposer runs TestProposer on it.
//
// # Design
//
// The signature of discover.Proposer says little; its comment states the contract. TestProposer and
// TestOperators check all of it, and that an implementation stops when its consumer does. The
// tables have the faults of real measurements. The suite takes only the first trees for each
// problem, so a Proposer that never ends can be tested too.
package discovertest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
)

// enough is the number of trees of a problem that are checked.
const enough = 400

// TestProposer runs the suite as subtests of t. newProposer makes a new Proposer for each of about
// fifty runs, so it should return quickly. If the Proposer has less than a few hundred trees for a
// problem, its Propose must end by itself.
func TestProposer(t *testing.T, newProposer func() discover.Proposer) {
	t.Run("proposes", func(t *testing.T) { testProposes(t, newProposer) })
	t.Run("equal seeds", func(t *testing.T) { testSeeds(t, newProposer) })
	t.Run("cancelled before", func(t *testing.T) { testCancelledBefore(t, newProposer) })
	t.Run("cancelled during", func(t *testing.T) { testCancelledDuring(t, newProposer) })
	t.Run("stopped by the consumer", func(t *testing.T) { testStopped(t, newProposer) })
	t.Run("leaves the problem alone", func(t *testing.T) { testUntouched(t, newProposer) })
	for _, c := range awkward() {
		t.Run(c.name, func(t *testing.T) {
			for _, tree := range take(t, newProposer(), c.problem, enough) {
				if err := check(tree, c.problem); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// take returns the first n trees that p proposes for pr.
func take(t *testing.T, p discover.Proposer, pr *dataset.Problem, n int) (trees []expr.Tree) {
	t.Helper()
	for tree, err := range p.Propose(t.Context(), pr) {
		if err != nil {
			t.Fatalf("after %d trees: %v", len(trees), err)
		}
		if trees = append(trees, tree); len(trees) == n {
			break
		}
	}
	return trees
}

func testProposes(t *testing.T, newProposer func() discover.Proposer) {
	for _, units := range []bool{true, false} {
		p := pendulum(units)
		trees := take(t, newProposer(), p, enough)
		finite := 0
		for _, tree := range trees {
			if err := check(tree, p); err != nil {
				t.Error(err)
			}
			if !slices.ContainsFunc(evaluate(tree, p), unusable) {
				finite++
			}
		}
		if finite == 0 {
			t.Errorf("units %v: of %d trees none has a value on every row", units, len(trees))
		}
	}
}

func testSeeds(t *testing.T, newProposer func() discover.Proposer) {
	for _, seed := range []int64{0, 3, -1} {
		p := scattered(true)
		p.Seed = seed
		one, two := written(take(t, newProposer(), p, enough)), written(take(t, newProposer(), p, enough))
		if len(one) != len(two) {
			t.Fatalf("seed %d gives %d trees, then %d", seed, len(one), len(two))
		}
		for i := range one {
			if one[i] != two[i] {
				t.Fatalf("seed %d: tree %d is %s, then %s", seed, i, one[i], two[i])
			}
		}
	}
}

// written returns the trees as text, starting values of their constants included.
func written(trees []expr.Tree) (list []string) {
	for _, t := range trees {
		list = append(list, fmt.Sprint(t.Infix(nil), t.Params()))
	}
	return list
}

func testCancelledBefore(t *testing.T, newProposer func() discover.Proposer) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for tree := range newProposer().Propose(ctx, pendulum(true)) {
		t.Fatalf("proposes %s although its context has ended", tree)
	}
}

func testCancelledDuring(t *testing.T, newProposer func() discover.Proposer) {
	for _, after := range []int{1, 20} {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		for range newProposer().Propose(ctx, scattered(false)) {
			if n++; n == after {
				cancel()
			}
			if n > after+10_000 {
				t.Fatal("goes on after its context has ended")
			}
		}
		cancel()
	}
}

// testStopped checks that a Proposer stops when its consumer does. It relies on range, which panics
// when an iterator calls its body again after a break.
func testStopped(t *testing.T, newProposer func() discover.Proposer) {
	for _, after := range []int{1, 2, 10, 100} {
		take(t, newProposer(), scattered(true), after)
	}
}

func testUntouched(t *testing.T, newProposer func() discover.Proposer) {
	p := pendulum(true)
	p.Weights = slices.Repeat([]float64{0.25}, len(p.Target.Values))
	p.Ops = []string{"+", "*", "/", "sqrt"}
	before := fmt.Sprintf("%v", *p)
	take(t, newProposer(), p, enough)
	if after := fmt.Sprintf("%v", *p); after != before {
		t.Errorf("the problem was %s and is now %s", before, after)
	}
}

// check returns what is wrong with a tree proposed for p.
func check(t expr.Tree, p *dataset.Problem) error {
	if t.Len() == 0 {
		return fmt.Errorf("an empty tree")
	}
	for _, n := range t.Nodes() {
		if n.Op == expr.Var && (n.Index < 0 || int(n.Index) >= len(p.Vars)) {
			return fmt.Errorf("%s: there is no column %d", t, n.Index)
		}
		if (n.Op == expr.Param || n.Op == expr.Number) && unusable(n.Value) {
			return fmt.Errorf("%s: %s is %v", t, n.Op, n.Value)
		}
	}
	var names []string
	for _, v := range p.Vars {
		names = append(names, v.Name)
	}
	back, err := expr.Parse(t.Infix(names), names)
	if err != nil {
		return fmt.Errorf("%s does not parse back: %w", t.Infix(names), err)
	}
	v, w := evaluate(t, p), evaluate(back.WithStarts(t.Params()), p)
	for i := range v {
		if !near(v[i], w[i]) {
			return fmt.Errorf("%s is %v in row %d, and %v when printed and parsed", t.Infix(names), v[i], i+1, w[i])
		}
	}
	return nil
}

// evaluate returns the values of t in all rows, with the constants at their starting values.
func evaluate(t expr.Tree, p *dataset.Problem) []float64 {
	v := make([]float64, len(p.Target.Values))
	if len(v) > 0 {
		expr.Compile(t).Eval(v, p.Cols(), t.Params())
	}
	return v
}

func unusable(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// near compares values up to rounding. Values that are not finite may differ, since a sum may
// overflow in one order and not in another.
func near(a, b float64) bool {
	return a == b || unusable(a) || unusable(b) || math.Abs(a-b) <= 1e-6*max(math.Abs(a), math.Abs(b), 1e-6)
}
