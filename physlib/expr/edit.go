package expr

import (
	"slices"
	"strconv"
)

func itoa(i int32) string { return strconv.Itoa(int(i)) }

// Bind replaces each free constant by the number params[slot]. Constants in slots beyond params
// stay free.
func (t Tree) Bind(params []float64) Tree {
	nodes := slices.Clone(t.nodes)
	for i, n := range nodes {
		if n.Op == Param && int(n.Index) < len(params) {
			nodes[i] = Node{Op: Number, Value: params[n.Index]}
		}
	}
	return Tree{nodes}
}

// WithStarts sets the starting value of the free constant in each slot k to params[k]. Slots beyond
// params keep their starting values.
func (t Tree) WithStarts(params []float64) Tree {
	nodes := slices.Clone(t.nodes)
	for i, n := range nodes {
		if n.Op == Param && int(n.Index) < len(params) {
			nodes[i].Value = params[n.Index]
		}
	}
	return Tree{nodes}
}

// MapLeaves returns t with each leaf n replaced by the result of by(i, n), where i is the index of
// n in the nodes of t. The function by must return a leaf.
func (t Tree) MapLeaves(by func(i int, n Node) Node) Tree {
	nodes := slices.Clone(t.nodes)
	for i, n := range nodes {
		if n.Op.Arity() == 0 {
			nodes[i] = by(i, n)
		}
	}
	return Tree{nodes}
}

// MapVars returns t with each column v replaced by column to(v). ok is false if to returns false
// for any column.
func (t Tree) MapVars(to func(v int) (column int, ok bool)) (mapped Tree, ok bool) {
	ok = true
	mapped = t.MapLeaves(func(_ int, n Node) Node {
		if n.Op == Var {
			column, has := to(int(n.Index))
			n.Index, ok = int32(column), ok && has
		}
		return n
	})
	return mapped, ok
}

// ReplaceLeaves returns t with each leaf n replaced by the result of by(n). A leaf stays if the
// result is an empty tree.
func (t Tree) ReplaceLeaves(by func(n Node) Tree) Tree {
	nodes := make([]Node, 0, len(t.nodes))
	for _, n := range t.nodes {
		if n.Op.Arity() == 0 {
			if other := by(n); len(other.nodes) > 0 {
				nodes = append(nodes, other.nodes...)
				continue
			}
		}
		nodes = append(nodes, n)
	}
	return Tree{nodes}
}

// Substitute replaces column v by the tree `by`. The columns and slots of that tree are kept.
func (t Tree) Substitute(v int, by Tree) Tree {
	return t.ReplaceLeaves(func(n Node) Tree {
		if n.Op == Var && int(n.Index) == v {
			return by
		}
		return Tree{}
	})
}

// SubstituteVars replaces each column v by the tree by[v], all at the same time.
func (t Tree) SubstituteVars(by []Tree) Tree {
	return t.ReplaceLeaves(func(n Node) Tree {
		if n.Op == Var {
			return by[n.Index]
		}
		return Tree{}
	})
}

// SubstituteParam replaces the free constant in a slot by the tree `by`. The other constants keep
// their slots.
func (t Tree) SubstituteParam(slot int, by Tree) Tree {
	return t.ReplaceLeaves(func(n Node) Tree {
		if n.Op == Param && int(n.Index) == slot {
			return by
		}
		return Tree{}
	})
}

// SubstituteParams replaces the free constant in each slot by the tree by[slot], all at the same
// time.
func (t Tree) SubstituteParams(by []Tree) Tree {
	return t.ReplaceLeaves(func(n Node) Tree {
		if n.Op == Param {
			return by[n.Index]
		}
		return Tree{}
	})
}

// ParamsAsVars returns t with its free constants replaced by columns with the indices first,
// first+1, …, in the order of their slots.
func (t Tree) ParamsAsVars(first int) Tree {
	return t.MapLeaves(func(_ int, n Node) Node {
		if n.Op == Param {
			return Node{Op: Var, Index: int32(first) + n.Index}
		}
		return n
	})
}

// ShiftParams returns t with the slots of its free constants increased by the given number.
func (t Tree) ShiftParams(by int) Tree {
	return t.MapLeaves(func(_ int, n Node) Node {
		if n.Op == Param {
			n.Index += int32(by)
		}
		return n
	})
}

// CompactParams returns t with its free constants renumbered from slot 0 without gaps. Their order
// does not change.
func (t Tree) CompactParams() Tree {
	used := make([]bool, t.NumParams())
	for _, n := range t.nodes {
		if n.Op == Param {
			used[n.Index] = true
		}
	}
	to, next := make([]int32, len(used)), int32(0)
	for slot, u := range used {
		if u {
			to[slot] = next
			next++
		}
	}
	return t.MapLeaves(func(_ int, n Node) Node {
		if n.Op == Param {
			n.Index = to[n.Index]
		}
		return n
	})
}

// NumberParams returns t with its free constants renumbered from slot 0, in the order in which they
// first occur in the nodes of t.
func (t Tree) NumberParams() Tree { return Tree{slices.Clone(t.nodes)}.renumber() }

// UnshareParams returns t with a separate free constant at each position: c0*x + c0 becomes c0*x +
// c1.
func (t Tree) UnshareParams() Tree {
	next := int32(0)
	return t.MapLeaves(func(_ int, n Node) Node {
		if n.Op == Param {
			n.Index = next
			next++
		}
		return n
	})
}

// SubtreeStart returns the first node of the subtree that ends at node i of a postfix sequence.
func SubtreeStart(nodes []Node, i int) int {
	for depth := 1; ; i-- {
		if depth += nodes[i].Op.Arity() - 1; depth == 0 {
			return i
		}
	}
}

// Subtree returns the subtree that ends at node i. It shares t's nodes.
func (t Tree) Subtree(i int) Tree {
	return Tree{t.nodes[SubtreeStart(t.nodes, i) : i+1 : i+1]}
}

// Splice returns t with the nodes in the half-open range [lo, hi) replaced by the nodes `by`. The
// result must be one well-formed expression.
func (t Tree) Splice(lo, hi int, by ...Node) Tree {
	return Tree{slices.Concat(t.nodes[:lo], by, t.nodes[hi:])}
}

// Vars returns the columns that t uses, ascending.
func (t Tree) Vars() []int {
	var vars []int
	for _, n := range t.nodes {
		if n.Op == Var {
			vars = append(vars, int(n.Index))
		}
	}
	slices.Sort(vars)
	return slices.Compact(vars)
}

// Depth returns the number of nodes on the longest path from the root to a leaf. It is 0 for the
// empty tree.
func (t Tree) Depth() int {
	var stack []int
	for _, n := range t.nodes {
		switch n.Op.Arity() {
		case 0:
			stack = append(stack, 1)
		case 1:
			stack[len(stack)-1]++
		case 2:
			k := len(stack) - 1
			stack[k-1] = max(stack[k-1], stack[k]) + 1
			stack = stack[:k]
		}
	}
	if len(stack) == 0 {
		return 0
	}
	return stack[0]
}

// Args returns the operands of the root. For a leaf, there are none. The operands share t's nodes.
func (t Tree) Args() []Tree {
	if len(t.nodes) == 0 {
		return nil
	}
	root := len(t.nodes) - 1
	switch t.nodes[root].Op.Arity() {
	case 1:
		return []Tree{{t.nodes[:root:root]}}
	case 2:
		size, need := root-1, 1 // walk back over the nodes of the right operand
		for ; need > 0; size-- {
			need += t.nodes[size].Op.Arity() - 1
		}
		split := size + 1
		return []Tree{{t.nodes[:split:split]}, {t.nodes[split:root:root]}}
	}
	return nil
}

// Root returns the operator at the root. For the empty tree it returns Number.
func (t Tree) Root() Op {
	if len(t.nodes) == 0 {
		return Number
	}
	return t.nodes[len(t.nodes)-1].Op
}
