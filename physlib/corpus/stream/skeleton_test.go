package stream

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/corpus"
	"github.com/physlib/lab/physlib/expr"
)

// laws returns skeletons of the stream, without tables.
func laws(n int, seed uint64) []expr.Tree {
	s, _ := New(Config{Rows: 8})
	out := make([]expr.Tree, n)
	for i := range out {
		out[i] = s.Problem(seed, uint64(i)).Law
	}
	return out
}

// at returns t at the point x.
func at(t expr.Tree, x []float64) float64 {
	cols := make([][]float64, len(x))
	for i := range x {
		cols[i] = x[i : i+1]
	}
	y := t.Values(1, cols, t.Params())
	return y[0]
}

func point(rng *rand.Rand) []float64 {
	x := make([]float64, 10)
	for i := range x {
		x[i] = 0.3 + 2*rng.Float64()
	}
	return x
}

// sameValues reports whether scale·skel has the values of t.
func sameValues(t, skel expr.Tree, scale float64, rng *rand.Rand) (ok bool, points int) {
	for range 6 {
		x := point(rng)
		a, b := at(t, x), scale*at(skel, x)
		if math.IsNaN(a) || math.IsInf(a, 0) || math.IsNaN(b) || math.IsInf(b, 0) {
			continue
		}
		for i := range x {
			x[i] *= 1 + 1e-12
		}
		if math.Abs(at(t, x)-a) > 1e-9*(math.Abs(a)+1e-3) {
			continue // values such as the cosine of 10⁹ depend on rounding
		}
		points++
		if math.Abs(a-b) > 1e-6*(math.Abs(a)+1e-3) {
			return false, points
		}
	}
	return true, points
}

// rewritten returns t in another form with the same values.
func rewritten(t expr.Tree, rng *rand.Rand) expr.Tree {
	stack := []expr.Tree{}
	ap := expr.Apply
	for _, n := range t.Nodes() {
		k := len(stack)
		switch n.Op.Arity() {
		case 0:
			u, _ := expr.FromNodes([]expr.Node{n})
			stack = append(stack, u)
			continue
		case 1:
			a := stack[k-1]
			r := ap(n.Op, a)
			switch {
			case n.Op == expr.Square && rng.IntN(2) == 0:
				r = ap(expr.Mul, a, a)
			case n.Op == expr.Cube && rng.IntN(2) == 0:
				r = ap(expr.Mul, ap(expr.Square, a), a)
			case n.Op == expr.Inv && rng.IntN(2) == 0:
				r = ap(expr.Div, expr.Num(1), a)
			case n.Op == expr.Sqrt && rng.IntN(2) == 0:
				r = ap(expr.Pow, a, expr.Num(0.5))
			case n.Op == expr.Sqrt && rng.IntN(2) == 0:
				r = ap(expr.Inv, ap(expr.Sqrt, ap(expr.Inv, a)))
			case n.Op == expr.Neg && rng.IntN(2) == 0:
				r = ap(expr.Sub, expr.Num(0), a)
			case n.Op == expr.Exp && rng.IntN(2) == 0:
				r = ap(expr.Inv, ap(expr.Exp, ap(expr.Neg, a)))
			case n.Op == expr.Log && rng.IntN(2) == 0:
				r = ap(expr.Neg, ap(expr.Log, ap(expr.Inv, a)))
			case n.Op == expr.Tan && rng.IntN(2) == 0:
				r = ap(expr.Div, ap(expr.Sin, a), ap(expr.Cos, a))
			case n.Op == expr.Cosh && rng.IntN(2) == 0:
				r = ap(expr.Mul, expr.Num(0.5), ap(expr.Add, ap(expr.Exp, a), ap(expr.Exp, ap(expr.Neg, a))))
			case (n.Op == expr.Sin || n.Op == expr.Tanh) && rng.IntN(2) == 0:
				r = ap(expr.Neg, ap(n.Op, ap(expr.Neg, a)))
			case n.Op == expr.Cos && rng.IntN(2) == 0:
				r = ap(n.Op, ap(expr.Neg, a))
			}
			stack[k-1] = r
		case 2:
			a, b := stack[k-2], stack[k-1]
			stack = stack[:k-1]
			r := ap(n.Op, a, b)
			switch {
			case (n.Op == expr.Add || n.Op == expr.Mul) && rng.IntN(2) == 0:
				r = ap(n.Op, b, a)
			case n.Op == expr.Sub && rng.IntN(2) == 0:
				r = ap(expr.Neg, ap(expr.Sub, b, a))
			case n.Op == expr.Div && rng.IntN(2) == 0:
				r = ap(expr.Mul, ap(expr.Inv, b), a)
			case n.Op == expr.Div && rng.IntN(2) == 0:
				r = ap(expr.Inv, ap(expr.Div, b, a))
			case n.Op == expr.Add && rng.IntN(2) == 0:
				r = ap(expr.Sub, a, ap(expr.Neg, b))
			}
			stack[k-2] = r
		}
		if rng.IntN(6) == 0 {
			k = len(stack)
			c := expr.Num(1.7)
			stack[k-1] = ap(expr.Div, ap(expr.Mul, c, stack[k-1]), c)
		}
	}
	return stack[0]
}

// Prints the skeletons of the benchmarks' laws: PHYSLIB_SHOW=1 go test -run Show -v.
func TestShow(t *testing.T) {
	if os.Getenv("PHYSLIB_SHOW") == "" {
		t.Skip()
	}
	for _, s := range corpus.Suites() {
		ps, _ := corpus.Suite(s)
		for _, p := range ps {
			tree, err := p.Tree()
			if err != nil {
				t.Fatal(err)
			}
			sk, scale, ok := Skeleton(tree)
			t.Logf("%v %d %s => %g * %s", ok, sk.Len(), p.Law, scale, sk.Infix(p.Names()))
		}
	}
}

func TestSkeletonIsOneForm(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	bad, n := 0, 0
	for _, law := range laws(400, 7) {
		for range 3 {
			r := rewritten(law, rng)
			skel, scale, ok := Skeleton(r)
			n++
			if !ok {
				t.Logf("no form: %s\n   of %s", r, law)
				bad++
				continue
			}
			if ok, _ := sameValues(r, skel, scale, rng); !ok {
				t.Errorf("value: %s\n   of %s\n   is %g*%s", r, law, scale, skel)
			}
			if !sameNodes(skel.Nodes(), law.Nodes()) {
				bad++
				if testing.Verbose() && bad < 10 {
					t.Logf("%s\n   of %s\n   is %s", r, law, skel)
				}
			}
		}
	}
	t.Logf("%d of %d differ", bad, n)
	if bad > n/50 {
		t.Errorf("%d of %d equal laws have another skeleton", bad, n)
	}
}

func TestSignatureIgnoresNames(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	bad, n, forms := 0, 0, 0
	for _, law := range laws(600, 8) {
		perm := rng.Perm(10)
		nodes := append([]expr.Node{}, law.Nodes()...)
		for i := range nodes {
			if nodes[i].Op == expr.Var {
				nodes[i].Index = int32(perm[nodes[i].Index])
			}
		}
		u, _ := expr.FromNodes(nodes)
		skel, _, ok := Skeleton(u)
		n++
		if !ok || Signature(skel) != Signature(law) {
			bad++
			t.Logf("%s\n   and %s", law, skel)
		}
		if skel.Len() != law.Len() {
			forms++
		}
	}
	t.Logf("%d of %d differ; %d have another length", bad, n, forms)
	if bad > n/100 {
		t.Errorf("%d of %d signatures depend on names", bad, n)
	}
}

// randomTree returns a random tree of about n nodes.
func randomTree(rng *rand.Rand, n int) expr.Tree {
	if n <= 1 || rng.IntN(12) == 0 {
		switch rng.IntN(8) {
		case 0:
			return [...]expr.Tree{expr.C(0, 1.3), expr.C(1, 0.7)}[rng.IntN(2)]
		case 1:
			return expr.Num([...]float64{0, 1, -1, 2, 0.5, 3, -2, 1.7}[rng.IntN(8)])
		case 2:
			return expr.Leaf([...]expr.Op{expr.Pi, expr.Euler}[rng.IntN(2)])
		}
		return expr.X(rng.IntN(3))
	}
	op := expr.Neg + expr.Op(rng.IntN(int(expr.Pow-expr.Neg)+1))
	if rng.IntN(2) == 0 {
		op = expr.Add + expr.Op(rng.IntN(4))
	}
	if op.Arity() == 1 {
		return expr.Apply(op, randomTree(rng, n-1))
	}
	k := 1 + rng.IntN(n-1)
	return expr.Apply(op, randomTree(rng, k), randomTree(rng, n-1-k))
}

// A proposer may propose any tree. So for any tree, Skeleton must not crash or take long, and the
// skeleton must have the same values.
func TestSkeletonOfAnything(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	n, formed, points, wrong := 2000, 0, 0, 0
	if v := os.Getenv("PHYSLIB_TREES"); v != "" {
		n, _ = strconv.Atoi(v)
	}
	for range n {
		tree := randomTree(rng, 4+rng.IntN(24))
		start := time.Now()
		skel, scale, ok := Skeleton(tree)
		if d := time.Since(start); d > 3*time.Second {
			t.Errorf("%v for %s", d, tree)
		}
		if !ok {
			continue
		}
		formed++
		Signature(skel)
		if slices.ContainsFunc(tree.Nodes(), func(n expr.Node) bool { return n.Op == expr.Sqrt || n.Op == expr.Pow }) {
			continue // √x² is taken as x, and (-x)² below a root as x²
		}
		same, k := sameValues(tree, skel, scale, rng)
		points += k
		if !same {
			t.Logf("%s\n   is %g*%s", tree, scale, skel)
			wrong++
		}
	}
	if wrong > 1+n/5000 { // values such as tan π depend on rounding
		t.Errorf("%d of %d skeletons have other values", wrong, formed)
	}
	t.Logf("%d of %d trees have a skeleton, compared at %d points", formed, n, points)
}
