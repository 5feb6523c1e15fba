package motion

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/law"
)

// Equal terms of a law are collected, and its minus signs cancel. The values stay the same.
func TestCollected(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	cols := make([][]float64, 2)
	for range 50 {
		cols[0], cols[1] = append(cols[0], 0.5+rng.Float64()), append(cols[1], 0.5+rng.Float64())
	}
	for _, c := range []struct {
		law    string
		params []float64
		want   string
	}{
		{"y*(c0*x + c1*(x + 1))", []float64{0.52, -0.42}, "y*(0.1*x - 0.42)"},
		{"x*(x*y - 1) + c0*x", []float64{-2.6}, "x*(x*y - 3.6)"},
		{"-y*(c0*x + c1*(x + 1))/(c2*x - 1)", []float64{0.576, -0.33, -0.507}, "y*(0.246*x - 0.33)/(0.507*x + 1)"},
		{"c0*(x**2*y - y)", []float64{-1.4}, "1.4*y*(1 - x**2)"},
		{"c0*x + c1*y", []float64{-0.5, 0.2}, "0.2*y - 0.5*x"},
		{"c0*(y - x) + c1*x", []float64{0.5, -0.2}, "0.5*(y - x) - 0.2*x"},
		{"-(x*y) + c0", []float64{0.2}, "0.2 - x*y"},
		{"-exp(x*y)", nil, "-exp(x*y)"},
		{"-(x*y)", nil, "-x*y"},
		{"sin(c0*x) + c1*y", []float64{2.5, -0.2}, "sin(2.5*x) - 0.2*y"},
	} {
		tree := mustParse(c.law, "x", "y").WithStarts(c.params)
		got := rewrite.FewerSigns(collected(tree, cols, func(t expr.Tree) float64 { return law.Complexity(t, 2) }))
		if got.NumParams() > tree.NumParams() {
			t.Errorf("%s: %d constants", c.law, got.NumParams())
		}
		rounded := got.MapLeaves(func(_ int, n expr.Node) expr.Node {
			if n.Op == expr.Param {
				n = expr.Node{Op: expr.Number, Value: math.Round(n.Value*1e6) / 1e6}
			}
			return n
		})
		if text := rewrite.Tidy(rounded).Decimals([]string{"x", "y"}); text != c.want {
			t.Errorf("%s: %s, want %s", c.law, text, c.want)
		}
		a, b := valuesOn(tree, cols, tree.Params()), valuesOn(got, cols, got.Params())
		subtract(b, a, 1)
		if dot(b, b) > 1e-18*dot(a, a) {
			t.Errorf("%s: other values", c.law)
		}
	}
}

// Coefficients that are equal within their errors become one constant.
func TestJoint(t *testing.T) {
	noEngine(t)
	sr := fitted(t, circuit(380), Options{Inputs: []string{"u"}}, "-0.6*i - 0.9091*vc + 0.9092*u", "i/0.46")
	sr.measureInputs(t.Context())
	s := &system{searcher: sr, trees: sr.trees(), wins: sr.wins, shot: sr.shot}
	for k, tree := range s.trees {
		s.trees[k] = withNumbersFreed(tree)
	}
	s.shot, _ = s.evaluate(s.trees, nil, func() bool { return false })
	s.simplify(t.Context())
	if s.trees[0].NumParams() != 2 {
		t.Errorf("%s", s.trees[0].Bind(s.trees[0].Params()).Infix(sr.names))
	}
}

// Fitted exponents become free constants, which have errors. Simple fractions stay.
func TestFreedPowers(t *testing.T) {
	got := freedPowers(mustParse("c0*x**0.43660755675625557 + y**(2/3) + x**2", "x", "y"))
	if want := "c0*x**c1 + y**(2/3) + x**2"; got.Infix([]string{"x", "y"}) != want || got.Params()[1] != 0.43660755675625557 {
		t.Errorf("%s, want %s", got.Infix([]string{"x", "y"}), want)
	}
}

// A closed form in front of a sum is not multiplied out.
func TestReplaced(t *testing.T) {
	law := mustParse("c0*(x - y) + c1*x", "x", "y")
	for value, want := range map[string]string{"10/19": "10/19*(x - y) + c0*x", "sqrt(2)": "sqrt(2)*(x - y) + c0*x", "0": "c0*x"} {
		if got := replaced(law, 0, mustParse(value)).Infix([]string{"x", "y"}); got != want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
}
