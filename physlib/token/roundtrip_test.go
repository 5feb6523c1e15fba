package token

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/physlib/lab/physlib/expr"
)

func vocabularies() []*Vocabulary {
	return []*Vocabulary{PhysDiffuse(), Small(), SmallRPN(), PhysMDT(), PARR()}
}

// drawTree draws expressions that the vocabulary v can encode.
func drawTree(v *Vocabulary, depth int) *rapid.Generator[expr.Tree] {
	return rapid.Custom(func(t *rapid.T) expr.Tree {
		if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				return expr.Num(drawNumber(t, v))
			case 1:
				return expr.C(rapid.IntRange(0, 3).Draw(t, "slot"), 1)
			case 2:
				return expr.Leaf(rapid.SampledFrom([]expr.Op{expr.Pi, expr.Euler}).Draw(t, "named"))
			}
			return expr.X(rapid.IntRange(0, v.Vars()-1).Draw(t, "column"))
		}
		ops := []expr.Op{expr.Neg, expr.Inv, expr.Square, expr.Cube, expr.Add, expr.Sub, expr.Mul, expr.Div, expr.Pow, expr.Pow}
		for op := range v.ops {
			if op.Arity() > 0 {
				ops = append(ops, op)
			}
		}
		op := rapid.SampledFrom(sorted(ops)).Draw(t, "op")
		if op == expr.Pow {
			e := rapid.SampledFrom([]float64{-3, -2, -1.5, -1, -0.5, 0.25, 1. / 3, 0.5, 2. / 3, 1.5, 2, 2.5, 3, 4, 6, 9}).Draw(t, "exponent")
			return expr.Apply(op, drawTree(v, depth-1).Draw(t, "base"), expr.Num(e))
		}
		args := make([]expr.Tree, op.Arity())
		for i := range args {
			args[i] = drawTree(v, depth-1).Draw(t, "operand")
		}
		return expr.Apply(op, args...)
	})
}

func sorted(ops []expr.Op) []expr.Op {
	var s []expr.Op
	for op := expr.Number; op <= expr.Pow; op++ {
		for _, o := range ops {
			if o == op {
				s = append(s, op)
			}
		}
	}
	return s
}

func drawNumber(t *rapid.T, v *Vocabulary) float64 {
	if v.whole(7) == nil { // draw only numbers with a token, and fractions
		return float64(rapid.IntRange(-5, 5).Draw(t, "p")) / float64(rapid.IntRange(1, 5).Draw(t, "q"))
	}
	switch rapid.IntRange(0, 3).Draw(t, "form") {
	case 0:
		return float64(rapid.IntRange(-2000, 2000).Draw(t, "whole"))
	case 1:
		return float64(rapid.IntRange(-40, 40).Draw(t, "p")) / float64(rapid.IntRange(1, 40).Draw(t, "q"))
	case 2:
		return decimal(rapid.IntRange(-99999, 99999).Draw(t, "digits"), rapid.IntRange(-6, 0).Draw(t, "point"))
	}
	return decimal(rapid.IntRange(-9999, 9999).Draw(t, "mantissa"), rapid.IntRange(-40, 40).Draw(t, "exponent"))
}

// byAppearance returns t with its free constants numbered by first appearance, as Encode does.
func byAppearance(t expr.Tree) expr.Tree {
	nodes := slices.Clone(t.Nodes())
	var seen []int32
	for i, n := range nodes {
		if n.Op == expr.Param {
			if !slices.Contains(seen, n.Index) {
				seen = append(seen, n.Index)
			}
			nodes[i].Index = int32(slices.Index(seen, n.Index))
		}
	}
	t, _ = expr.FromNodes(nodes)
	return t
}

func decimal(digits, e int) float64 {
	x, _ := strconv.ParseFloat(fmt.Sprintf("%de%d", digits, e), 64)
	return x
}

// same reports whether two trees have the same canonical form. Decimal numbers that are computed in
// another order may differ in their last digits. So if the forms differ, same compares the values.
func same(a, b expr.Tree) bool {
	if a.Canonical().String() == b.Canonical().String() || expr.Equal(a, b) {
		return true
	}
	rng := newRand(1)
	cols, params := make([][]float64, 10), make([]float64, 64)
	for i := range cols {
		cols[i] = make([]float64, 20)
		for k := range cols[i] {
			cols[i][k] = 0.5 + rng.Float64()
		}
	}
	for k := range params {
		params[k] = 0.5 + rng.Float64()
	}
	x, y := make([]float64, 20), make([]float64, 20)
	expr.Compile(a).Eval(x, cols, params)
	expr.Compile(b).Eval(y, cols, params)
	for k := range x {
		if d := math.Abs(x[k] - y[k]); d > 1e-6*math.Abs(x[k]) {
			return false
		}
	}
	return true
}

func TestRoundTrip(t *testing.T) {
	for _, v := range vocabularies() {
		t.Run(v.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				tree := drawTree(v, 4).Draw(t, "tree")
				tree = byAppearance(tree)
				if v.fresh {
					tree = tree.UnshareParams()
				}
				ids, err := v.Encode(tree)
				if err != nil {
					t.Fatal(err)
				}
				back, err := v.Decode(ids)
				if err != nil {
					t.Fatal(err)
				}
				if !same(back, tree) {
					t.Errorf("%s became %s: %s for %s", tree, back, back.Canonical(), tree.Canonical())
				}
				again, err := v.Encode(back)
				if err != nil {
					t.Fatal(err)
				}
				if more, err := v.Decode(again); err != nil || !same(back, more) {
					t.Errorf("%s became %s, %v", back, more, err)
				}
			})
		})
	}
}

func TestNumbersRoundTrip(t *testing.T) {
	for _, v := range vocabularies() {
		t.Run(v.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				x := drawNumber(t, v)
				ids, err := v.Encode(expr.Num(x))
				if err != nil {
					t.Fatal(err)
				}
				back, err := v.Decode(ids)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := back.Canonical().String(), expr.Num(x).Canonical().String(); got != want {
					t.Errorf("%v is %s and became %s", x, v.Text(ids), back)
				}
			})
		})
	}
}

// Every sequence that a Grammar proposes decodes to an expression.
func TestDecodeIsTotal(t *testing.T) {
	for _, v := range vocabularies() {
		t.Run(v.Name(), func(t *testing.T) {
			g := v.Grammar(nil)
			rapid.Check(t, func(t *rapid.T) {
				seq := rapid.IntRange(1, 40).Draw(t, "seq")
				rng := newRand(rapid.Uint64().Draw(t, "seed"))
				ids, ok := g.Sample(rng, make([]float32, seq*v.Size()), seq, nil, 1)
				if !ok {
					t.Fatal("no expression")
				}
				tree, err := v.Decode(ids)
				if err != nil {
					t.Fatalf("%s: %v", v.Text(ids), err)
				}
				tree = byAppearance(tree)
				again, err := v.Encode(tree)
				if err != nil {
					if strings.Contains(err.Error(), "is not a number") || strings.Contains(err.Error(), "no tokens for the number") {
						return // the value overflows, as in 1e300·1e300
					}
					t.Fatalf("%s is %s: %v", v.Text(ids), tree, err)
				}
				if back, err := v.Decode(again); err != nil || !same(back, tree) {
					t.Errorf("%s is %s, written as %s, which is %s, %v", v.Text(ids), tree, v.Text(again), back, err)
				}
			})
		})
	}
}
