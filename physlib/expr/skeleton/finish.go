package skeleton

import (
	"math"
)

// finish replaces the provisional symbols of the subtree at a. It returns the node that replaces a.
// The caller must set the field Next of this node.
func (f *Tree) finish(a int32) int32 {
	switch f.Nodes[a].Symbol {
	case number:
		return f.finishNumber(a)
	case Sum:
		f.Nodes[a].Value = 0
		f.finishOperands(a)
		f.dropNumber(a)
		if i := f.Nodes[a].First; f.Nodes[i].Next < 0 {
			return i
		}
	case Product:
		f.finishOperands(a)
		return f.finishProduct(a)
	default:
		f.finishOperands(a)
	}
	return a
}

// finishOperands finishes the operands of node a, in place.
func (f *Tree) finishOperands(a int32) {
	previous := int32(-1)
	for i := f.Nodes[a].First; i >= 0; {
		next := f.Nodes[i].Next
		done := f.finish(i)
		f.Nodes[done].Next = next
		if previous < 0 {
			f.Nodes[a].First = done
		} else {
			f.Nodes[previous].Next = done
		}
		previous, i = done, next
	}
}

// finishNumber gives node a, which is a number, the symbol of its kind. A negative number becomes a
// product of Minus and its absolute value.
func (f *Tree) finishNumber(a int32) int32 {
	v := f.Nodes[a].Value
	if v == -1 {
		f.Nodes[a].Symbol, f.Nodes[a].Value = Minus, 0
		return a
	}
	if v < 0 {
		f.Nodes[a].Value = -v
		sign := f.add(Node{Symbol: Minus, First: -1})
		f.Nodes[sign].Next = f.finishNumber(a)
		return f.add(Node{Symbol: Product, First: sign})
	}
	n := &f.Nodes[a]
	switch {
	case v == 1:
		n.Symbol, n.Value = One, 0
	case math.IsNaN(v):
		n.Symbol, n.Value = Decimal, 0
	default:
		n.Symbol = [...]Symbol{Integer, Ratio, Decimal}[class(v)]
	}
	return a
}

// free returns the first operand of node a that is a free constant and occurs once, or -1 if there
// is none.
func (f *Tree) free(a int32) int32 {
	for i := f.Nodes[a].First; i >= 0; i = f.Nodes[i].Next {
		if f.Nodes[i].isFree() {
			return i
		}
	}
	return -1
}

// dropNumber removes the numbers from a sum or product in which a free constant can absorb them.
func (f *Tree) dropNumber(a int32) {
	if f.free(a) < 0 {
		return
	}
	f.remove(a, func(n *Node) bool { return n.Symbol <= Euler })
}

// remove removes the operands of node a for which drop returns true.
func (f *Tree) remove(a int32, drop func(*Node) bool) {
	previous := int32(-1)
	for i := f.Nodes[a].First; i >= 0; i = f.Nodes[i].Next {
		switch {
		case !drop(&f.Nodes[i]):
			previous = i
		case previous < 0:
			f.Nodes[a].First = f.Nodes[i].Next
		default:
			f.Nodes[previous].Next = f.Nodes[i].Next
		}
	}
}

// finishProduct converts the number in front of a product to symbols. If a free constant can absorb
// the number, it is dropped. A product of one factor becomes that factor.
func (f *Tree) finishProduct(a int32) int32 {
	c := f.Nodes[a].Value
	f.Nodes[a].Value = 0
	if free := f.free(a); free >= 0 {
		f.dropNumber(a)
		// Sums in which all terms except numbers have free constants come first, so that the result
		// does not depend on the order of the operands.
		for _, last := range []bool{false, true} {
			taken := false
			for i := f.Nodes[a].First; i >= 0 && !taken; i = f.Nodes[i].Next {
				sum := i
				switch f.Nodes[i].Symbol {
				case Inverse, InverseSqrt, Sqrt:
					sum = f.Nodes[i].First
				}
				taken = f.Nodes[sum].Symbol == Sum && (last || f.plain(sum)) && f.takeIn(sum)
			}
			if taken {
				f.remove(a, func(n *Node) bool { return n == &f.Nodes[free] })
				break
			}
		}
	} else {
		if v := math.Abs(c); v != 1 {
			n := f.finishNumber(f.number(v))
			f.Nodes[n].Next = f.Nodes[a].First
			f.Nodes[a].First = n
		}
		if c < 0 {
			n := f.add(Node{Symbol: Minus, First: -1})
			f.Nodes[n].Next = f.Nodes[a].First
			f.Nodes[a].First = n
		}
	}
	if i := f.Nodes[a].First; f.Nodes[i].Next < 0 {
		return i
	}
	return a
}

// plain reports whether all terms of a sum, except numbers, have free constants.
func (f *Tree) plain(sum int32) bool {
	for i := f.Nodes[sum].First; i >= 0; i = f.Nodes[i].Next {
		n := &f.Nodes[i]
		if !n.isFree() && (n.Symbol != Product || f.free(i) < 0) && n.Symbol > Euler {
			return false
		}
	}
	return true
}

// takeIn lets a sum absorb the free constant in front of it. It reports whether it did so. This is
// possible if at most one term of the sum has no free constant. That term then gets one.
func (f *Tree) takeIn(sum int32) bool {
	lacking, before := int32(-1), int32(-1)
	previous := int32(-1)
	for i := f.Nodes[sum].First; i >= 0; i = f.Nodes[i].Next {
		n := &f.Nodes[i]
		if !n.isFree() && (n.Symbol != Product || f.free(i) < 0) {
			if lacking >= 0 {
				return false
			}
			lacking, before = i, previous
		}
		previous = i
	}
	if lacking < 0 {
		return true
	}
	next := f.Nodes[lacking].Next
	f.Nodes[lacking].Next = -1
	c := f.add(Node{Symbol: Param, Index: -1, First: -1})
	term := c
	switch s := f.Nodes[lacking].Symbol; {
	case s <= Euler:
	case s == Product:
		f.Nodes[c].Next = f.Nodes[lacking].First
		f.Nodes[lacking].First = c
		f.dropNumber(lacking)
		term = lacking
		if f.Nodes[f.Nodes[lacking].First].Next < 0 { // only the constant remains
			term = f.Nodes[lacking].First
		}
	default:
		f.Nodes[c].Next = lacking
		term = f.add(Node{Symbol: Product, First: c})
	}
	f.Nodes[term].Next = next
	if before < 0 {
		f.Nodes[sum].First = term
	} else {
		f.Nodes[before].Next = term
	}
	return true
}
