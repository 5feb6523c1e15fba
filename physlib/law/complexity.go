package law

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// Complexity returns the description length of the expression t in bits. nvars is the number of
// variables from which the variables of t are chosen. The precision of fitted constants is not
// included. Complexity measures the canonical form, so a/b and a*b**(-1) have the same complexity.
// The order of terms in a sum does not matter either. The empty tree has 0 bits.
func Complexity(t expr.Tree, nvars int) float64 {
	if t.Len() == 0 {
		return 0
	}
	return complexity(t.Canonical(), nvars)
}

// complexity returns Complexity for a tree that is already canonical.
func complexity(t expr.Tree, nvars int) float64 {
	p := pricing{nodes: t.Nodes(), leaf: leafBits + math.Log2(float64(max(nvars, 1)))}
	p.bits = make([]float64, len(p.nodes))
	p.value = make([]float64, len(p.nodes))
	p.start = make([]int, len(p.nodes))
	for i := range p.nodes {
		p.visit(i)
	}
	return p.total(len(p.nodes) - 1)
}

// pricing is one pass over the nodes of a tree in postfix order. For each node i, it describes the
// subtree that ends at node i. start is the first node of the subtree, and value is its value. If
// the subtree contains a variable or a free constant, value is NaN, and bits holds the bits of the
// subtree.
type pricing struct {
	nodes []expr.Node
	leaf  float64
	start []int
	value []float64
	bits  []float64
}

// total returns the bits of the subtree that ends at node i. If the value of the subtree is a
// number, these are the bits of that number.
func (p *pricing) total(i int) float64 {
	if v := p.value[i]; !math.IsNaN(v) {
		return NumberBits(v)
	}
	return p.bits[i]
}

// visit calculates start, value and bits of node i from the start, value and bits of its operands.
func (p *pricing) visit(i int) {
	n := p.nodes[i]
	p.start[i], p.value[i] = i, math.NaN()
	switch n.Op.Arity() {
	case 0:
		p.visitLeaf(i, n)
	case 1:
		p.start[i] = p.start[i-1]
		p.visitUnary(i, n.Op, i-1)
	case 2:
		b := i - 1
		a := p.start[b] - 1
		p.start[i] = p.start[a]
		p.visitBinary(i, n.Op, a, b)
	}
}

func (p *pricing) visitLeaf(i int, n expr.Node) {
	switch n.Op {
	case expr.Number:
		p.value[i] = n.Value
		if math.IsNaN(n.Value) {
			p.bits[i] = otherBits
		}
	case expr.Pi:
		p.value[i] = math.Pi
	case expr.Euler:
		p.value[i] = math.E
	case expr.Param:
		p.bits[i] = freeBits
	default:
		p.bits[i] = p.leaf
	}
}

func (p *pricing) visitUnary(i int, op expr.Op, a int) {
	if v := p.value[a]; !math.IsNaN(v) {
		p.value[i] = constantUnary(op, v)
		if !math.IsNaN(p.value[i]) {
			return
		}
	}
	below := p.total(a)
	switch op {
	case expr.Neg:
		p.bits[i] = negBits + below
	case expr.Inv:
		p.bits[i] = powerBits(-1) + below
	case expr.Sqrt:
		p.bits[i] = powerBits(0.5) + below
	case expr.Square:
		p.bits[i] = powerBits(2) + below
	case expr.Cube:
		p.bits[i] = powerBits(3) + below
	default:
		p.bits[i] = functionCost(op) + below
	}
}

func (p *pricing) visitBinary(i int, op expr.Op, a, b int) {
	va, vb := p.value[a], p.value[b]
	if v := constantBinary(op, va, vb); !math.IsNaN(v) {
		p.value[i] = v
		return
	}
	switch op {
	case expr.Add:
		p.bits[i] = addBits + p.total(a) + p.total(b)
	case expr.Sub:
		p.bits[i] = addBits + negBits + p.total(a) + p.total(b)
	case expr.Mul:
		p.bits[i] = p.product(va, a, b)
		if math.IsNaN(va) {
			p.bits[i] = p.product(vb, b, a)
		}
	case expr.Div:
		switch {
		case !math.IsNaN(vb) && vb != 0:
			p.bits[i] = mulBits + NumberBits(1/vb) + p.bits[a]
		case !math.IsNaN(va):
			p.bits[i] = inverseBits + p.product(va, a, b)
		default:
			p.bits[i] = inverseBits + mulBits + p.total(a) + p.total(b)
		}
	case expr.Pow:
		switch {
		case !math.IsNaN(vb):
			p.bits[i] = powerBits(vb) + p.total(a)
		default:
			p.bits[i] = powBits + p.total(a) + p.total(b)
			if p.nodes[b].Op == expr.Param {
				p.bits[i] += exponentBits - powBits - freeBits
			}
		}
	default:
		p.bits[i] = functionCost(op) + p.total(a) + p.total(b)
	}
}

// product returns the bits of the product of the subtrees that end at nodes a and b. c is the value
// of the first, or NaN. A factor of 1 has no bits, and a factor of -1 has only the bits of a sign.
func (p *pricing) product(c float64, a, b int) float64 {
	switch c {
	case 1:
		return p.total(b)
	case -1:
		return negBits + p.total(b)
	}
	return mulBits + p.total(a) + p.total(b)
}

// constantUnary returns op applied to a number, for arithmetic operations. It returns NaN for
// functions such as exp.
func constantUnary(op expr.Op, v float64) float64 {
	switch op {
	case expr.Neg:
		return -v
	case expr.Inv:
		return 1 / v
	case expr.Sqrt:
		return math.Sqrt(v)
	case expr.Square:
		return v * v
	case expr.Cube:
		return v * v * v
	case expr.Abs:
		return math.Abs(v)
	}
	// An expression such as exp(2) or sin(1) has the bits of the function and of its operand, not
	// those of its value.
	return math.NaN()
}

// constantBinary returns op applied to two numbers, or NaN if one of the numbers is NaN.
func constantBinary(op expr.Op, a, b float64) float64 {
	switch op {
	case expr.Add:
		return a + b
	case expr.Sub:
		return a - b
	case expr.Mul:
		return a * b
	case expr.Div:
		return a / b
	case expr.Pow:
		if math.IsNaN(a) || math.IsNaN(b) {
			return math.NaN() // math.Pow(NaN, 0) would be 1
		}
		return math.Pow(a, b)
	}
	return math.NaN()
}
