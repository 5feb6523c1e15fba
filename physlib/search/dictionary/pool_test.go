package dictionary

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/search/searchtest"
	"github.com/physlib/lab/physlib/search/view"
)

func TestPoolHoldsEachValueOnce(t *testing.T) {
	for _, columns := range []string{"a:1:3 b:0.5:2", "a:-2:2 b:-1:3", "a:1:3:m b:2:5:m c:1:2:s d:1:4:s"} {
		p := poolOf(searchtest.Sampled(t, "a*b", columns, 200), 64, 3000, 9)
		if len(p.nodes) < 500 {
			t.Errorf("%s: only %d expressions", columns, len(p.nodes))
		}
		order := make([]int32, len(p.nodes))
		for i := range order {
			order[i] = int32(i)
		}
		slices.SortFunc(order, func(i, j int32) int {
			if p.Values(i)[0] < p.Values(j)[0] {
				return -1
			}
			return 1
		})
		for n, i := range order {
			for _, j := range order[n+1:] {
				if p.Values(j)[0]-p.Values(i)[0] > 1e-12*math.Abs(p.Values(i)[0]) {
					break
				}
				if equalValues(p.Values(i), p.Values(j), 1e-12) {
					b := &Writer{Space: p.Space, Pool: p}
					t.Errorf("%s: %s and %s", columns, b.Node(i), b.Node(j))
				}
			}
		}
	}
}

// equalValues reports whether the columns a and b differ by at most tol times the largest value.
func equalValues(a, b []float64, tol float64) bool {
	size := 0.0
	for i := range a {
		size = max(size, math.Abs(a[i]), math.Abs(b[i]))
	}
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= tol*size) {
			return false
		}
	}
	return true
}

func TestPoolGrowsInSteps(t *testing.T) {
	problem := searchtest.Sampled(t, "a*b", "a:1:3 b:0.5:2 c:1:2", 200)
	// Each pair {size, cost} holds the arguments of one call of Grow.
	for _, steps := range [][][2]int{
		{{1 << 20, 4}, {1 << 20, 5}},                       // limited by cost
		{{100, 9}, {4000, 9}},                              // limited by size, in mid-level
		{{1, 9}, {2, 9}, {777, 9}, {778, 9}, {4000, 9}},    // many steps
		{{4000, 9}, {100, 9}},                              // a smaller limit removes nothing
		{{50, 2}, {50, 2}, {1 << 20, 3}, {300, 9}},         // limited by cost, then by size
		{{1 << 20, 0}, {500, 9}, {500, 12}, {1 << 20, 4}},  // the last two calls add nothing
		{{1 << 20, 4}, {1 << 20, 4}, {1 << 20, 4}, {1, 4}}, // the later calls add nothing
	} {
		size, cost := 0, 0
		many := NewPool(spaceOf(problem, 64), everything, false)
		for _, s := range steps {
			many.Grow(context.Background(), s[0], s[1])
			cost = max(cost, s[1])
			size = max(size, len(many.nodes))
		}
		once := NewPool(spaceOf(problem, 64), everything, false)
		once.Grow(context.Background(), size, cost)
		if len(once.nodes) < size {
			t.Fatalf("%v: %d expressions in steps, %d at once", steps, size, len(once.nodes))
		}
		for i := range many.nodes {
			if !equalValues(many.Values(int32(i)), once.Values(int32(i)), 0) || many.nodes[i].cost != once.nodes[i].cost {
				t.Fatalf("%v: expression %d differs", steps, i)
			}
		}
	}
}

func TestPoolStopsWithItsContext(t *testing.T) {
	p := NewPool(spaceOf(searchtest.Sampled(t, "a*b", "a:1:3 b:0.5:2", 200), 64), everything, false)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p.Grow(ctx, 1000, 9)
	if len(p.nodes) > 0 {
		t.Errorf("%d expressions after the end", len(p.nodes))
	}
}

// The trees that Writer returns have the values that the pool calculated.
func TestPoolIsWrittenAsItIsEvaluated(t *testing.T) {
	for _, grid := range []bool{false, true} {
		problem := searchtest.Sampled(t, "a*b", "a:-2:2 b:0.5:2", 300)
		s := spaceOf(problem, 64)
		p := NewPool(s, everything, grid)
		p.Grow(context.Background(), 3000, 9)
		v := make([]float64, s.Points())
		for i := range p.nodes {
			b := &Writer{Space: s, Pool: p}
			tree := b.Node(int32(i))
			expr.Compile(tree).Eval(v, s.Columns(), tree.Params())
			if !equalValues(v, p.Values(int32(i)), 1e-9) {
				t.Errorf("grid %v: %s is not what was enumerated", grid, tree)
			}
			factor := b.Factor(int32(i))
			expr.Compile(factor).Eval(v, s.Columns(), factor.Params())
			for k, x := range p.Values(int32(i)) {
				if math.Abs(math.Abs(x)-math.Abs(v[k])) > 1e-9*(1+math.Abs(x)) {
					t.Errorf("grid %v: the factor %s is not |%s|", grid, factor, tree)
					break
				}
			}
		}
	}
}

func TestPoolKeepsToAllowedFunctions(t *testing.T) {
	only := func(op expr.Op) bool { return op == expr.Sin || op == expr.Square }
	p := NewPool(spaceOf(searchtest.Sampled(t, "a*b", "a:1:3 b:0.5:2", 200), 64), only, false)
	p.Grow(context.Background(), 3000, 9)
	for _, n := range p.nodes {
		if n.shape == apply && n.fn != expr.Sin && n.fn != expr.Square {
			t.Fatalf("the pool holds %s", n.fn)
		}
	}
}

// spaceOf returns the view of p that an enumeration uses, at the given number of points.
func spaceOf(p *dataset.Problem, points int) *view.Space {
	return view.NewSpace(p, points, p.Units, nil)
}

func everything(op expr.Op) bool { return !op.Operator().Rare }

// poolOf returns the pool of p, grown until it has the given size or reaches the cost maxCost.
func poolOf(p *dataset.Problem, points, size, maxCost int) *Pool {
	q := NewPool(spaceOf(p, points), everything, false)
	q.Grow(context.Background(), size, maxCost)
	return q
}
