package motion

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// pool is what was found for one equation.
type pool struct {
	list []*candidate
	seen map[uint64]*candidate
	top  *candidate // the engine's choice in the latest search

	edited map[uint64]bool // forms that were fitted as neighbours of others
}

// candidate is a law of one equation.
type candidate struct {
	law   law.Law
	tree  expr.Tree // over the columns of a field; numbers that a fit may move are free
	bits  float64
	alone float64 // score with the other states given
	joint float64 // score with the equations others, over windows of level intervals
	shot  *Shot   // with them

	others string
	level  int
}

// add takes in what the engine found for equation k, each form once, where units balance.
func (h *hunt) add(k int, found *discover.Result) {
	p, names := &h.pools[k], h.names
	for _, l := range append([]law.Law{found.Best}, found.Finalists...) {
		if l.Tree.Len() == 0 {
			continue
		}
		over, err := l.Over(names)
		if err != nil {
			continue
		}
		t := freed(over.Tree.WithStarts(over.Params())).AbsorbParams()
		if !plausible(t) || !h.balancedTree(k, t) {
			continue
		}
		hash := t.Hash()
		c := p.seen[hash]
		if c == nil {
			c = &candidate{law: l, tree: t, bits: h.complexity(t), alone: math.NaN(), joint: math.NaN()}
			p.seen[hash], p.list = c, append(p.list, c)
		}
		if l.Score == found.Best.Score {
			p.top = c
		}
	}
}

// freed is t with its numbers, π among them, except for exponents and ±1 as free constants that
// start at their values: what closed form a constant has, if any, is asked of the trajectories in
// the end.
func freed(t expr.Tree) expr.Tree {
	nodes := slices.Clone(t.Nodes())
	free := int32(t.NumParams())
	exponent := make([]bool, len(nodes))
	starts := make([]int, len(nodes)) // of the subtree that ends here
	for i, n := range nodes {
		at := i
		for range n.Op.Arity() {
			at = starts[at-1]
		}
		starts[i] = at
		if n.Op == expr.Pow {
			for k := starts[i-1]; k < i; k++ {
				exponent[k] = true
			}
		}
	}
	slots := map[float64]int32{} // a number that is not whole is one constant wherever it stands
	for i, n := range nodes {
		if n.Op == expr.Pi {
			n.Value = math.Pi
		}
		if n.Op != expr.Number && n.Op != expr.Pi || exponent[i] || math.Abs(n.Value) == 1 {
			continue
		}
		slot, again := slots[n.Value]
		if !again {
			slot = free
			free++
			if n.Value != math.Trunc(n.Value) {
				slots[n.Value] = slot
			}
		}
		nodes[i] = expr.Node{Op: expr.Param, Index: slot, Value: n.Value}
	}
	out, ok := expr.FromNodes(nodes)
	if !ok {
		return t
	}
	return out
}
