package expr

// Op is the kind of a node: a leaf or an operator. The zero Op is a number.
type Op uint8

// Leaves, then the operators that searches use by default, then the rare operators. New operators
// must come last, since hashes and stored tables contain these numbers.
const (
	Number Op = iota // a fixed number: Node.Value
	Param            // a free constant c0, c1, …; Index is its slot, Value its starting value
	Var              // a column: Node.Index
	Pi               // π
	Euler            // e = exp(1)

	Neg    // -a
	Inv    // 1/a
	Abs    // |a|
	Sqrt   // √a, NaN for a < 0
	Square // a²
	Cube   // a³
	Exp    // eᵃ
	Log    // natural logarithm, NaN for a < 0
	Sin
	Cos
	Tan
	Asin
	Acos
	Atan
	Sinh
	Cosh
	Tanh

	Add // a + b
	Sub // a - b
	Mul // a * b
	Div // a / b
	Pow // a ** b, with the special cases of math.Pow

	Erf     // error function
	Erfc    // 1 - erf(a), without cancellation
	Gamma   // Γ(a)
	Lgamma  // log|Γ(a)|
	Digamma // Γ'(a)/Γ(a), the derivative of Lgamma
	Sign    // -1, 0 or 1
	J0      // Bessel function of the first kind of order 0
	J1      // Bessel function of the first kind of order 1
	Sinc    // sin(a)/a, and 1 at a = 0
	Min     // the smaller of a and b
	Max     // the larger of a and b

	numOps
)

// Arity returns the number of operands: 0, 1 or 2.
func (o Op) Arity() int { return int(arities[o]) }

// Node is one entry of a tree in postfix order.
type Node struct {
	Op    Op
	Index int32   // column of a Var, slot of a Param
	Value float64 // value of a Number, starting value of a Param
}

// Tree is an immutable expression in postfix order: operands come before their operator.
// Evaluating, printing and encoding a tree are therefore one pass each. The zero Tree is empty and
// valid, but has no value.
type Tree struct{ nodes []Node }

// Num returns the number v.
func Num(v float64) Tree { return Tree{[]Node{{Op: Number, Value: v}}} }

// X returns column i.
func X(i int) Tree { return Tree{[]Node{{Op: Var, Index: int32(i)}}} }

// C returns the free constant in slot i, to be fitted from the value start.
func C(i int, start float64) Tree { return Tree{[]Node{{Op: Param, Index: int32(i), Value: start}}} }

// Leaf returns a leaf of the given kind without an index or value: Pi or Euler.
func Leaf(op Op) Tree { return Tree{[]Node{{Op: op}}} }

// Apply returns op applied to args. It panics unless there are op.Arity() args, since that is a
// programming error.
func Apply(op Op, args ...Tree) Tree {
	if len(args) != op.Arity() {
		panic("expr.Apply: wrong number of operands")
	}
	n := 1
	for _, a := range args {
		n += len(a.nodes)
	}
	nodes := make([]Node, 0, n)
	for _, a := range args {
		nodes = append(nodes, a.nodes...)
	}
	return Tree{append(nodes, Node{Op: op})}
}

// FromNodes returns the tree with the given nodes in postfix order. ok reports whether they are one
// well-formed expression. The tree keeps the slice.
func FromNodes(nodes []Node) (t Tree, ok bool) {
	depth := 0
	for _, n := range nodes {
		if depth < n.Op.Arity() || n.Op >= numOps {
			return Tree{}, false
		}
		depth += 1 - n.Op.Arity()
	}
	return Tree{nodes}, depth == 1
}

// Nodes returns the nodes of t in postfix order. The caller must not change them.
func (t Tree) Nodes() []Node { return t.nodes }

// Len returns the number of nodes.
func (t Tree) Len() int { return len(t.nodes) }

// NumParams returns one more than the highest slot of a free constant, or 0 if there are none.
func (t Tree) NumParams() int {
	n := 0
	for _, x := range t.nodes {
		if x.Op == Param {
			n = max(n, int(x.Index)+1)
		}
	}
	return n
}

// Params returns the starting values of the free constants, by slot.
func (t Tree) Params() []float64 {
	p := make([]float64, t.NumParams())
	for _, x := range t.nodes {
		if x.Op == Param {
			p[x.Index] = x.Value
		}
	}
	return p
}
