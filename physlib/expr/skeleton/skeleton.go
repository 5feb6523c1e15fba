// Package skeleton returns the form of a law. The form stays the same if columns are renamed or
// swapped, operands are reordered, and free constants get other values.
//
// A [Tree] is a tree made from the canonical form of an expression. Its sums and products have any
// number of operands. Numbers that a free constant makes superfluous are dropped. A constant in
// front of a sum is absorbed by the sum if at most one of its terms has no constant. So c0*x/(c1 +
// x), c0*x/(1 + c1*x) and x/(c0 + c1*x) are one form.
//
// # Design
//
// Operands are sorted by kind and then by hashes that do not depend on which column is which.
// Columns are distinguished by colours, as in the refinement of B. Weisfeiler and A. Lehman (1968):
// the colour of a column is the sum, over its positions, of a hash of the path from the root. A
// second iteration uses the colours of the first one. Columns of equal colour can be exchanged,
// except in contrived cases.
package skeleton

import (
	"math"
	"sync"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/closed"
)

// Node is a node of a Tree.
type Node struct {
	Symbol      Symbol
	Index       int32 // column of a Var; slot of a Param, or -1 if it is used once
	First, Next int32 // indices of the first operand and of the next sibling; -1: none
	// Value of a number or exponent of a numeric power. If Symbol is Other, Value is the expr.Op of
	// the node, converted to a float64.
	Value float64

	Blind uint64 // hash that is equal for subtrees that differ only in their columns and constants
	// Hash that is equal for subtrees that differ only by an exchange of columns with the same
	// colour.
	Coloured uint64
	// Hash that is equal for subtrees with the same columns. It does not distinguish free
	// constants.
	Exact uint64
}

// A Tree is the skeleton of an expression. The zero Tree is empty, and Set reuses its memory. A
// Tree must not be used by several goroutines at once.
type Tree struct {
	Nodes []Node
	Root  int32 // -1 for an empty tree

	stack []int32
	// For each slot, the number of occurrences of the free constant; 2 also stands for more.
	uses     [64]uint8
	entities []entity
	unsigned bool // hashes ignore signs
}

// An entity is a column, or a free constant that occurs more than once.
type entity struct {
	symbol Symbol
	index  int32
	count  int
	colour uint64
}

var forms = sync.Pool{New: func() any { return new(Tree) }}

// Hash returns the hash of the form of t. It is equal for expressions that differ only in the
// values of free constants, the order of operands, and a permutation of the columns.
func Hash(t expr.Tree) uint64 {
	f := forms.Get().(*Tree)
	defer forms.Put(f)
	f.Set(t.Canonical())
	return f.Hash()
}

// Hash returns the hash of f. It is 0 if f is empty.
func (f *Tree) Hash() uint64 {
	if f.Root < 0 || len(f.Nodes) == 0 {
		return 0
	}
	return f.Nodes[f.Root].Coloured
}

// Set makes f the skeleton of a canonical tree.
func (f *Tree) Set(t expr.Tree) {
	f.Nodes, f.stack, f.Root = f.Nodes[:0], f.stack[:0], -1
	if t.Len() == 0 {
		return
	}
	f.uses = [64]uint8{}
	for _, n := range t.Nodes() {
		if n.Op == expr.Param && n.Index >= 0 && int(n.Index) < len(f.uses) {
			f.uses[n.Index] = min(f.uses[n.Index]+1, 2)
		}
	}
	for _, n := range t.Nodes() {
		k := len(f.stack)
		switch n.Op.Arity() {
		case 0:
			f.stack = append(f.stack, f.leaf(n))
		case 1:
			f.stack[k-1] = f.unary(n.Op, f.stack[k-1])
		case 2:
			f.stack[k-2] = f.binary(n.Op, f.stack[k-2], f.stack[k-1])
			f.stack = f.stack[:k-1]
		}
	}
	f.Root = f.finish(f.stack[0])
	f.orient()
	f.colour()
	f.sort(f.Root)
}

// number is a provisional symbol for numbers, which finish replaces. Until then, the numeric factor
// of a product is stored in the Value of the product.
const number = NumSymbols

// add appends a node and returns its index.
func (f *Tree) add(n Node) int32 {
	n.Next = -1
	f.Nodes = append(f.Nodes, n)
	return int32(len(f.Nodes) - 1)
}

// leaf returns the node of a leaf.
func (f *Tree) leaf(n expr.Node) int32 {
	switch n.Op {
	case expr.Pi:
		return f.add(Node{Symbol: Pi, First: -1})
	case expr.Euler:
		return f.add(Node{Symbol: Euler, First: -1})
	case expr.Var:
		return f.add(Node{Symbol: Var, Index: n.Index, First: -1})
	case expr.Param:
		slot := n.Index
		if slot >= 0 && int(slot) < len(f.uses) && f.uses[slot] == 1 {
			slot = -1
		}
		return f.add(Node{Symbol: Param, Index: slot, First: -1})
	}
	return f.number(n.Value)
}

// number adds a node for v with the symbol number, which finishNumber replaces.
func (f *Tree) number(v float64) int32 { return f.add(Node{Symbol: number, Value: v, First: -1}) }

// unary returns op of node a.
func (f *Tree) unary(op expr.Op, a int32) int32 {
	switch op {
	case expr.Neg:
		return f.scale(a, -1)
	case expr.Inv:
		return f.power(a, -1)
	case expr.Sqrt:
		return f.power(a, 0.5)
	case expr.Square:
		return f.power(a, 2)
	case expr.Cube:
		return f.power(a, 3)
	}
	s, v := symbolOf(op)
	return f.add(Node{Symbol: s, First: a, Value: v})
}

// binary returns op of nodes a and b.
func (f *Tree) binary(op expr.Op, a, b int32) int32 {
	switch op {
	case expr.Add:
		return f.join(Sum, a, b)
	case expr.Sub:
		return f.join(Sum, a, f.scale(b, -1))
	case expr.Mul:
		return f.times(a, b)
	case expr.Div:
		return f.times(a, f.power(b, -1))
	}
	if op != expr.Pow {
		s, v := symbolOf(op)
		p := f.add(Node{Symbol: s, First: a, Value: v})
		f.Nodes[a].Next = b
		return p
	}
	if f.Nodes[b].Symbol == number {
		return f.power(a, f.Nodes[b].Value)
	}
	p := f.add(Node{Symbol: Power, First: a})
	f.Nodes[a].Next = b
	return p
}

// join returns the sum or product of a and b. Operands that are themselves sums (or products) are
// replaced by their operands.
func (f *Tree) join(s Symbol, a, b int32) int32 {
	if f.Nodes[a].Symbol != s {
		a = f.add(Node{Symbol: s, First: a, Value: 1})
	}
	first := b
	if f.Nodes[b].Symbol == s {
		first = f.Nodes[b].First
		f.Nodes[a].Value *= f.Nodes[b].Value // both are 1 for a sum
	}
	if f.Nodes[a].First < 0 {
		f.Nodes[a].First = first
		return a
	}
	last := f.Nodes[a].First
	for f.Nodes[last].Next >= 0 {
		last = f.Nodes[last].Next
	}
	f.Nodes[last].Next = first
	return a
}

// times returns the product of a and b. If one is a number, it is multiplied into the Value of the
// other.
func (f *Tree) times(a, b int32) int32 {
	switch {
	case f.Nodes[a].Symbol == number:
		return f.scale(b, f.Nodes[a].Value)
	case f.Nodes[b].Symbol == number:
		return f.scale(a, f.Nodes[b].Value)
	}
	return f.join(Product, a, b)
}

// scale returns c·a.
func (f *Tree) scale(a int32, c float64) int32 {
	switch f.Nodes[a].Symbol {
	case number, Product:
		f.Nodes[a].Value *= c
		return a
	}
	return f.add(Node{Symbol: Product, First: a, Value: c})
}

// power returns a to the number e.
func (f *Tree) power(a int32, e float64) int32 {
	switch n := f.Nodes[a]; {
	case e == 1:
		return a
	case n.Symbol == number && e == -1:
		return f.number(1 / n.Value)
	case n.isFree() && e != 0:
		return a
	case n.Symbol == Product && e == -1:
		p := f.add(Node{Symbol: Product, First: -1, Value: 1 / n.Value})
		for i := n.First; i >= 0; {
			next := f.Nodes[i].Next
			f.Nodes[i].Next = -1
			inverse := f.power(i, e)
			f.Nodes[inverse].Next = f.Nodes[p].First
			f.Nodes[p].First = inverse
			i = next
		}
		return p
	case e == -1 && n.Symbol >= Square && n.Symbol <= DecimalPower:
		return f.numericPower(n.First, -n.exponent())
	}
	return f.numericPower(a, e)
}

// exponent returns the power to which n, a power with a numeric exponent, raises its operand.
func (n *Node) exponent() float64 {
	switch n.Symbol {
	case Square:
		return 2
	case Cube:
		return 3
	case Sqrt:
		return 0.5
	case Inverse:
		return -1
	case InverseSquare:
		return -2
	case InverseSqrt:
		return -0.5
	}
	return n.Value
}

// numericPower returns a to the power e.
func (f *Tree) numericPower(a int32, e float64) int32 {
	n := Node{First: a}
	switch e {
	case 1:
		return a
	case 2:
		n.Symbol = Square
	case 3:
		n.Symbol = Cube
	case 0.5:
		n.Symbol = Sqrt
	case -1:
		n.Symbol = Inverse
	case -2:
		n.Symbol = InverseSquare
	case -0.5:
		n.Symbol = InverseSqrt
	default:
		n.Symbol, n.Value = PowerSymbol(e), e
	}
	return f.add(n)
}

// PowerSymbol returns the symbol of a power with the exponent e, if it has no symbol of its own.
func PowerSymbol(e float64) Symbol {
	return [...]Symbol{IntegerPower, RatioPower, DecimalPower}[class(e)]
}

// class returns 0 for a whole number, 1 for a fraction with small numerator and denominator, and 2
// for any other number.
func class(v float64) int {
	v = math.Abs(v)
	if v == math.Trunc(v) && v < 1e9 {
		return 0
	}
	if v > 1e-3 && v < 1e3 {
		for q := 2.0; q <= 12; q++ {
			if p := v * q; math.Abs(p-math.Round(p)) < 1e-12*p {
				return 1
			}
		}
		if _, _, ok := closed.Rational(v*(1-1e-13), v*(1+1e-13), 1000); ok {
			return 1
		}
	}
	return 2
}

// isFree reports whether n is a free constant that is used nowhere else.
func (n *Node) isFree() bool { return n.Symbol == Param && n.Index < 0 }
