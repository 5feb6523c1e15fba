package genetic

import (
	"math"
	"math/rand/v2"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/unit"
)

// mutation returns a variant of the tree that is stored in nodes. It does not change nodes. It
// returns nil if the mutation is not possible for this tree.
type mutation func(g *grammar, rng *rand.Rand, nodes []expr.Node) []expr.Node

var mutations = func() (w weighted[mutation]) {
	w.add(jitter, 0.6)
	w.add(swapOperator, 1)
	w.add(swapVariable, 1)
	w.add(regrow, 1.2)
	w.add(insert, 1.6)
	w.add(remove, 1)
	w.add(hoist, 0.3)
	w.add(swapOperands, 0.3)
	w.add(constantLeaf, 0.4)
	w.add(addTerm, 0.5)
	w.add(dropTerm, 0.4)
	w.add(fresh, 0.1)
	return w
}()

// mutated returns nodes after one or two random mutations. It returns nil if a mutation is not
// possible for nodes.
func (g *grammar) mutated(rng *rand.Rand, nodes []expr.Node) []expr.Node {
	child := mutations.draw(rng)(g, rng, nodes)
	if child != nil && rng.IntN(3) == 0 {
		child = mutations.draw(rng)(g, rng, child)
	}
	return child
}

// admitted returns nodes without the terms and factors that linear scaling supplies. It returns nil
// if the result is not worth evaluating (see legal), or if it is too large. The parameter most is
// the largest number of nodes.
func (g *grammar) admitted(nodes []expr.Node, most int) []expr.Node {
	if nodes == nil || len(nodes) > 2*most || !legal(nodes) {
		return nil
	}
	if nodes = fold(nodes); len(nodes) > most || !g.allows(nodes) {
		return nil
	}
	return nodes
}

// nodeOf returns the index of a random node for which pred returns true. It returns -1 if there is
// none.
func nodeOf(rng *rand.Rand, nodes []expr.Node, pred func(expr.Node) bool) int {
	chosen, n := -1, 0
	for i, x := range nodes {
		if pred(x) {
			n++
			if rng.IntN(n) == 0 {
				chosen = i
			}
		}
	}
	return chosen
}

func isLeafConst(n expr.Node) bool { return n.Op == expr.Param || n.Op == expr.Number }

// jitter changes a constant. A free constant changes slightly or by orders of magnitude. A number,
// such as an exponent, is replaced by a neighbouring number.
func jitter(_ *grammar, rng *rand.Rand, nodes []expr.Node) []expr.Node {
	i := nodeOf(rng, nodes, isLeafConst)
	if i < 0 {
		return nil
	}
	out := append([]expr.Node(nil), nodes...)
	v := &out[i].Value
	switch {
	case out[i].Op == expr.Number:
		*v += []float64{-1, -0.5, 0.5, 1}[rng.IntN(4)]
	case rng.Float64() < 0.1:
		*v = -*v
	case rng.Float64() < 0.3:
		*v *= math.Exp(2 * rng.NormFloat64())
	case rng.Float64() < 0.2: // to an integer; selection keeps the law if the integer is right
		out[i] = expr.Node{Op: expr.Number, Value: math.Round(*v)}
	default:
		*v *= 1 + 0.3*rng.NormFloat64()
	}
	return out
}

// swapOperator replaces an operator by another operator with the same number of operands.
func swapOperator(g *grammar, rng *rand.Rand, nodes []expr.Node) []expr.Node {
	i := nodeOf(rng, nodes, func(n expr.Node) bool { return n.Op.Arity() > 0 && n.Op != expr.Pow })
	if i < 0 {
		return nil
	}
	out := append([]expr.Node(nil), nodes...)
	if out[i].Op.Arity() == 1 && len(g.unary.items) > 0 {
		out[i].Op = g.unary.draw(rng)
	} else if out[i].Op.Arity() == 1 {
		return nil
	} else if op := g.binary.draw(rng); op != expr.Pow {
		out[i].Op = op
	}
	return out
}

func swapVariable(g *grammar, rng *rand.Rand, nodes []expr.Node) []expr.Node {
	i := nodeOf(rng, nodes, func(n expr.Node) bool { return n.Op == expr.Var })
	if i < 0 {
		return nil
	}
	return splice(nodes, i, g.growDim(rng, 1, g.dims[nodes[i].Index]))
}

// regrow replaces a subtree by a random tree of the same dimension.
func regrow(g *grammar, rng *rand.Rand, nodes []expr.Node) []expr.Node {
	i := rng.IntN(len(nodes))
	return splice(nodes, i, g.growLike(rng, 1+rng.IntN(5), nodes[expr.SubtreeStart(nodes, i):i+1]))
}

// insert puts an operator above a node. If the operator needs a second operand, it gets a small
// random tree.
func insert(g *grammar, rng *rand.Rand, nodes []expr.Node) []expr.Node {
	i := rng.IntN(len(nodes))
	old := nodes[expr.SubtreeStart(nodes, i) : i+1]
	if rng.Float64() < 0.3 && len(g.unary.items) > 0 {
		return splice(nodes, i, join(g.unary.draw(rng), old))
	}
	op := g.binary.draw(rng)
	switch {
	case op == expr.Pow:
		return splice(nodes, i, join(op, old, g.powerOf(rng)))
	case op == expr.Mul || op == expr.Div:
		other := g.growDim(rng, 1+rng.IntN(3), unit.Dim{})
		if rng.IntN(4) == 0 {
			other = g.variable(rng)
		}
		if op == expr.Div && rng.IntN(2) == 0 && !g.units {
			return splice(nodes, i, join(op, other, old))
		}
		return splice(nodes, i, join(op, old, other))
	}
	other := g.growLike(rng, 1+rng.IntN(3), old)
	if rng.IntN(2) == 0 {
		return splice(nodes, i, join(op, old, other))
	}
	return splice(nodes, i, join(op, other, old))
}

// remove replaces an operator by one of its operands.
func remove(_ *grammar, rng *rand.Rand, nodes []expr.Node) []expr.Node {
	i := nodeOf(rng, nodes, func(n expr.Node) bool { return n.Op.Arity() > 0 })
	if i < 0 {
		return nil
	}
	child := i - 1
	if nodes[i].Op.Arity() == 2 && rng.IntN(2) == 0 {
		child = expr.SubtreeStart(nodes, i-1) - 1
	}
	return splice(nodes, i, nodes[expr.SubtreeStart(nodes, child):child+1])
}

// hoist replaces the tree by one of its subtrees.
func hoist(_ *grammar, rng *rand.Rand, nodes []expr.Node) []expr.Node {
	i := rng.IntN(len(nodes))
	return append([]expr.Node(nil), nodes[expr.SubtreeStart(nodes, i):i+1]...)
}

func swapOperands(_ *grammar, rng *rand.Rand, nodes []expr.Node) []expr.Node {
	i := nodeOf(rng, nodes, func(n expr.Node) bool { return n.Op == expr.Div || n.Op == expr.Sub || n.Op == expr.Pow })
	if i < 0 {
		return nil
	}
	mid := expr.SubtreeStart(nodes, i-1)
	return splice(nodes, i, join(nodes[i].Op, nodes[mid:i], nodes[expr.SubtreeStart(nodes, mid-1):mid]))
}

// constantLeaf replaces a leaf by a constant, or multiplies a subtree by a constant.
func constantLeaf(g *grammar, rng *rand.Rand, nodes []expr.Node) []expr.Node {
	if rng.IntN(2) == 0 {
		return splice(nodes, nodeOf(rng, nodes, func(n expr.Node) bool { return n.Op.Arity() == 0 }), g.constant(rng))
	}
	i := rng.IntN(len(nodes))
	op := expr.Mul
	if !g.units && rng.IntN(2) == 0 {
		op = expr.Add
	}
	return splice(nodes, i, join(op, param(1+0.5*rng.NormFloat64()), nodes[expr.SubtreeStart(nodes, i):i+1]))
}

func addTerm(g *grammar, rng *rand.Rand, nodes []expr.Node) []expr.Node {
	return join(expr.Add, nodes, g.growLike(rng, 1+rng.IntN(5), nodes))
}

func dropTerm(_ *grammar, rng *rand.Rand, nodes []expr.Node) []expr.Node {
	list := terms(nodes, len(nodes))
	if len(list) < 2 {
		return nil
	}
	return without(nodes, list, rng.IntN(len(list)))
}

// without returns the sum of the terms in list except the one at index drop. The signs of the terms
// are not kept, since linear scaling finds them.
func without(nodes []expr.Node, list []span, drop int) []expr.Node {
	var parts [][]expr.Node
	for i, s := range list {
		if i != drop {
			parts = append(parts, nodes[s.from:s.to])
		}
	}
	return sum(parts)
}

func fresh(g *grammar, rng *rand.Rand, nodes []expr.Node) []expr.Node {
	return g.growLike(rng, 3+rng.IntN(8), nodes)
}

// cross replaces a subtree of a by a subtree of b. With units, both have the same dimension.
func cross(g *grammar, rng *rand.Rand, a, b []expr.Node) []expr.Node {
	for range 4 {
		i, j := rng.IntN(len(a)), rng.IntN(len(b))
		from, to := a[expr.SubtreeStart(a, i):i+1], b[expr.SubtreeStart(b, j):j+1]
		if g.units {
			d, known := g.dimOf(from)
			if e, ok := g.dimOf(to); known != ok || d != e {
				continue
			}
		}
		return splice(a, i, to)
	}
	return nil
}
