package expr

import "slices"

// Canonical returns the form of t that it shares with equal laws, as far as rewriting goes. Sums
// and products are sorted, like terms and powers merged, numbers folded, signs and numeric factors
// pulled out. Quotients and functions that undo each other are cancelled. It does not expand
// products. π stays π and √2 stays √2. Where old and new are both defined their values agree; the
// new may be defined at more points (x/x is 1). Free constants keep where a fit starts and are
// renumbered by first appearance. Canonical of a canonical tree is the same tree.
func (t Tree) Canonical() Tree {
	if len(t.nodes) == 0 {
		return t
	}
	return canonicalTerm(t).tree().renumber()
}

// canonicalTerm makes the term of t, with slots that do not depend on how they are numbered in t.
func canonicalTerm(t Tree) *term { return plain.term(t.rank()) }

// rank numbers the slots of t by rankParams.
func (t Tree) rank() Tree {
	slots := t.slots()
	if len(slots) == 0 || len(slots) == 1 && slots[0] == 0 {
		return t
	}
	ranks := rankParams(plain.term(t), slots)
	nodes := slices.Clone(t.nodes)
	for i, n := range nodes {
		if n.Op == Param {
			nodes[i].Index = ranks[n.Index]
		}
	}
	return Tree{nodes}
}

// Hash returns equal numbers for equal laws. Laws are equal if they have the same Canonical form,
// or get it by expanding products, by common denominators or by renumbering free constants. They
// are also equal by the laws of exp, log and roots. Laws that differ where both are defined have
// different hashes except with a probability of about 2⁻⁶⁰. The starts of free constants do not
// matter; numbers that agree to 12 digits are equal.
func (t Tree) Hash() uint64 {
	if len(t.nodes) == 0 {
		return 0
	}
	z := normalizer{hashing: true}
	return z.term(t.rank()).hash(func(slot int32) uint64 { return uint64(slot) })
}

// Equal reports whether a and b are the same law, that is, have the same Hash.
func Equal(a, b Tree) bool { return slices.Equal(a.nodes, b.nodes) || a.Hash() == b.Hash() }

// slots returns the slots of the free constants in t, ascending.
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
