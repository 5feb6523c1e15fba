package token

import (
	"fmt"
	"math"
	"strconv"

	"github.com/physlib/lab/physlib/expr"
)

// Decode returns the expression that ids encode. It skips PAD and a leading SOS, and ends at EOS.
// Free constants start at 1. An error names the index, counted from 0, and the token there.
func (v *Vocabulary) Decode(ids []int32) (expr.Tree, error) {
	body, at, err := v.body(ids)
	if err != nil {
		return expr.Tree{}, err
	}
	order, err := v.order(body, at)
	if err != nil {
		return expr.Tree{}, err
	}
	r := reader{v: v, nodes: make([]expr.Node, 0, len(body)+4)}
	for _, i := range order {
		r.read(v.words[body[i]])
	}
	t, ok := expr.FromNodes(r.nodes)
	if !ok {
		// Cannot happen.
		return expr.Tree{}, fmt.Errorf("token: %s: %d tokens are not an expression", v.name, len(ids))
	}
	return t, nil
}

// body returns the tokens of the expression in ids, and their indices.
func (v *Vocabulary) body(ids []int32) (body []int32, at []int, err error) {
	body = make([]int32, 0, len(ids))
	for i, id := range ids {
		switch {
		case id == v.eos && id != none:
			return body, at, nil
		case id == v.pad && id != none, id == v.sos && id != none && len(body) == 0:
			continue
		case id == v.mask && id != none:
			return nil, nil, fmt.Errorf("token: position %d is still masked", i)
		case v.Arity(id) < 0:
			return nil, nil, fmt.Errorf("token: position %d: %s is not part of an expression of %s", i, v.Token(id), v.name)
		}
		body, at = append(body, id), append(at, i)
	}
	return body, at, nil
}

// order returns an order of ids in which operands come before their operators. at holds the indices
// of ids for error messages.
func (v *Vocabulary) order(ids []int32, at []int) ([]int, error) {
	if len(ids) == 0 {
		return nil, fmt.Errorf("token: %s: no tokens", v.name)
	}
	if v.postfix {
		return v.heights(ids, at)
	}
	open := 1 // number of open slots for operands
	for i, id := range ids {
		if open == 0 {
			return nil, fmt.Errorf("token: position %d: %s follows the end of the expression", at[i], v.Token(id))
		}
		open += v.Arity(id) - 1
	}
	if open > 0 {
		return nil, fmt.Errorf("token: position %d: the expression is incomplete: missing operands: %d", at[len(at)-1]+1, open)
	}
	return v.postorder(ids), nil
}

// heights is order for postfix codes, which need no reordering.
func (v *Vocabulary) heights(ids []int32, at []int) ([]int, error) {
	order, height := make([]int, len(ids)), 0
	for i, id := range ids {
		a := v.Arity(id)
		if height < a {
			return nil, fmt.Errorf("token: position %d: %s takes %d operands and there are %d", at[i], v.Token(id), a, height)
		}
		height += 1 - a
		order[i] = i
	}
	if height != 1 {
		last := len(ids) - 1
		return nil, fmt.Errorf("token: position %d: after %s, %d operands have no operator", at[last], v.Token(ids[last]), height)
	}
	return order, nil
}

// postorder returns an order of ids in which operators come after their operands. ids must be one
// well-formed prefix expression.
func (v *Vocabulary) postorder(ids []int32) []int {
	order := make([]int, 0, len(ids))
	type open struct{ at, missing int }
	var stack []open
	for i, id := range ids {
		if a := v.Arity(id); a > 0 {
			stack = append(stack, open{i, a})
			continue
		}
		order = append(order, i)
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.missing--; top.missing > 0 {
				break
			}
			order = append(order, top.at)
			stack = stack[:len(stack)-1]
		}
	}
	return order
}

// reader builds a tree from tokens. In the order of the tokens, operands precede operators.
type reader struct {
	v     *Vocabulary
	nodes []expr.Node
	stack []literal // one for each operand on the stack
	slots int32     // number of free constants so far
}

// literal is the value m·10**e of an operand that is a number in decimal notation. known is false
// for other operands.
type literal struct {
	known  bool
	m      int64
	e      int
	places int // number of digits before the decimal point
}

func (l literal) value() float64 {
	x, _ := strconv.ParseFloat(fmt.Sprintf("%de%d", l.m, l.e), 64)
	return x
}

func (r *reader) read(w word) {
	switch w.role {
	case operator:
		r.operator(w.op)
	case variable:
		r.leaf(expr.Node{Op: expr.Var, Index: int32(w.index)})
	case constant:
		slot := int32(w.index)
		if r.v.fresh {
			slot = r.slots
			r.slots++
		}
		r.leaf(expr.Node{Op: expr.Param, Index: slot, Value: 1})
	case number:
		r.leaf(expr.Node{Op: expr.Number, Value: w.value})
		if w.value == math.Trunc(w.value) {
			r.stack[len(r.stack)-1] = literal{known: true, m: int64(w.value), places: 1}
		}
	case hundredth:
		r.hundredth()
	default:
		r.digit(w)
	}
}

func (r *reader) leaf(n expr.Node) {
	r.nodes = append(r.nodes, n)
	r.stack = append(r.stack, literal{places: 1})
}

// operator applies op to the last operands. The negative of a number and the quotient of integers
// become numbers, as in expr.Parse. So do products and quotients of a number with a power of ten,
// correctly rounded.
func (r *reader) operator(op expr.Op) {
	switch op.Arity() {
	case 0:
		r.leaf(expr.Node{Op: op})
	case 1:
		if x := &r.nodes[len(r.nodes)-1]; op == expr.Neg && x.Op == expr.Number {
			x.Value *= -1
		} else {
			r.nodes = append(r.nodes, expr.Node{Op: op})
		}
		r.stack[len(r.stack)-1] = literal{places: 1}
	case 2:
		r.binary(op)
	}
}

func (r *reader) binary(op expr.Op) {
	n, top := len(r.nodes), len(r.stack)-2
	a, b := r.stack[top], r.stack[top+1]
	r.stack = r.stack[:top+1]
	r.stack[top] = literal{places: 1}
	if a.known && b.known {
		if l, ok := r.decimals(op, a, b); ok {
			r.stack[top] = l
			r.nodes = r.nodes[:n-1]
			r.nodes[n-2].Value = l.value()
			return
		}
	}
	if x, y := r.nodes[n-2], r.nodes[n-1]; op == expr.Div && isWhole(x) && isWhole(y) && y.Value != 0 {
		r.nodes = r.nodes[:n-1]
		r.nodes[n-2].Value = x.Value / y.Value
		return
	}
	r.nodes = append(r.nodes, expr.Node{Op: op})
}

// decimals applies op to two literals: a power 10**b, or a product or quotient with a power of ten.
// For vocabularies that compose numbers from smaller ones, it also returns products and sums. ok is
// false for other operations.
func (r *reader) decimals(op expr.Op, a, b literal) (l literal, ok bool) {
	l = literal{known: true, places: 1}
	switch {
	case op == expr.Pow && a.m == 10 && a.e == 0 && b.e == 0 && max(b.m, -b.m) <= 400:
		l.m, l.e = 1, int(b.m)
	case op == expr.Mul && b.m == 1 && b.e != 0:
		l.m, l.e = a.m, a.e+b.e
	case op == expr.Div && b.m == 1 && b.e != 0:
		l.m, l.e = a.m, a.e-b.e
	case op == expr.Mul && r.v.hundredth != none && b.m != 0 && max(a.m, -a.m) < 1e18/max(b.m, -b.m):
		l.m, l.e = a.m*b.m, a.e+b.e
	case op == expr.Add && r.v.hundredth != none:
		return sum(a, b)
	default:
		return literal{}, false
	}
	return l, true
}

// isWhole reports whether n is an integer that may occur in a fraction, see fraction.
func isWhole(n expr.Node) bool {
	return n.Op == expr.Number && n.Value == math.Trunc(n.Value) && math.Abs(n.Value) <= maxFraction
}

// digit applies a digit, a decimal point, a sign or a power of ten to the operand after it.
func (r *reader) digit(w word) {
	l := &r.stack[len(r.stack)-1]
	switch w.role {
	case digit:
		add := literal{true, int64(w.index), l.places, 0}
		if !r.fold(func(l literal) (literal, bool) { return sum(add, l) }) && w.index > 0 {
			r.apply(expr.Add, add.value())
		}
		l.places++
	case point:
		shift := l.places
		if !r.scale(-shift) {
			r.apply(expr.Div, math.Pow10(shift))
		}
		l.places = 0
	case minus:
		if !r.fold(func(l literal) (literal, bool) { l.m = -l.m; return l, true }) {
			r.nodes = append(r.nodes, expr.Node{Op: expr.Neg})
		}
		l.places = 1
	case tens:
		if !r.scale(w.index) {
			r.apply(expr.Mul, math.Pow10(w.index))
		}
		l.places = 1
	}
}

// fold replaces the last operand x by f(x). It returns false if x is not a literal or f fails; x
// then does not count as a literal.
func (r *reader) fold(f func(literal) (literal, bool)) bool {
	l := &r.stack[len(r.stack)-1]
	if !l.known {
		return false
	}
	folded, ok := f(*l)
	if ok {
		folded.places = l.places
		*l = folded
		r.nodes[len(r.nodes)-1].Value = l.value()
	}
	l.known = ok
	return ok
}

func (r *reader) scale(e int) bool {
	return r.fold(func(l literal) (literal, bool) { l.e += e; return l, true })
}

// apply replaces the last operand u by the expression u op x, for a number x.
func (r *reader) apply(op expr.Op, x float64) {
	r.nodes = append(r.nodes, expr.Node{Op: expr.Number, Value: x}, expr.Node{Op: op})
}

// hundredth replaces the last two operands a, b by a + b/100.
func (r *reader) hundredth() {
	top := len(r.stack) - 1
	a, b := r.stack[top-1], r.stack[top]
	r.stack = r.stack[:top]
	if a.known && b.known {
		b.e -= 2
		if both, ok := sum(a, b); ok {
			r.nodes = r.nodes[:len(r.nodes)-1]
			r.nodes[len(r.nodes)-1].Value = both.value()
			r.stack[top-1] = both
			return
		}
	}
	r.apply(expr.Div, 100)
	r.nodes = append(r.nodes, expr.Node{Op: expr.Add})
	r.stack[top-1] = literal{places: 1}
}

// sum returns a + b. ok is false if this has more than 18 digits.
func sum(a, b literal) (literal, bool) {
	if a.e < b.e {
		a, b = b, a
	}
	for ; a.e > b.e && a.m != 0; a.e-- {
		if a.m *= 10; max(a.m, -a.m) > 1e17 {
			return literal{}, false
		}
	}
	s := literal{true, a.m + b.m, b.e, 1}
	for s.e < 0 && s.m%10 == 0 { // an integer written with decimals, such as 17.0
		s.m, s.e = s.m/10, s.e+1
	}
	return s, max(s.m, -s.m) < 1e18
}
