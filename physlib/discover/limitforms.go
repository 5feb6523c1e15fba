package discover

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

// limits returns simpler forms that a fitted law approaches for small or large values of a constant:
//
//   - c₀·xᵖ + c₁ approaches c₀·log x + c₁ for a small power p.
//   - c₀·exp(k·x) + c₁ approaches c₀·x + c₁ if k·x is small in all rows.
//   - Two exponentials of x with nearly equal exponents approach (c₀ + c₁·x)·exp(k·x).
//   - A sum approaches the sum without a small term: k·x − 1 approaches k·x for large k.
//
// Forms are also proposed if the law is far from the limit; they simply fit badly.
func limits(m *mdl.Data, c mdl.Score) (out []expr.Tree) {
	nodes := c.Tree.Nodes()
	for i, n := range nodes {
		if n.Op == expr.Exp && nearlyConstant(m, c.Tree.Subtree(i-1), c.Params) {
			out = append(out, c.Tree.Splice(i, i+1))
		}
	}
	out = append(append(out, powerLimits(c)...), pairLimits(m, c)...)
	for _, term := range m.Terms(c.Tree) {
		if term.Share < smallTerm {
			out = append(out, term.Without)
		}
	}
	for i, t := range out {
		out[i] = t.CompactParams().MergeParams()
	}
	return out
}

// smallTerm is the share of a sum below which a term counts as small, so that the sum is also tried
// without it.
const smallTerm = 0.15

// powerLimits returns variants of the law c in which a power xᵖ with a small fitted exponent p is
// replaced by log x.
func powerLimits(c mdl.Score) (out []expr.Tree) {
	nodes := c.Tree.Nodes()
	for i, n := range nodes {
		if n.Op == expr.Pow && nodes[i-1].Op == expr.Param && math.Abs(nodes[i-1].Value) < 0.2 {
			// In postfix order, the exponent comes just before the power, and the base before the
			// exponent.
			out = append(out, c.Tree.Splice(i-1, i+1, expr.Node{Op: expr.Log}))
		}
	}
	return out
}

// exponential is the operand of an exp within a tree: the nodes from lo to hi.
type exponential struct {
	lo, hi  int
	operand expr.Tree
}

// pairLimits returns the limits of pairs of exponentials in c. It considers two exponentials if
// their exponents contain the same single variable, and differ by a nearly constant amount over the
// rows.
func pairLimits(m *mdl.Data, c mdl.Score) (out []expr.Tree) {
	nodes := c.Tree.Nodes()
	var all []exponential
	for i, n := range nodes {
		if n.Op != expr.Exp {
			continue
		}
		if operand := c.Tree.Subtree(i - 1); len(operand.Vars()) == 1 {
			all = append(all, exponential{i - operand.Len(), i + 1, operand})
		}
	}
	for i, a := range all {
		for _, b := range all[i+1:] {
			if b.lo < a.hi || a.operand.Vars()[0] != b.operand.Vars()[0] ||
				!nearlyConstant(m, expr.Apply(expr.Sub, a.operand, b.operand), c.Params) {
				continue
			}
			x := expr.Node{Op: expr.Var, Index: int32(a.operand.Vars()[0])}
			moved := append([]expr.Node{x}, nodes[a.lo:a.hi]...)
			moved = append(moved, expr.Node{Op: expr.Mul})
			if b.hi < len(nodes) && nodes[b.hi].Op == expr.Sub && b.lo == a.hi {
				out = append(out, c.Tree.Splice(a.lo, b.hi+1, moved...))
			}
			factor := expr.Node{Op: expr.Param, Index: int32(c.Tree.NumParams()), Value: -1 / (1 + m.Cols[x.Index][0])}
			free := append(append([]expr.Node{factor}, moved...), expr.Node{Op: expr.Mul})
			out = append(out, c.Tree.Splice(b.lo, b.hi, free...))
		}
	}
	return out
}

// nearlyConstant reports whether the range of t's values is less than 0.5, so that exp(t) is nearly
// linear.
func nearlyConstant(m *mdl.Data, t expr.Tree, params []float64) bool {
	v := m.Values(t, params)
	return slices.Max(v)-slices.Min(v) < 0.5
}
