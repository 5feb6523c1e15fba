package dataset

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// spellings are the names by which Problem.Ops may allow an operator. A square is a product, a
// reciprocal a quotient.
var spellings = map[expr.Op][]string{
	expr.Add: {"+", "add"}, expr.Sub: {"-", "sub"}, expr.Mul: {"*", "mul"}, expr.Div: {"/", "div"}, expr.Pow: {"**", "^", "pow"},
	expr.Neg: {"-", "neg", "sub"}, expr.Inv: {"/", "inv", "div"}, expr.Abs: {"abs"}, expr.Sqrt: {"sqrt"},
	expr.Square: {"square", "*", "mul", "**", "^", "pow"}, expr.Cube: {"cube", "*", "mul", "**", "^", "pow"},
	expr.Exp: {"exp"}, expr.Log: {"log", "ln"}, expr.Sin: {"sin"}, expr.Cos: {"cos"}, expr.Tan: {"tan"},
	expr.Asin: {"asin", "arcsin"}, expr.Acos: {"acos", "arccos"}, expr.Atan: {"atan", "arctan"},
	expr.Sinh: {"sinh"}, expr.Cosh: {"cosh"}, expr.Tanh: {"tanh"},
}

// Allows reports whether all operators of t are in p.Ops and its constants are finite. Whole powers
// up to the fourth count as products.
func (p *Problem) Allows(t expr.Tree) bool {
	nodes := t.Nodes()
	for i, n := range nodes {
		if n.Op.Arity() == 0 {
			if math.IsNaN(n.Value) || math.IsInf(n.Value, 0) {
				return false
			}
			continue
		}
		if p.Ops == nil || p.allowed(n.Op) {
			continue
		}
		if e := nodes[i-1]; n.Op == expr.Pow && e.Op == expr.Number && (e.Value == 2 || e.Value == 3 || e.Value == 4) && p.allowed(expr.Mul) {
			continue
		}
		return false
	}
	return true
}

// AllowsOp reports whether p.Ops allows the operator.
func (p *Problem) AllowsOp(op expr.Op) bool { return p.Ops == nil || p.allowed(op) }

func (p *Problem) allowed(op expr.Op) bool {
	for _, name := range spellings[op] {
		if slices.Contains(p.Ops, name) {
			return true
		}
	}
	return false
}
