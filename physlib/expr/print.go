package expr

import (
	"slices"
	"strings"
)

// Levels of how tightly a printed expression binds. An operand gets parentheses if its level is
// lower than its position requires.
const (
	levelAdd = iota + 1
	levelMul
	levelNeg
	levelPow
	levelAtom
)

// sizes returns, for each node, the number of nodes of the subtree that ends there.
func (t Tree) sizes() []int32 {
	sizes := make([]int32, len(t.nodes))
	for i, n := range t.nodes {
		sizes[i] = 1
		for k, child := n.Op.Arity(), i-1; k > 0; k-- {
			sizes[i] += sizes[child]
			child -= int(sizes[child])
		}
	}
	return sizes
}

// String returns t.Infix(nil), with columns x0, x1, ….
func (t Tree) String() string { return t.Infix(nil) }

// Infix writes t with as few parentheses as possible, as in c0*x**2/(y + 1). Parse with the same
// vars reads back the same tree, except that it folds Neg and Div of whole numbers into one number.
// Numbers are printed with the fewest digits that read back as the same value. A short fraction p/q
// is printed as such if it is no longer than the decimal number.
func (t Tree) Infix(vars []string) string { return t.infix(vars, notation{}) }

// Format returns Infix with numbers rounded to the given number of significant digits, for people
// to read: 6.283*sqrt(l/g). If digits is 0, it returns Infix.
func (t Tree) Format(vars []string, digits int) string {
	return t.infix(vars, notation{digits: digits})
}

// Decimals returns Infix with short decimals in place of fractions: 1.8*x for 9/5*x, but 1/3*x.
func (t Tree) Decimals(vars []string) string { return t.infix(vars, notation{decimals: true}) }

// infixWriter writes infix notation for Infix, SymPy and Go, which write names and numbers
// differently.
type infixWriter struct {
	strings.Builder
	nodes []Node
	sizes []int32
	leaf  func(n Node) (text string, level int)
	// Returns the text of a function call; nil: the operator's name followed by its operands in
	// parentheses.
	call func(op Op, args ...string) string
	// Writes node i and returns true, or returns false for the usual form; may be nil.
	other func(w *infixWriter, i, level int) bool
}

func (t Tree) infix(vars []string, number notation) string {
	if len(t.nodes) == 0 {
		return ""
	}
	prefix := paramPrefix(vars)
	w := infixWriter{nodes: t.nodes, sizes: t.sizes()}
	w.leaf = func(n Node) (string, int) {
		switch n.Op {
		case Number:
			return number.number(n.Value)
		case Var:
			return varName(vars, int(n.Index)), levelAtom
		case Param:
			return prefix + itoa(n.Index), levelAtom
		case Pi:
			return constantName(vars, "acos(-1)", "pi", "π"), levelAtom
		}
		return constantName(vars, "exp(1)", "e", "E"), levelAtom
	}
	w.write(len(t.nodes)-1, 0)
	return w.String()
}

// constantName returns the first of names that is not the name of a column. If all are names of
// columns, it returns the text `otherwise`.
func constantName(vars []string, otherwise string, names ...string) string {
	for _, n := range names {
		if !slices.Contains(vars, n) {
			return n
		}
	}
	return otherwise
}

// write writes the subtree that ends at node i, in parentheses if it binds less tightly than level.
func (w *infixWriter) write(i, level int) {
	n := w.nodes[i]
	text, own := "", operators[n.Op].level
	switch {
	case n.Op.Arity() == 0:
		text, own = w.leaf(n)
	case own == 0: // a function
		own = levelAtom
	}
	if w.other != nil && w.other(w, i, level) {
		return
	}
	if own < level {
		w.WriteByte('(')
		defer w.WriteByte(')')
	}
	right, left := i-1, 0
	if n.Op.Arity() == 2 {
		left = right - int(w.sizes[right])
	}
	switch n.Op {
	case Add, Sub:
		w.infix(left, right, levelAdd, levelMul, map[Op]string{Add: " + ", Sub: " - "}[n.Op])
	case Mul, Div:
		w.infix(left, right, levelMul, levelNeg, map[Op]string{Mul: "*", Div: "/"}[n.Op])
	case Pow:
		w.infix(left, right, levelAtom, levelNeg, "**")
	case Neg:
		w.WriteByte('-')
		w.write(right, levelPow)
	default:
		if n.Op.Arity() == 0 {
			w.WriteString(text)
			return
		}
		w.function(n.Op, left, right)
	}
}

// function writes a call of op with the operand right, or the operands left and right.
func (w *infixWriter) function(op Op, left, right int) {
	if w.call != nil {
		args := []string{w.apart(right)}
		if op.Arity() == 2 {
			args = []string{w.apart(left), args[0]}
		}
		w.WriteString(w.call(op, args...))
		return
	}
	w.WriteString(op.String())
	w.WriteByte('(')
	if op.Arity() == 2 {
		w.write(left, 0)
		w.WriteString(", ")
	}
	w.write(right, 0)
	w.WriteByte(')')
}

// apart returns the text of the subtree that ends at node i, but does not write it.
func (w *infixWriter) apart(i int) string {
	part := *w
	part.Builder = strings.Builder{}
	part.write(i, 0)
	return part.String()
}

func (w *infixWriter) infix(left, right, leftLevel, rightLevel int, sign string) {
	w.write(left, leftLevel)
	w.WriteString(sign)
	w.write(right, rightLevel)
}

// Prefix writes t in Polish notation, with tokens separated by spaces: mul x0 pow x1 2.
func (t Tree) Prefix(vars []string) string {
	sizes := t.sizes()
	tokens := make([]string, 0, len(t.nodes))
	var visit func(i int)
	visit = func(i int) {
		n := t.nodes[i]
		tokens = append(tokens, polish(n, vars))
		switch n.Op.Arity() {
		case 1:
			visit(i - 1)
		case 2:
			visit(i - 1 - int(sizes[i-1]))
			visit(i - 1)
		}
	}
	if len(t.nodes) > 0 {
		visit(len(t.nodes) - 1)
	}
	return strings.Join(tokens, " ")
}

// RPN writes t in reverse Polish notation, with tokens separated by spaces: x0 x1 2 pow mul.
func (t Tree) RPN(vars []string) string {
	tokens := make([]string, len(t.nodes))
	for i, n := range t.nodes {
		tokens[i] = polish(n, vars)
	}
	return strings.Join(tokens, " ")
}

func polish(n Node, vars []string) string {
	if n.Op.Arity() > 0 {
		return n.Op.String()
	}
	return Tree{[]Node{n}}.Infix(vars)
}
