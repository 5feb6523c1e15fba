package expr

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// slopes has a point for each operator where it is smooth.
var slopes = map[Op][]float64{Log: {1.7}, Sqrt: {1.7}, Asin: {0.3}, Acos: {0.3}, Pow: {1.7, 0.6}}

func TestDiffOps(t *testing.T) {
	for op := Neg; op < numOps; op++ {
		at := append([]float64{0.8, -1.3}, 0)[:2]
		if p := slopes[op]; p != nil {
			at = append(p, 0.9)[:2]
		}
		args := []Tree{Apply(Mul, X(0), Num(1)), Apply(Add, X(1), Num(0.1))}[:op.Arity()]
		tree := Apply(op, args...)
		for v := range args {
			checkSlope(t, tree, tree.Diff(v), at, v)
		}
	}
}

type fataler interface{ Errorf(string, ...any) }

// checkSlope compares slope at x with the five-point difference of the tree by column v.
func checkSlope(t fataler, tree, slope Tree, x []float64, v int) {
	h := 1e-3
	at := func(k float64) float64 {
		moved := append([]float64(nil), x...)
		moved[v] += k * h
		return reference(tree, moved, nil)
	}
	got := reference(slope, x, nil)
	want := (8*(at(1)-at(-1)) - (at(2) - at(-2))) / (12 * h)
	half := (at(1) - at(-1)) / (2 * h)
	if c := tree.Canonical(); c.Len() == 1 && math.IsNaN(c.nodes[0].Value) {
		return // 1/0 somewhere
	}
	if c := slope.Canonical(); c.Len() == 1 && math.IsNaN(c.nodes[0].Value) {
		return // log(0), of 0**x
	}
	if math.IsNaN(got) && slices.ContainsFunc(tree.nodes, func(n Node) bool { return n.Op == Pow }) {
		return // the logarithm of a negative number whose power happens to be constant
	}
	if math.IsNaN(got) && overflows(slope, x) {
		return // inf/inf
	}
	if math.IsNaN(want) || math.Abs(want-half) > 1e-3*(1+math.Abs(want)) || math.Abs(want) > 1e6 {
		return // not smooth here
	}
	if !(math.Abs(got-want) <= 1e-5*(1+math.Abs(want)+math.Abs(at(0)))) {
		t.Errorf("d(%s)/dx%d = %s = %v at %v, by differences %v", tree, v, slope, got, x, want)
	}
}

// overflows reports whether a part of tree is infinite at x, or so large that differences vanish in
// its rounding.
func overflows(tree Tree, x []float64) bool {
	for i, size := range tree.sizes() {
		if math.Abs(reference(Tree{nodes: tree.nodes[i-int(size)+1 : i+1]}, x, nil)) > 1e12 {
			return true
		}
	}
	return false
}

func TestDiff(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"x**2", "2*x"}, {"3*x+y", "3"}, {"x*y", "y"}, {"sin(x)", "cos(x)"}, {"y**2", "0"}, {"x**y", "y*x**(y - 1)"}, {"1/x", "-1/x**2"},
		{"exp(-x)", "-exp(-x)"}, {"2**x", "0.6931471805599453*2**x"}, {"log(x*y)", "1/x"}, {"sqrt(x)", "1/(2*sqrt(x))"},
	} {
		if got := parse(t, test.in).Diff(0).Simplify(); !Equal(got, parse(t, test.want)) {
			t.Errorf("d(%s)/dx: got %s, want %s", test.in, got.Infix(xyz), test.want)
		}
	}
	if got := parse(t, "c0*x**c1").DiffParam(1); !Equal(got, parse(t, "c0*x**c1*log(x)")) {
		// the slots do not change, so this compares the trees themselves
		t.Errorf("by c1: %s", got.Infix(xyz))
	}
	if got := (Tree{}).Diff(0); got.Len() != 0 {
		t.Errorf("empty tree: %v", got)
	}
}

func TestDiffProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t, 4, false)
		for v := range 3 {
			checkSlope(t, tree, tree.Diff(v), []float64{1.3, 0.7, 2.1}, v)
			checkSlope(t, tree, tree.Diff(v).Simplify(), []float64{1.3, 0.7, 2.1}, v)
		}
	})
}
