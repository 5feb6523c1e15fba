package skeleton

// orient chooses the signs of sums that are factors. So -(x - y)*z becomes (y - x)*z. If a free
// constant is a factor as well, x - y and y - x give the same form. Without this choice, a form
// would depend on the order of the columns, which decides the signs in a canonical expression. The
// choice uses only hashes that ignore signs.
func (f *Tree) orient() {
	signs, sums := false, false
	for i := range f.Nodes {
		signs = signs || f.Nodes[i].Symbol == Minus
		sums = sums || f.Nodes[i].Symbol == Sum
	}
	if !signs || !sums {
		return
	}
	f.unsigned = true
	f.colour()
	f.unsigned = false
	f.orientAt(f.Root)
}

// orientAt orients the factors of all products at and below node a.
func (f *Tree) orientAt(a int32) {
	if f.Nodes[a].Symbol == Product {
		f.orientFactors(a)
	}
	for i := f.Nodes[a].First; i >= 0; i = f.Nodes[i].Next {
		f.orientAt(i)
	}
}

// factorSum returns the sum in factor a: the factor itself, or the base of an odd power. It returns
// -1 if there is none.
func (f *Tree) factorSum(a int32) int32 {
	switch n := &f.Nodes[a]; n.Symbol {
	case Sum:
		return a
	case Inverse, Cube:
		a = n.First
	case IntegerPower:
		if int64(n.Value)%2 == 0 {
			return -1
		}
		a = n.First
	default:
		return -1
	}
	if f.Nodes[a].Symbol == Sum {
		return a
	}
	return -1
}

// orientFactors gives each sum in a product the sign that prefersFlip chooses. The last sum gets
// the sign that is needed for the product, unless a free constant absorbs it.
func (f *Tree) orientFactors(a int32) {
	last := int32(-1) // the factor with the greatest hash
	for i := f.Nodes[a].First; i >= 0; i = f.Nodes[i].Next {
		if f.factorSum(i) >= 0 && (last < 0 || f.Nodes[i].Coloured > f.Nodes[last].Coloured) {
			last = i
		}
	}
	if last < 0 {
		return
	}
	negative, minus := false, int32(-1)
	free := f.free(a) >= 0
	for i := f.Nodes[a].First; i >= 0; i = f.Nodes[i].Next {
		if f.Nodes[i].Symbol == Minus {
			negative, minus = true, i
			continue
		}
		if sum := f.factorSum(i); sum >= 0 && (i != last || free) && f.prefersFlip(sum) {
			f.flip(sum)
			negative = !negative
		}
	}
	if minus >= 0 {
		f.remove(a, func(n *Node) bool { return n == &f.Nodes[minus] })
	}
	if negative && !free {
		f.flip(f.factorSum(last))
	}
	if i := f.Nodes[a].First; f.Nodes[i].Next < 0 { // the minus sign was the only other factor
		next := f.Nodes[a].Next
		f.Nodes[a] = f.Nodes[i]
		f.Nodes[a].Next = next
	}
}

// prefersFlip reports whether a sum has more negative than positive terms. If there are equally
// many, it reports whether the hashes of the negative terms have the larger sum. Terms with free
// constants do not count.
func (f *Tree) prefersFlip(sum int32) bool {
	count := 0
	var plus, minus uint64
	for i := f.Nodes[sum].First; i >= 0; i = f.Nodes[i].Next {
		switch n := &f.Nodes[i]; {
		case n.isFree() || n.Symbol == Product && f.free(i) >= 0:
		case f.isNegative(i):
			count--
			minus += mix(11, n.Coloured)
		default:
			count++
			plus += mix(11, n.Coloured)
		}
	}
	return count < 0 || count == 0 && minus > plus
}

// isNegative reports whether a term has a minus sign in front.
func (f *Tree) isNegative(term int32) bool {
	n := &f.Nodes[term]
	return n.Symbol == Minus || n.Symbol == Product && n.First >= 0 && f.has(term, Minus)
}

// has reports whether an operand of node a is s.
func (f *Tree) has(a int32, s Symbol) bool {
	for i := f.Nodes[a].First; i >= 0; i = f.Nodes[i].Next {
		if f.Nodes[i].Symbol == s {
			return true
		}
	}
	return false
}

// flip negates a sum: it changes the sign of each term that has no free constant.
func (f *Tree) flip(sum int32) {
	previous := int32(-1)
	for i := f.Nodes[sum].First; i >= 0; {
		next := f.Nodes[i].Next
		term := i
		n := &f.Nodes[i]
		switch {
		case n.isFree() || n.Symbol == Product && f.free(i) >= 0:
		case n.Symbol == One:
			n.Symbol = Minus
		case n.Symbol == Minus:
			n.Symbol = One
		case f.isNegative(i):
			f.remove(i, func(n *Node) bool { return n.Symbol == Minus })
			if first := f.Nodes[i].First; f.Nodes[first].Next < 0 {
				term = first
			}
		case n.Symbol == Product:
			sign := f.add(Node{Symbol: Minus, First: -1})
			f.Nodes[sign].Next = f.Nodes[i].First
			f.Nodes[i].First = sign
		default:
			sign := f.add(Node{Symbol: Minus, First: -1})
			f.Nodes[sign].Next = i
			f.Nodes[i].Next = -1
			term = f.add(Node{Symbol: Product, First: sign, Blind: f.Nodes[i].Blind,
				Coloured: f.Nodes[i].Coloured})
		}
		f.Nodes[term].Next = next
		if previous < 0 {
			f.Nodes[sum].First = term
		} else {
			f.Nodes[previous].Next = term
		}
		previous, i = term, next
	}
}
