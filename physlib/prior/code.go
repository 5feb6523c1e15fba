package prior

import (
	"math"
	"sync"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/closed"
	"github.com/physlib/lab/physlib/expr/skeleton"
)

// Symbols of the code: the symbols of package expr/skeleton, and one that ends a sum or product.
const (
	end        = skeleton.NumSymbols
	numSymbols = end + 1
	// Stands for the parent of the root, and for the sibling before the first operand.
	start = numSymbols
)

// A context contains what the symbol of a node is predicted from: the neighbouring symbols, and the
// numbers of earlier constants and columns.
type context struct {
	parent, grand, previous skeleton.Symbol
	uncle                   skeleton.Symbol // the sibling before the parent
	// Position among the operands of the parent: 0, 1, or 2 for later ones.
	position uint8
	// constants + 3·columns, where constants is the number of constants before the node (at most
	// 2), and columns the number of columns before the node (at most 1).
	state uint8
}

// Levels of contexts, the longest context first. Each level omits one more part of the context. At
// the last two levels, the previous sibling is omitted.
const (
	levels       = 6
	parentLevel  = levels - 2 // the context consists only of parent and position
	unigramLevel = levels - 1
)

// key packs the parts of c that a level uses into one number.
func (c context) key(level int) uint32 {
	k := uint32(level) << 29
	switch level {
	case 0:
		k |= uint32(c.uncle) << 23
		fallthrough
	case 1:
		k |= uint32(c.state) << 20
		fallthrough
	case 2:
		k |= uint32(c.grand) << 14
		fallthrough
	case 3:
		k |= uint32(c.previous) << 8
		fallthrough
	case parentLevel:
		k |= uint32(c.parent)<<2 | uint32(c.position)
	}
	return k
}

// A symbolSet is a set of symbols, with one bit for each.
type symbolSet uint64

func (s symbolSet) has(k skeleton.Symbol) bool { return s>>k&1 == 1 }

// allowed returns the symbols that are possible in c. Some symbols are impossible, since operands
// of sums and products are sorted and numbers are merged.
func (c context) allowed() symbolSet { return allowedTable[c.parent][c.previous][c.position] }

var allowedTable = func() (table [numSymbols + 1][numSymbols + 1][3]symbolSet) {
	for parent := range table {
		for previous := range table[parent] {
			for position := range table[parent][previous] {
				table[parent][previous][position] = allow(
					skeleton.Symbol(parent), skeleton.Symbol(previous), position)
			}
		}
	}
	return table
}()

func allow(parent, previous skeleton.Symbol, position int) symbolSet {
	set := symbolSet(1)<<numSymbols - 1
	drop := func(first, last skeleton.Symbol) {
		for k := first; k <= last; k++ {
			set &^= 1 << k
		}
	}
	if !parent.IsNary() {
		drop(end, end)
		return set
	}
	drop(parent, parent)
	if parent == skeleton.Product {
		drop(skeleton.One, skeleton.One)
	}
	if position < 2 {
		drop(end, end)
	}
	if previous < end && previous > 0 {
		drop(0, previous-1)
	}
	switch {
	case previous == skeleton.Minus:
		drop(skeleton.Minus, skeleton.Minus)
	case previous <= skeleton.Decimal:
		drop(0, skeleton.Decimal)
	case previous <= skeleton.Euler:
		drop(0, previous)
	}
	return set
}

// A coder visits the nodes of a skeleton. It adds up their bits according to a model, or counts
// their symbols.
type coder struct {
	form   skeleton.Tree
	model  *Model
	counts *counts // if not nil, symbols are counted here; nil: bits are added up
	weight float64

	bits   float64 // bits of the tree so far
	choice float64 // the part of bits for the choice of columns
	// Bits to subtract because the order of operands in sums and products does not matter.
	orderBits float64
	// The part of orderBits for operands that differ only in their columns, if exchanging these
	// columns in the whole tree gives the same form.
	swaps float64

	vars   int
	used   []int32 // columns that have occurred
	params int
	shared []int32 // slots of shared constants that have occurred
}

var coders = sync.Pool{New: func() any { return new(coder) }}

// run codes the canonical tree t. vars is the number of possible columns.
func (c *coder) run(t expr.Tree, vars int) {
	c.form.Set(t)
	c.bits, c.choice, c.orderBits, c.swaps, c.params = 0, 0, 0, 0, 0
	c.used, c.shared = c.used[:0], c.shared[:0]
	c.vars = max(vars, 1)
	if c.form.Root >= 0 {
		c.node(c.form.Root, rootContext, 0)
	}
}

var rootContext = context{parent: start, grand: start, previous: start, uncle: start}

// node codes the subtree at a. siblings is the number of columns among the earlier siblings of a.
func (c *coder) node(a int32, ctx context, siblings int) {
	n := &c.form.Nodes[a]
	if n.Symbol == skeleton.Other {
		c.other(n, ctx)
		return
	}
	c.symbol(n.Symbol, ctx)
	switch n.Symbol {
	case skeleton.Var:
		c.column(n.Index, ctx, siblings)
		return
	case skeleton.Param:
		c.param(n.Index, ctx)
		return
	case skeleton.Integer, skeleton.Ratio, skeleton.Decimal,
		skeleton.IntegerPower, skeleton.RatioPower, skeleton.DecimalPower:
		c.value(n.Symbol, n.Value)
	}
	below := context{parent: n.Symbol, grand: ctx.parent, previous: start, uncle: ctx.previous}
	nary := n.Symbol.IsNary()
	siblings = 0
	for i := n.First; i >= 0; i = c.form.Nodes[i].Next {
		c.node(i, below, siblings)
		below.position = min(below.position+1, 2)
		if nary {
			if below.previous = c.form.Nodes[i].Symbol; below.previous == skeleton.Other {
				below.previous = start // the next node is predicted like a first operand
			}
			if below.previous == skeleton.Var {
				siblings++
			}
		}
	}
	if nary {
		c.symbol(end, below)
		c.unordered(n)
	}
}

// Bits of an operator without a symbol in package skeleton, such as erf.
const (
	// In a product, tanh costs 6.7 bits, and the laws with erf have a tenth of the weight of those
	// with tanh.
	rareBits = 10
	// If the user names such an operator, it is as likely as a common function.
	expectedBits = 4
)

// standIn is the symbol that represents an operator without a symbol when it is the parent in a
// context.
const standIn = skeleton.Tanh

// other codes an operator without a symbol.
func (c *coder) other(n *skeleton.Node, ctx context) {
	if c.counts == nil {
		c.bits += c.model.rare
	}
	below := context{parent: standIn, grand: ctx.parent, previous: start, uncle: ctx.previous}
	for i := n.First; i >= 0; i = c.form.Nodes[i].Next {
		c.node(i, below, 0)
		below.position = min(below.position+1, 2)
	}
}

func (c *coder) symbol(s skeleton.Symbol, ctx context) {
	ctx.state = uint8(min(c.params, 2) + 3*min(len(c.used), 1))
	if c.counts != nil {
		c.counts.symbol(s, ctx, c.weight)
		return
	}
	c.bits += float64(c.model.symbol(s, ctx))
}

// A flag is the context from which it is predicted whether a column or constant has occurred
// before.
type flag uint8

// numFlags is the product of 2 (column or constant), 4 (number of different columns, or constants,
// that have occurred already) and 3 (kind of parent).
const numFlags = 2 * 4 * 3

// newFlag returns the context for a column or a constant. before is the number of different
// columns, or constants, that have occurred already.
func newFlag(constant bool, before int, parent skeleton.Symbol) flag {
	f := flag(min(before, 3))
	switch parent {
	case skeleton.Product:
		f += 4
	case skeleton.Sum:
		f += 8
	}
	if constant {
		f += 12
	}
	return f
}

// again codes whether a column or constant has occurred before.
func (c *coder) again(f flag, yes bool) {
	if c.counts != nil {
		c.counts.flag(f, yes, c.weight)
		return
	}
	if yes {
		c.bits += c.model.flags[f][1]
	} else {
		c.bits += c.model.flags[f][0]
	}
}

// column codes which column is at a node. siblings is the number of columns among the earlier
// operands of the same parent. The column differs from all of these operands.
func (c *coder) column(index int32, ctx context, siblings int) {
	old := false
	for _, u := range c.used {
		old = old || u == index
	}
	known, left := len(c.used)-siblings, c.vars-len(c.used)
	if known > 0 && (left > 0 || !old) {
		c.again(newFlag(false, known, ctx.parent), old)
	}
	pick := float64(max(known, 1))
	if !old {
		pick = float64(max(left, 1))
		c.used = append(c.used, index)
		c.choice += log2(pick)
	}
	c.bits += log2(pick)
}

func (c *coder) param(slot int32, ctx context) {
	old := false
	if slot >= 0 {
		for _, s := range c.shared {
			old = old || s == slot
		}
	}
	if c.params > 0 {
		c.again(newFlag(true, c.params, ctx.parent), old)
	}
	if old {
		c.bits += log2(float64(c.params))
		return
	}
	c.params++
	if slot >= 0 {
		c.shared = append(c.shared, slot)
	}
}

// unordered adds bits to c.orderBits for operands of n that differ only in their columns, since
// their order does not matter.
func (c *coder) unordered(n *skeleton.Node) {
	nodes := c.form.Nodes
	for i := n.First; i >= 0; {
		first := &nodes[i]
		back, swaps := 0.0, 0.0
		k, same, colour := 0.0, 0.0, 0.0
		previous := first
		for ; i >= 0 && nodes[i].Blind == first.Blind; i = nodes[i].Next {
			o := &nodes[i]
			if k++; k == 1 || o.Exact != previous.Exact {
				same = 0
			}
			if k == 1 || o.Coloured != previous.Coloured {
				colour = 0
			}
			same++
			colour++
			back += log2(k) - log2(same)
			swaps += log2(colour) - log2(same)
			previous = o
		}
		c.orderBits += back
		c.swaps += max(swaps, 0)
	}
}

// log2Small[i] is the base-2 logarithm of i, except that log2Small[0] is 0.
var log2Small = func() (l [32]float64) {
	for i := range l {
		l[i] = math.Log2(float64(max(i, 1)))
	}
	return l
}()

func log2(n float64) float64 {
	if i := int(n); i < len(log2Small) {
		return log2Small[i]
	}
	return math.Log2(n)
}

func (c *coder) value(s skeleton.Symbol, v float64) {
	if c.counts != nil {
		c.counts.values[numeral{s, v}] += c.weight
		c.counts.ofClass[s] += c.weight
		return
	}
	c.bits += c.model.valueBits(s, v)
}

// valueBits returns the bits of the number v of class s.
func (m *Model) valueBits(s skeleton.Symbol, v float64) float64 {
	if bits, ok := m.values[numeral{s, v}]; ok {
		return bits
	}
	return numberBits(s, v) + m.newValue[s]
}

// A numeral is a number and its class, Integer to Decimal or IntegerPower to DecimalPower.
type numeral struct {
	class skeleton.Symbol
	value float64
}

// otherBits is the length of the code of a number without a short closed form, as in package law.
const otherBits = 14

// numberBits returns the length in bits of a code for the number v of a class. The code does not
// depend on the catalogue. For whole numbers and fractions it is Elias' gamma code. For decimals
// its length is that of the closed form.
func numberBits(class skeleton.Symbol, v float64) float64 {
	sign := 0.0
	if class >= skeleton.IntegerPower {
		sign = 1
	}
	v = math.Abs(v)
	bits := math.Inf(1)
	switch class {
	case skeleton.Integer:
		bits = gamma(v - 1)
	case skeleton.IntegerPower:
		bits = gamma(v - 2)
	case skeleton.Ratio, skeleton.RatioPower:
		if p, q, ok := closed.Rational(v*(1-1e-13), v*(1+1e-13), 1000); ok {
			bits = gamma(float64(p)) + gamma(float64(q-1))
		}
	default:
		if f, ok := closed.Nearest(v, 1e-12*v); ok {
			bits = f.Bits()
		}
	}
	return sign + 1 + min(bits, otherBits)
}

// gamma returns the length of Elias' gamma code of a positive whole number.
func gamma(n float64) float64 { return 2*math.Floor(math.Log2(max(n, 1))) + 1 }
