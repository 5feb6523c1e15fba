package expr

import (
	"slices"
	"strconv"
)

func itoa(i int32) string { return strconv.Itoa(int(i)) }

// Bind replaces each free constant by the number params[slot]; slots beyond params stay free.
func (t Tree) Bind(params []float64) Tree {
	nodes := slices.Clone(t.nodes)
	for i, n := range nodes {
		if n.Op == Param && int(n.Index) < len(params) {
			nodes[i] = Node{Op: Number, Value: params[n.Index]}
		}
	}
	return Tree{nodes}
}

// WithStarts sets where a fit of the free constants starts: slot k at params[k]. Slots beyond
// params keep their start.
func (t Tree) WithStarts(params []float64) Tree {
	nodes := slices.Clone(t.nodes)
	for i, n := range nodes {
		if n.Op == Param && int(n.Index) < len(params) {
			nodes[i].Value = params[n.Index]
		}
	}
	return Tree{nodes}
}

// Substitute replaces column v by the tree by, whose columns and slots are taken as they are.
func (t Tree) Substitute(v int, by Tree) Tree {
	nodes := make([]Node, 0, len(t.nodes))
	for _, n := range t.nodes {
		if n.Op == Var && int(n.Index) == v {
			nodes = append(nodes, by.nodes...)
		} else {
			nodes = append(nodes, n)
		}
	}
	return Tree{nodes}
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

// Depth returns the number of nodes on the longest way from the root to a leaf, 0 for the empty
// tree.
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

// Args returns the operands of the root, none for a leaf. They share t's nodes.
func (t Tree) Args() []Tree {
	if len(t.nodes) == 0 {
		return nil
	}
	root := len(t.nodes) - 1
	switch t.nodes[root].Op.Arity() {
	case 1:
		return []Tree{{t.nodes[:root:root]}}
	case 2:
		size, need := root-1, 1 // walk back over the right operand
		for ; need > 0; size-- {
			need += t.nodes[size].Op.Arity() - 1
		}
		split := size + 1
		return []Tree{{t.nodes[:split:split]}, {t.nodes[split:root:root]}}
	}
	return nil
}

// Root returns the operator at the root; the empty tree has Number.
func (t Tree) Root() Op {
	if len(t.nodes) == 0 {
		return Number
	}
	return t.nodes[len(t.nodes)-1].Op
}
