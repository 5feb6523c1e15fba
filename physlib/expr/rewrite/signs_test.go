package rewrite

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/expr"
)

// Constants come first, and a negative constant is added, so that the form with names of constants
// has the signs of the law.
func TestFewerSigns(t *testing.T) {
	for _, c := range []struct {
		law    string
		params []float64
		want   string
	}{
		{"c1 - x*c0", []float64{-0.2, -0.3}, "c1 + c0*x"},
		{"c0 - x*c1", []float64{0.2, 0.3}, "c0 - c1*x"},
		{"-c0*(x - y)", []float64{0.2}, "c0*(y - x)"},
	} {
		tree, err := expr.Parse(c.law, []string{"x", "y"})
		if err != nil {
			t.Fatal(err)
		}
		if got := FewerSigns(tree.WithStarts(c.params)).Infix([]string{"x", "y"}); got != c.want {
			t.Errorf("%s: %s, want %s", c.law, got, c.want)
		}
	}
}

// Products and quotients are printed with as few minus signs as possible.
func TestFewerSignsPrinted(t *testing.T) {
	for _, c := range []struct {
		law    string
		params []float64
		want   string
	}{
		{"(c0 - c1*x)*(c2*x - 1)", []float64{0.00524, 0.004811, -0.1361}, "(0.004811*x - 0.00524)*(0.1361*x + 1)"},
		{"c0/(cos(x) + c1)", []float64{-513.7, -1.784}, "513.7/(1.784 - cos(x))"},
		{"c0/(cos(x) - c1)", []float64{-513.7, 1.784}, "513.7/(1.784 - cos(x))"},
		{"(c0*x + c1)/(c2*x + c3/x + 1)", []float64{-4.127, -7.78, -0.04764, -56.47}, "(4.127*x + 7.78)/(0.04764*x + 56.47/x - 1)"},
		{"c0 - c1/(c2*x - 1)", []float64{2, 7.6, -0.37}, "2 + 7.6/(0.37*x + 1)"},
		{"c0*(c0 - x)", []float64{-2}, "2*(x + 2)"}, // a constant that occurs twice keeps its sign
	} {
		tree, err := expr.Parse(c.law, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		got := FewerSigns(tree.WithStarts(c.params))
		if text := Tidy(got.Bind(got.Params())).Infix([]string{"x"}); text != c.want {
			t.Errorf("%s: %s, want %s", c.law, text, c.want)
		}
	}
}

// randomLaw returns a random tree of about n nodes in x and y with free constants from slot next
// on, each of which occurs once, and the first free slot.
func randomLaw(rng *rand.Rand, n, next int) (expr.Tree, int) {
	if n <= 1 {
		switch rng.IntN(5) {
		case 0:
			return expr.X(rng.IntN(2)), next
		case 1:
			return expr.Num(float64(rng.IntN(7) - 3)), next
		case 2:
			return expr.C(0, -1.3), max(next, 1) // may occur more than once
		}
		return expr.C(next, rng.NormFloat64()), next + 1
	}
	ops := []expr.Op{expr.Neg, expr.Square, expr.Exp, expr.Cos, expr.Inv, expr.Add, expr.Add, expr.Sub, expr.Sub, expr.Mul, expr.Mul, expr.Mul, expr.Div, expr.Div}
	op := ops[rng.IntN(len(ops))]
	if op.Arity() == 1 {
		a, next := randomLaw(rng, n-1, next)
		return expr.Apply(op, a), next
	}
	k := 1 + rng.IntN(n-1)
	a, next := randomLaw(rng, k, next)
	b, next := randomLaw(rng, n-1-k, next)
	return expr.Apply(op, a, b), next
}

// Any tree keeps its values, its constants up to their signs, and has no more minus signs.
func TestFewerSignsOfAnything(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	x := [][]float64{{0.3, -1.2, 2.5, 0.7}, {1.1, 0.4, -0.8, 3.2}}
	changed := 0
	for range 3000 {
		tree, _ := randomLaw(rng, 2+rng.IntN(16), 1)
		tree = tree.CompactParams()
		got := FewerSigns(tree)
		if Signs(got) > Signs(tree) {
			t.Errorf("%s has more minus signs than %s", got, tree)
		}
		if Signs(got) < Signs(tree) {
			changed++
		}
		before, after := tree.Params(), got.Params()
		if len(before) != len(after) {
			t.Fatalf("%s has other constants than %s", got, tree)
		}
		for i := range before {
			if math.Abs(before[i]) != math.Abs(after[i]) {
				t.Errorf("%s: constant %d was %g, is %g", tree, i, before[i], after[i])
			}
		}
		values := func(t expr.Tree) []float64 {
			return t.Values(len(x[0]), x, t.Params())
		}
		a, b := values(tree), values(got)
		for i := range a {
			defined := true // without a division by zero, which has no sign
			for end := range tree.Nodes() {
				defined = defined && math.Abs(values(tree.Subtree(end))[i]) < 1e100
			}
			if defined && !(math.Abs(a[i]-b[i]) <= 1e-9*math.Abs(a[i])) {
				t.Fatalf("%s is %g, and %s is %g", tree, a[i], got, b[i])
			}
		}
	}
	if changed < 100 {
		t.Errorf("only %d trees were changed", changed)
	}
}
