package discover

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/mdl"
)

// limits are the forms that a fitted law tends to where a constant is near zero: c₀·xᵖ + c₁ is
// c₀·log x + c₁ for a small power p, c₀·exp(k·x) + c₁ is c₀·x + c₁ where k·x stays small, and two
// exponentials of x whose exponents stay near to one another are (c₀ + c₁·x)·exp(k·x). Far from the
// limit they only fail to fit.
func limits(m *mdl.Table, c mdl.Score) (out []expr.Tree) {
	nodes := c.Tree.Nodes()
	for i, n := range nodes {
		switch {
		case n.Op == expr.Pow && nodes[i-1].Op == expr.Param && math.Abs(nodes[i-1].Value) < 0.2:
			// the base ends before the exponent
			out = append(out, spliced(nodes, i-1, i+1, expr.Node{Op: expr.Log}))
		case n.Op == expr.Exp:
			start := first(nodes, i-1)
			operand, ok := expr.FromNodes(nodes[start:i])
			if ok && small(m, operand, c.Params) {
				out = append(out, spliced(nodes, i, i+1))
			}
		}
	}
	out = append(out, pairLimits(m, c)...)
	for i, t := range out {
		out[i] = t.MergeParams()
	}
	return out
}

// exponential is exp of an operand within a tree: the nodes from lo to hi.
type exponential struct {
	lo, hi  int
	operand expr.Tree
}

// pairLimits are the limits of c's pairs of exponentials of one variable whose exponents differ by
// a nearly constant amount over the rows.
func pairLimits(m *mdl.Table, c mdl.Score) (out []expr.Tree) {
	nodes := c.Tree.Nodes()
	var all []exponential
	for i, n := range nodes {
		if n.Op != expr.Exp {
			continue
		}
		lo := first(nodes, i-1)
		operand, ok := expr.FromNodes(nodes[lo:i])
		if ok && len(operand.Vars()) == 1 {
			all = append(all, exponential{lo, i + 1, operand})
		}
	}
	for i, a := range all {
		for _, b := range all[i+1:] {
			if b.lo < a.hi || a.operand.Vars()[0] != b.operand.Vars()[0] ||
				!small(m, expr.Apply(expr.Sub, a.operand, b.operand), c.Params) {
				continue
			}
			x := expr.Node{Op: expr.Var, Index: int32(a.operand.Vars()[0])}
			moved := append([]expr.Node{x}, nodes[a.lo:a.hi]...)
			moved = append(moved, expr.Node{Op: expr.Mul})
			if b.hi < len(nodes) && nodes[b.hi].Op == expr.Sub && b.lo == a.hi {
				out = append(out, spliced(nodes, a.lo, b.hi+1, moved...))
			}
			factor := expr.Node{Op: expr.Param, Index: int32(c.Tree.NumParams()), Value: -1 / (1 + m.Cols[x.Index][0])}
			free := append(append([]expr.Node{factor}, moved...), expr.Node{Op: expr.Mul})
			out = append(out, spliced(nodes, b.lo, b.hi, free...))
		}
	}
	return out
}

// spliced is a tree with the nodes from lo to hi replaced.
func spliced(nodes []expr.Node, lo, hi int, by ...expr.Node) expr.Tree {
	out := append([]expr.Node(nil), nodes[:lo]...)
	out = append(append(out, by...), nodes[hi:]...)
	t, _ := expr.FromNodes(out)
	return compact(t)
}

// first is the first node of the subtree that ends at node i.
func first(nodes []expr.Node, i int) int {
	depth := 1
	for ; ; i-- {
		if depth += nodes[i].Op.Arity() - 1; depth == 0 {
			return i
		}
	}
}

// small reports whether t varies by less than a half over the rows.
func small(m *mdl.Table, t expr.Tree, params []float64) bool {
	v := evaluated(m, t, params)
	return slices.Max(v)-slices.Min(v) < 0.5
}

// withoutAbs is t without the absolute values of what has one sign in all rows.
func withoutAbs(m *mdl.Table, t expr.Tree) expr.Tree {
	nodes := t.Nodes()
	for i, n := range nodes {
		if n.Op != expr.Abs {
			continue
		}
		operand, ok := expr.FromNodes(nodes[first(nodes, i-1):i])
		if !ok {
			return t
		}
		v := evaluated(m, operand, t.Params())
		switch {
		case slices.Min(v) >= 0:
			return withoutAbs(m, spliced(nodes, i, i+1))
		case slices.Max(v) <= 0:
			return withoutAbs(m, spliced(nodes, i, i+1, expr.Node{Op: expr.Neg}))
		}
	}
	return t
}
