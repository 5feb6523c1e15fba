package skeleton

import "math"

// mix hashes two words with the finalizer of SplitMix64.
func mix(a, b uint64) uint64 {
	h := a*0x9e3779b97f4a7c15 ^ b
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// colour calculates the hashes of all nodes: first Blind and Exact, then the colours of the
// entities, and from these colours the hash Coloured.
func (f *Tree) colour() {
	f.entities = f.entities[:0]
	f.blind(f.Root)
	occurrences := 0
	for _, e := range f.entities {
		occurrences += e.count
	}
	rounds := 1
	if len(f.entities) > 1 && occurrences > len(f.entities) {
		rounds = 2
	}
	for round := range rounds {
		for i := range f.entities {
			f.entities[i].colour = 0
		}
		f.paths(f.Root, 1, round > 0)
		f.hash(f.Root)
	}
}

// entity returns the entry of f.entities for the column or shared constant n. It adds a missing
// entry.
func (f *Tree) entity(n *Node) *entity {
	for i := range f.entities {
		if e := &f.entities[i]; e.symbol == n.Symbol && e.index == n.Index {
			return e
		}
	}
	f.entities = append(f.entities, entity{symbol: n.Symbol, index: n.Index})
	return &f.entities[len(f.entities)-1]
}

// hasColour reports whether n is a column, or a free constant that is used more than once.
func (n *Node) hasColour() bool { return n.Symbol == Var || n.Symbol == Param && n.Index >= 0 }

// own returns the hash of a node's symbol and value, without its operands.
func (f *Tree) own(n *Node) uint64 {
	if f.unsigned && n.Symbol == Minus {
		return mix(uint64(One)+1, 0)
	}
	if n.Value != 0 {
		v, e := math.Frexp(n.Value)
		return mix(uint64(n.Symbol)+1, uint64(int64(math.Round(v*(1<<40))))^uint64(e)<<44)
	}
	return mix(uint64(n.Symbol)+1, 0)
}

// skips reports whether hashes ignore operand i of n. This is so for a minus sign in a product
// while f.unsigned is set.
func (f *Tree) skips(n *Node, i int32) bool {
	return f.unsigned && n.Symbol == Product && f.Nodes[i].Symbol == Minus
}

// only returns the operand of n that has the same hash as n. There is such an operand while
// f.unsigned is set, if n is a product of -1 and one other factor.
func (f *Tree) only(n *Node) (operand int32, only bool) {
	if !f.unsigned || n.Symbol != Product {
		return -1, false
	}
	count := 0
	for i := n.First; i >= 0; i = f.Nodes[i].Next {
		if f.Nodes[i].Symbol != Minus {
			operand = i
			count++
		}
	}
	return operand, count == 1
}

// blind calculates Blind and Exact at and below node a, from the leaves up, and collects the
// entities.
func (f *Tree) blind(a int32) {
	n := &f.Nodes[a]
	if i, only := f.only(n); only {
		f.blind(i)
		n.Blind, n.Coloured, n.Exact = f.Nodes[i].Blind, f.Nodes[i].Coloured, f.Nodes[i].Exact
		return
	}
	h := f.own(n)
	exact := h
	if n.Symbol == Var {
		exact = mix(h, uint64(n.Index)+1)
	}
	if n.hasColour() {
		f.entity(n).count++
	}
	for i := n.First; i >= 0; i = f.Nodes[i].Next {
		if f.skips(n, i) {
			continue
		}
		f.blind(i)
		c := &f.Nodes[i]
		if !n.commutes() {
			h, exact = mix(h, c.Blind), mix(exact, c.Exact)
		} else {
			h, exact = h+mix(7, c.Blind), exact+mix(7, c.Exact)
		}
	}
	n.Blind, n.Coloured, n.Exact = mix(3, h), mix(3, h), mix(3, exact)
}

// paths adds hashes to the colours of the entities below a. An entity gets the hash of the path
// from the root to each of its positions. above is the hash of the path to a.
func (f *Tree) paths(a int32, above uint64, coloured bool) {
	n := &f.Nodes[a]
	if i, only := f.only(n); only {
		f.paths(i, above, coloured)
		return
	}
	h := n.Blind
	if coloured {
		h = n.Coloured
	}
	h = mix(above, h)
	if n.hasColour() {
		f.entity(n).colour += mix(5, h)
		return
	}
	k := uint64(0)
	for i := n.First; i >= 0; i = f.Nodes[i].Next {
		f.paths(i, h+k, coloured)
		if !n.commutes() {
			k = 1 // a base and an exponent have different positions
		}
	}
}

// hash calculates Coloured at and below node a, from the leaves up.
func (f *Tree) hash(a int32) {
	n := &f.Nodes[a]
	if i, only := f.only(n); only {
		f.hash(i)
		n.Coloured = f.Nodes[i].Coloured
		return
	}
	h := f.own(n)
	if n.hasColour() {
		h = mix(h, f.entity(n).colour)
	}
	for i := n.First; i >= 0; i = f.Nodes[i].Next {
		if f.skips(n, i) {
			continue
		}
		f.hash(i)
		if !n.commutes() {
			h = mix(h, f.Nodes[i].Coloured)
		} else {
			h += mix(7, f.Nodes[i].Coloured)
		}
	}
	n.Coloured = mix(3, h)
}

// before reports whether n is sorted before o. It compares the symbols and then the hashes. The
// hash that ignores most comes first: Blind, then Coloured, then Exact.
func (n *Node) before(o *Node) bool {
	switch {
	case n.Symbol != o.Symbol:
		return n.Symbol < o.Symbol
	case n.Blind != o.Blind:
		return n.Blind < o.Blind
	case n.Coloured != o.Coloured:
		return n.Coloured < o.Coloured
	}
	return n.Exact < o.Exact
}

// sort orders the operands of the sums and products in the subtree at a.
func (f *Tree) sort(a int32) {
	n := &f.Nodes[a]
	if n.Symbol.IsNary() {
		sorted := int32(-1)
		for i := n.First; i >= 0; {
			next := f.Nodes[i].Next
			at := int32(-1)
			for k := sorted; k >= 0 && !f.Nodes[i].before(&f.Nodes[k]); k = f.Nodes[k].Next {
				at = k
			}
			if at < 0 {
				f.Nodes[i].Next, sorted = sorted, i
			} else {
				f.Nodes[i].Next = f.Nodes[at].Next
				f.Nodes[at].Next = i
			}
			i = next
		}
		n.First = sorted
	}
	for i := n.First; i >= 0; i = f.Nodes[i].Next {
		f.sort(i)
	}
}
