package dataset

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Listed returns the operators that a list of names, such as Problem.Ops, contains.
func Listed(names []string) (ops []expr.Op) {
	for _, name := range names {
		if op, ok := expr.OperatorNamed(name); ok {
			ops = append(ops, op)
		}
	}
	return ops
}

// DefaultOps returns the names of the operators that a search uses if Problem.Ops is nil.
func DefaultOps() (names []string) {
	for _, o := range expr.Operators() {
		if !o.Rare {
			names = append(names, o.Names()[0])
		}
	}
	return names
}

// Allows reports whether p.Ops allows all operators of t, by any of their names, and all constants
// of t are finite. If p.Ops is nil, all operators are allowed. Whole powers up to the fourth count
// as products.
func (p *Problem) Allows(t expr.Tree) bool {
	nodes := t.Nodes()
	for i, n := range nodes {
		if n.Op.Arity() == 0 {
			if math.IsNaN(n.Value) || math.IsInf(n.Value, 0) {
				return false
			}
			continue
		}
		if p.Ops == nil || p.allowed(n.Op) {
			continue
		}
		if e := nodes[i-1]; n.Op == expr.Pow && e.Op == expr.Number && (e.Value == 2 || e.Value == 3 || e.Value == 4) && p.allowed(expr.Mul) {
			continue
		}
		return false
	}
	return true
}

// AllowsOp reports whether p.Ops allows the operator. If p.Ops is nil, all operators are allowed
// except those marked as rare in package expr.
func (p *Problem) AllowsOp(op expr.Op) bool {
	if p.Ops == nil {
		return !op.Operator().Rare
	}
	return p.allowed(op)
}

func (p *Problem) allowed(op expr.Op) bool {
	o := op.Operator()
	listed := func(o *expr.Operator) bool {
		return slices.ContainsFunc(o.Names(), func(name string) bool { return slices.Contains(p.Ops, name) })
	}
	return listed(o) || slices.ContainsFunc(o.Implied, func(by expr.Op) bool { return listed(by.Operator()) })
}
