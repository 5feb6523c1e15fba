package expr

import "slices"

// Canonical returns a form of t that equal laws share as far as rewriting can achieve it:
//
//   - Sums and products are sorted, like terms and powers are merged, and numbers are folded.
//   - Signs and numeric factors come to the front.
//   - Quotients, and functions that undo each other, are cancelled.
//   - Products are not expanded, and π and √2 stay as they are.
//
// Where t and its canonical form are both defined, their values agree. The canonical form may be
// defined at more points, since x/x becomes 1. Free constants keep their starting values and are
// numbered by first appearance. The canonical form of a canonical tree is the same tree.
func (t Tree) Canonical() Tree {
	if len(t.nodes) == 0 {
		return t
	}
	return canonicalTerm(t).tree().renumber()
}

// canonicalTerm returns the term of t. Its slots do not depend on how the constants of t are
// numbered.
func canonicalTerm(t Tree) *term { return plain.term(t.rank()) }

// rank renumbers the slots of t in the order that rankParams gives.
func (t Tree) rank() Tree {
	slots := t.slots()
	if len(slots) == 0 || len(slots) == 1 && slots[0] == 0 {
		return t
	}
	ranks := rankParams(plain.term(t), slots)
	nodes := slices.Clone(t.nodes)
	for i, n := range nodes {
		if n.Op == Param {
			nodes[i].Index = int32(ranks[slices.Index(slots, n.Index)])
		}
	}
	return Tree{nodes}
}

// Hash returns the same number for equal laws. Laws are equal if their Canonical forms agree or can
// be made to agree. This may take expanded products, common denominators, the rules for exp, log
// and roots, or other numbers for the free constants. Laws that differ where both are defined have
// different hashes, except with a probability of about 2⁻⁶⁰. The starting values of free constants
// do not matter, and numbers that agree to 12 digits count as equal.
func (t Tree) Hash() uint64 {
	if len(t.nodes) == 0 {
		return 0
	}
	z := normalizer{hashing: true}
	return z.term(t.rank()).hash(func(slot int32) uint64 { return uint64(slot) })
}

// Equal reports whether a and b are the same law, that is, have the same Hash.
func Equal(a, b Tree) bool { return slices.Equal(a.nodes, b.nodes) || a.Hash() == b.Hash() }

// slots returns the slots of the free constants in t, in ascending order.
func (t Tree) slots() []int32 {
	var slots []int32
	for _, n := range t.nodes {
		if n.Op == Param {
			slots = append(slots, n.Index)
		}
	}
	slices.Sort(slots)
	return slices.Compact(slots)
}

// renumber numbers the slots of free constants by first appearance. It changes t's nodes.
func (t Tree) renumber() Tree {
	var seen []int32
	for i, n := range t.nodes {
		if n.Op != Param {
			continue
		}
		k := slices.Index(seen, n.Index)
		if k < 0 {
			k = len(seen)
			seen = append(seen, n.Index)
		}
		t.nodes[i].Index = int32(k)
	}
	return t
}
