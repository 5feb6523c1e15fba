package discover

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/mdl"
)

// numerical reports whether t has numbers other than exponents and simple numbers.
func numerical(t expr.Tree) bool {
	src := t.Nodes()
	for i, n := range src {
		if number(src, i) && n.Op.Arity() == 0 {
			return true
		}
	}
	return false
}

// freed returns t with free constants in place of its numbers, except exponents and 1.
func freed(t expr.Tree) expr.Tree {
	src := t.Nodes()
	next := int32(t.NumParams())
	return t.MapLeaves(func(i int, n expr.Node) expr.Node {
		plain := n.Op == expr.Number && math.Abs(n.Value) != 1 && simple(n.Value) && !(i+1 < len(src) && src[i+1].Op == expr.Pow)
		if !plain && !number(src, i) {
			return n
		}
		v := n.Value
		switch n.Op {
		case expr.Pi:
			v = math.Pi
		case expr.Euler:
			v = math.E
		}
		next++
		return expr.Node{Op: expr.Param, Index: next - 1, Value: v}
	}).MergeParams()
}

// number reports whether node i is a number that is neither an exponent nor simple.
func number(nodes []expr.Node, i int) bool {
	switch n := nodes[i]; n.Op {
	case expr.Pi, expr.Euler:
		return true
	case expr.Number:
		return !simple(n.Value) && math.Abs(n.Value-180/math.Pi) > 1e-9 && !(i+1 < len(nodes) && nodes[i+1].Op == expr.Pow)
	}
	return false
}

// simple reports whether v is a number that is often part of the form of a law, such as 2.
func simple(v float64) bool {
	switch math.Abs(v) {
	case 0.5, 1, 2, 3, 4:
		return true
	}
	return false
}

// simpler returns forms near a fitted one with one constant less. In such a form a term is missing,
// a factor or exponent is a simple number, or one constant is a simple multiple of another.
func (k *ranking) simpler(c mdl.Score) (out []expr.Tree) {
	src := c.Tree.Nodes()
	for i, n := range src {
		if n.Op != expr.Param {
			continue
		}
		slot := int(n.Index)
		v, se := c.Params[slot], c.StdErr[slot]
		exponent := i+1 < len(src) && src[i+1].Op == expr.Pow
		var numbers []float64
		if math.IsInf(se, 0) || math.IsNaN(se) || math.Abs(v) < 4*se {
			numbers = append(numbers, 0)
		}
		if exponent {
			for _, q := range []float64{1, 2, 3, 4} {
				if p := math.Round(v*q) / q; p != 0 && math.Abs(p-v) < 3*se {
					numbers = append(numbers, p)
				}
			}
		} else {
			for _, p := range []float64{1, -1, 2, -2, 3, -3, 4, -4} {
				if math.Abs(p) > 1 && (se > 0.01*math.Abs(p) || slot < len(c.Dims) && !c.Dims[slot].IsZero()) {
					continue
				}
				if math.Abs(p-v) < 3*se {
					numbers = append(numbers, p)
				}
			}
		}
		for _, p := range numbers {
			t := rewrite.Fold(c.Tree.SubstituteParam(slot, expr.Num(p))).MergeParams()
			if len(t.Vars()) > 0 {
				out = append(out, t)
			}
		}
	}
	return append(out, inRatio(c)...)
}

// inRatio returns the forms of a fitted law in which one constant is a simple multiple of another,
// as in 1/(c − 4·c/n²).
func inRatio(c mdl.Score) (out []expr.Tree) {
	n := len(c.Params)
	for i, a := range c.Params {
		for j, b := range c.Params {
			if i == j || len(c.Cov) != n*n || i < len(c.Dims) && j < len(c.Dims) && c.Dims[i] != c.Dims[j] {
				continue
			}
			r := a / b
			va, vb, cov := c.Cov[i*n+i]/(a*a), c.Cov[j*n+j]/(b*b), c.Cov[i*n+j]/(a*b)
			se := math.Abs(r) * math.Sqrt(max(va+vb-2*cov, 0))
			for _, p := range []float64{1, -1, 2, -2, 3, -3, 4, -4} {
				if math.Abs(r-p) < 3*se && se < 0.01*math.Abs(p) {
					by := expr.Apply(expr.Mul, expr.Num(p), expr.C(j, b))
					out = append(out, c.Tree.SubstituteParam(i, by).CompactParams().MergeParams())
				}
			}
		}
	}
	return out
}

// ofSquares returns t with one of its sums a + b replaced by √(a² + b²), as for the magnitude of a
// vector. With noise, a sum is often nearly as good and found earlier.
func ofSquares(t expr.Tree) (out []expr.Tree) {
	nodes := t.Nodes()
	for i, n := range nodes {
		if n.Op != expr.Add {
			continue
		}
		b := t.Subtree(i - 1)
		a := t.Subtree(i - 1 - b.Len())
		sum := expr.Apply(expr.Sqrt, expr.Apply(expr.Add, expr.Apply(expr.Square, a), expr.Apply(expr.Square, b)))
		out = append(out, t.Splice(i-a.Len()-b.Len(), i+1, sum.Nodes()...))
	}
	return out
}
