package genetic

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

func parse(t testing.TB, law string, names ...string) expr.Tree {
	t.Helper()
	tree, err := expr.Parse(law, names)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// uniform returns columns of random numbers between low and high.
func uniform(cols, rows int, low, high float64) [][]float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	list := make([][]float64, cols)
	for i := range list {
		for range rows {
			list[i] = append(list[i], low+(high-low)*rng.Float64())
		}
	}
	return list
}

func collect(t testing.TB, s Search, p *dataset.Problem) (trees []expr.Tree) {
	t.Helper()
	for tree, err := range s.Propose(context.Background(), p) {
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	return trees
}

func infixes(trees []expr.Tree) (list []string) {
	for _, t := range trees {
		list = append(list, fmt.Sprint(t.Infix(nil), t.Params()))
	}
	return list
}

func TestEqualSeedsEqualTrees(t *testing.T) {
	p := problemOf(parse(t, "a*exp(-b) + sin(2.3*a)", "a", "b"), []string{"a", "b"}, uniform(2, 60, 1, 3), 0.01, rand.New(rand.NewPCG(3, 4)))
	one := infixes(collect(t, Search{Generations: 5, Islands: 3, Workers: 1}, p))
	two := infixes(collect(t, Search{Generations: 5, Islands: 3, Workers: 2}, p))
	if d := cmp.Diff(one, two); d != "" || len(one) == 0 {
		t.Errorf("one worker gives %d trees, two %d:\n%s", len(one), len(two), d)
	}
	p.Seed = 5
	if other := infixes(collect(t, Search{Generations: 5, Islands: 3}, p)); slices.Equal(one, other) {
		t.Error("another seed gives the same trees")
	}
}

func TestFindsLaws(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	names := []string{"a", "b", "c"}
	for _, law := range []string{
		"a*b",
		"3*a/(2 + b**2)",      // an inner constant
		"exp(-1.7*a)*b + 0.5", // an exponent
		"a + b*c - c**2",
		"a*sqrt(1 - 0.05*b**2)",
		"log(a + b)",
		"a**2.5/b**c", // powers
	} {
		cols := uniform(3, 100, 1, 4)
		p := problemOf(parse(t, law, names...), names, cols, 0, nil)
		best := math.Inf(1)
		for tree := range (&Search{Generations: 40}).Propose(context.Background(), p) {
			if best = min(best, errorOn(tree, p)); best < 1e-12 {
				break
			}
		}
		if best > 1e-12 {
			t.Errorf("%s: the residual of the best law is %.1e of the variance", law, best)
		}
	}
}

func TestEveryTreeParsesBack(t *testing.T) {
	names := []string{"a", "b"}
	p := problemOf(parse(t, "a/(b + 0.3) + log(a)", names...), names, uniform(2, 50, 1, 3), 0, nil)
	for _, tree := range collect(t, Search{Generations: 5, Islands: 2}, p) {
		back, err := expr.Parse(tree.Infix(names), names)
		if err != nil {
			t.Fatal(err)
		}
		for slot, c := range tree.Params() {
			if math.IsNaN(c) || math.IsInf(c, 0) {
				t.Errorf("%s starts c%d at %v", tree.Infix(names), slot, c)
			}
		}
		if d := math.Abs(errorOn(back.WithStarts(tree.Params()), p) - errorOn(tree, p)); d > 1e-9 {
			t.Errorf("%s changes by %g when printed and parsed", tree.Infix(names), d)
		}
	}
}

func TestAwkwardProblems(t *testing.T) {
	nan := math.NaN()
	column := func(name string, v ...float64) dataset.Quantity {
		return dataset.Quantity{Name: name, Values: v, Scale: 1}
	}
	for name, p := range map[string]*dataset.Problem{
		"nothing":         {},
		"no columns":      {Target: column("y", 1, 2, 3)},
		"no rows":         {Vars: []dataset.Quantity{column("a")}, Target: column("y")},
		"one row":         {Vars: []dataset.Quantity{column("a", 1)}, Target: column("y", 2)},
		"two rows":        {Vars: []dataset.Quantity{column("a", 1, 2)}, Target: column("y", 2, 5)},
		"constant column": {Vars: []dataset.Quantity{column("a", 1, 1, 1), column("b", 1, 2, 3)}, Target: column("y", 2, 5, 7)},
		"only constant":   {Vars: []dataset.Quantity{column("a", 1, 1, 1)}, Target: column("y", 2, 5, 7)},
		"constant target": {Vars: []dataset.Quantity{column("a", 1, 2, 3)}, Target: column("y", 2, 2, 2)},
		"NaN and Inf":     {Vars: []dataset.Quantity{column("a", 1, nan, 3, 4, 5), column("b", 1, 2, 4, 7, math.Inf(1))}, Target: column("y", 2, 5, 7, 8, 9)},
		"all NaN":         {Vars: []dataset.Quantity{column("a", nan, nan, nan)}, Target: column("y", 2, 2, 3)},
		"NaN target":      {Vars: []dataset.Quantity{column("a", 1, 2, 3)}, Target: column("y", nan, nan, nan)},
		"short column":    {Vars: []dataset.Quantity{column("a", 1, 2)}, Target: column("y", 1, 2, 3)},
		"short weights":   {Vars: []dataset.Quantity{column("a", 1, 2, 3)}, Target: column("y", 1, 2, 4), Weights: []float64{1}},
		"zeros":           {Vars: []dataset.Quantity{column("a", 0, 0, 0, 1)}, Target: column("y", 0, 0, 1, 0), Weights: []float64{0, 1, 1, 1}},
		"huge":            {Vars: []dataset.Quantity{column("a", 1e200, 2e200, 3e200)}, Target: column("y", 1e300, 2e300, -1e300)},
		"tiny":            {Vars: []dataset.Quantity{column("a", 1e-200, 2e-200, 5e-200)}, Target: column("y", 1e-300, 2e-300, 7e-300)},
		"unknown ops":     {Vars: []dataset.Quantity{column("a", 1, 2, 3, 4)}, Target: column("y", 1, 4, 9, 16), Ops: []string{"sine"}},
		"units":           {Units: true, Vars: []dataset.Quantity{column("a", 1, 2, 3)}, Target: column("y", 2, 5, 7)},
	} {
		t.Run(name, func(t *testing.T) {
			collect(t, Search{Generations: 2, Islands: 2, Population: 50}, p)
			collect(t, Search{Generations: 1, Islands: 1, Population: 1, MaxNodes: 1}, p)
		})
	}
}

func TestStops(t *testing.T) {
	names := []string{"a"}
	p := problemOf(parse(t, "a*a + sin(a)", names...), names, uniform(1, 100, 0, 3), 0.1, rand.New(rand.NewPCG(3, 4)))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for range (&Search{}).Propose(ctx, p) {
		t.Fatal("a tree after the end")
	}
	for range (&Search{}).Propose(context.Background(), p) {
		break // the consumer ends the search
	}
	ctx, cancel = context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	for range (&Search{}).Propose(ctx, p) {
	}
	if late := time.Since(start); late > 2*time.Second {
		t.Errorf("ends after %v", late)
	}
}

func TestAllowedOperators(t *testing.T) {
	names := []string{"a", "b"}
	p := problemOf(parse(t, "a*exp(b)/(1 + a)", names...), names, uniform(2, 80, 1, 2), 0, nil)
	p.Ops = []string{"+", "-", "*"}
	for _, tree := range collect(t, Search{Generations: 5, Islands: 2}, p) {
		for _, n := range tree.Nodes() {
			switch n.Op {
			case expr.Add, expr.Sub, expr.Mul, expr.Neg, expr.Square, expr.Cube, expr.Var, expr.Param, expr.Number, expr.Pi:
			default:
				t.Fatalf("%s has %s", tree.Infix(names), n.Op)
			}
		}
	}
}

// If the operators + and - are not allowed, no law has an addend, even if it would fit better with
// one.
func TestNoAddends(t *testing.T) {
	names := []string{"a", "b"}
	p := problemOf(parse(t, "3 + a*b", names...), names, uniform(2, 80, 1, 2), 0, nil)
	p.Ops = []string{"*", "/"}
	n := 0
	for _, tree := range collect(t, Search{Generations: 5, Islands: 2}, p) {
		n++
		for _, x := range tree.Nodes() {
			if x.Op == expr.Add || x.Op == expr.Sub || x.Op == expr.Neg {
				t.Fatalf("%s has %s", tree.Infix(names), x.Op)
			}
		}
	}
	if n == 0 {
		t.Error("nothing is proposed")
	}
}

func TestUnits(t *testing.T) {
	metre, second := unit.Powers(0, 1), unit.Powers(0, 0, 1)
	names := []string{"x", "v", "t", "a"}
	p := problemOf(parse(t, "x + v*t + a*t**2/2", names...), names, uniform(4, 200, 1, 3), 0, nil)
	p.Units = true
	for i, d := range []unit.Dim{metre, metre.Div(second), second, metre.Div(second).Div(second)} {
		p.Vars[i].Dim, p.Vars[i].Known = d, true
	}
	p.Target.Dim, p.Target.Known = metre, true
	var last expr.Tree
	least := math.Inf(1)
	for tree := range (&Search{Generations: 15}).Propose(context.Background(), p) {
		if e := errorOn(tree, p); e < least {
			last, least = tree, e
		}
		if least < 1e-20 {
			break
		}
	}
	if _, violation := last.ParamDims([]unit.Dim{p.Vars[0].Dim, p.Vars[1].Dim, p.Vars[2].Dim, p.Vars[3].Dim}, metre); least > 1e-20 || violation > 0 {
		t.Errorf("%s leaves %.1e, units are violated by %g", last.Infix(names), least, violation)
	}
}

func TestManyColumns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	cols := uniform(50, 400, 1, 3)
	names := make([]string, len(cols))
	for i := range names {
		names[i] = fmt.Sprintf("v%d", i)
	}
	p := problemOf(parse(t, "v7*v31 + v44**2", names...), names, cols, 0, nil)
	best := math.Inf(1)
	for tree := range (&Search{Generations: 20}).Propose(context.Background(), p) {
		if best = min(best, errorOn(tree, p)); best < 1e-12 {
			break
		}
	}
	if best > 1e-12 {
		t.Errorf("leaves %.1e of the variance", best)
	}
}

// Columns of any magnitude are searched, even if the library keeps no function of them.
func TestHugeColumns(t *testing.T) {
	for _, size := range []float64{1e70, 1e-70, 1e150, 1e300} {
		x := uniform(2, 60, size, 3*size)
		p := problemOf(parse(t, "a - b", "a", "b"), []string{"a", "b"}, x, 0, rand.New(rand.NewPCG(3, 4)))
		collect(t, Search{Generations: 5, Islands: 2, Population: 60}, p)
	}
}
