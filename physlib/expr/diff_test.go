package expr

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// slopes lists, for some operators, the operands at which the derivative is tested. The operator is
// smooth at these operands.
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

// checkSlope compares slope at x with the derivative of tree with respect to column v, calculated
// by five-point differences.
func checkSlope(t fataler, tree, slope Tree, x []float64, v int) {
	at := func(step float64) float64 {
		moved := append([]float64(nil), x...)
		moved[v] += step
		return reference(tree, moved, nil)
	}
	differences := func(h float64) float64 { return (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h) }
	got := reference(slope, x, nil)
	want, finer := differences(1e-3), differences(3e-4)
	scale := 1 + math.Abs(want) + math.Abs(at(0))
	if c := tree.Canonical(); c.Len() == 1 && math.IsNaN(c.nodes[0].Value) {
		return // a subtree is 1/0
	}
	if c := slope.Canonical(); c.Len() == 1 && math.IsNaN(c.nodes[0].Value) {
		return // the derivative of 0**x contains log(0)
	}
	undefined := []Op{Pow, Abs, Min, Max}
	if math.IsNaN(got) && slices.ContainsFunc(tree.nodes, func(n Node) bool { return slices.Contains(undefined, n.Op) }) {
		// The derivative has a logarithm of a negative number, or the operand of abs is 0 here.
		return
	}
	if overflows(tree, x) || math.IsNaN(got) && overflows(slope, x) || math.Abs(got) > 1e12 {
		return // for example j0(1e24), inf/inf, or 1/sqrt(1 - erf(13)**2)
	}
	near := slices.Clone(x)
	near[v] += 1e-6
	if math.IsNaN(got) && !math.IsNaN(reference(slope, near, nil)) {
		return // the derivative is 0/0 only at this point
	}
	if math.IsNaN(want) || math.Abs(want-finer) > 1e-6*scale || math.Abs(want) > 1e6 {
		return // the tree is not smooth here
	}
	if !(math.Abs(got-want) <= 1e-5*scale) {
		t.Errorf("d(%s)/dx%d = %s = %v at %v, by differences %v", tree, v, slope, got, x, want)
	}
}

// overflows reports whether a subtree of tree is infinite at x, or so large that differences are
// smaller than its rounding error.
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
