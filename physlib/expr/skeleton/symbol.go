package skeleton

import "github.com/physlib/lab/physlib/expr"

// Symbol is the kind of a node. Operands of sums and products are sorted by it.
type Symbol uint8

// Leaves, then powers, then functions of one operand, then sums and products.
const (
	Minus   Symbol = iota // -1, as a factor or a number
	One                   // the number 1
	Integer               // a whole number above 1: Node.Value
	Ratio                 // a fraction: Node.Value
	Decimal               // any other positive number: Node.Value
	Pi
	Euler
	Param // a free constant: Node.Index is its slot, or -1 if it is used once
	Var   // a column: Node.Index

	Square  // a²
	Cube    // a³
	Sqrt    // √a
	Inverse // 1/a
	InverseSquare
	InverseSqrt
	IntegerPower // a to a whole number that has no symbol of its own: Node.Value
	RatioPower   // a to a fraction: Node.Value
	DecimalPower // a to any other number: Node.Value
	Power        // a to the b: two operands

	Exp
	Log
	Sin
	Cos
	Tan
	Asin
	Acos
	Atan
	Sinh
	Cosh
	Tanh
	Abs

	Sum     // two operands or more
	Product // two operands or more

	NumSymbols
)

// Other is an operator without a symbol of its own; Node.Value is its expr.Op. Its number leaves
// room for new symbols, so that stored hashes of forms stay valid.
const Other Symbol = 60

// symbolOf returns the symbol of a function. For Other, it also returns the Value of the node.
func symbolOf(op expr.Op) (s Symbol, value float64) {
	if int(op) < len(functions) && functions[op] != 0 {
		return functions[op], 0
	}
	return Other, float64(op)
}

// commutes reports whether the order of the operands of n does not matter.
func (n *Node) commutes() bool {
	return n.Symbol != Power && (n.Symbol != Other || expr.Op(n.Value).Operator().Commutes)
}

// functions maps operators to the symbols of the same name.
var functions = [...]Symbol{
	expr.Exp: Exp, expr.Log: Log, expr.Sin: Sin, expr.Cos: Cos, expr.Tan: Tan, expr.Asin: Asin,
	expr.Acos: Acos, expr.Atan: Atan, expr.Sinh: Sinh, expr.Cosh: Cosh, expr.Tanh: Tanh,
	expr.Abs: Abs,
}

var symbolNames = [NumSymbols]string{
	"-", "1", "integer", "ratio", "decimal", "pi", "e", "c", "x", "square", "cube", "sqrt",
	"inverse", "inverse square", "inverse sqrt", "integer power", "ratio power", "decimal power",
	"power", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
	"abs", "sum", "product",
}

// String returns the name of s.
func (s Symbol) String() string {
	if s < NumSymbols {
		return symbolNames[s]
	}
	if s == Other {
		return "function"
	}
	return "none"
}

// IsNary reports whether s takes any number of operands in any order.
func (s Symbol) IsNary() bool { return s == Sum || s == Product }

// Arity returns the number of operands. It is -1 for sums and products, and for Other, which may
// have one or two.
func (s Symbol) Arity() int {
	switch {
	case s.IsNary() || s == Other:
		return -1
	case s == Power:
		return 2
	case s > Var:
		return 1
	}
	return 0
}
