package stream

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/physlib/lab/physlib/expr"
)

// Skeleton returns the normal form of a law, which is the target of the proposer. Laws that differ
// only in notation, in their constants or in an overall factor have the same skeleton. t equals
// scale·skel if the free constants of skel have their starting values. Each free constant has its
// own slot, in postfix order. Free constants of t count as different from any number and from each
// other.
//
// ok is false if t has no such form. That is so for constants, absolute values, rare functions, and
// powers other than multiples of 1/4.
//
// The form has the operators add sub mul div neg inv square cube sqrt and functions, the number 1,
// and free constants:
//
//   - The overall factor and sign are dropped. A factor ±1 has no constant; every other number is a
//     free constant.
//   - Products are div(num, den) or inv(den), nested to the right. They have at most one constant,
//     in num. Powers are square, cube and sqrt. All roots of a product are under one sqrt, and
//     squares of all factors are written as the square of the product.
//   - Sums are sub(positive, negative), nested to the right. Factors that all terms share are taken
//     out, in the shortest of the possible ways. Coefficients that are equal become 1.
//   - Operands are sorted: shorter ones first, then by the codes of their nodes.
//   - eᵃeᵇ = eᵃ⁺ᵇ, eᵃ ± e⁻ᵃ is cosh or sinh, sin/cos is tan, log(c·x) = c' + log x, constants in an
//     exponent are factors, and the signs of odd and even functions are taken out. Nothing is
//     expanded.
//
// √(x²) counts as x.
func Skeleton(t expr.Tree) (skel expr.Tree, scale float64, ok bool) {
	scale = 1
	w := writers.Get().(*writer)
	defer writers.Put(w)
	for range 5 {
		next, by, ok := w.normalize(t.Nodes())
		scale *= by
		if !ok || math.IsNaN(scale) || math.IsInf(scale, 0) {
			return expr.Tree{}, 0, false
		}
		if sameNodes(next, t.Nodes()) {
			return numbered(next), scale, true
		}
		t = numbered(next)
	}
	return expr.Tree{}, 0, false
}

// numbered returns the tree of a copy of nodes, in which each constant has its own slot.
func numbered(nodes []expr.Node) expr.Tree {
	nodes = slices.Clone(nodes)
	slot := int32(0)
	for i := range nodes {
		if nodes[i].Op == expr.Param {
			nodes[i].Index = slot
			slot++
		}
	}
	t, _ := expr.FromNodes(nodes)
	return t
}

// A writer is an algebra with its emitter. Both are reused from law to law.
type writer struct {
	algebra
	emitter
}

var writers = sync.Pool{New: func() any { return new(writer) }}

// normalize converts nodes to a form and back once. out is valid until the next call.
func (w *writer) normalize(nodes []expr.Node) (out []expr.Node, scale float64, ok bool) {
	a := &w.algebra
	a.reset()
	a.symbols = 1 << 16 // new symbols are numbered above the slots in nodes
	p := a.read(nodes)
	if a.bad || p.isConstant() {
		return nil, 0, false
	}
	w.emitter.reset()
	w.emitter.a = a
	out, scale = w.tree(p)
	return out, scale, !a.bad && scale != 0
}

// read returns the form of a tree. It adds all terms of nested sums at the same time. Otherwise
// factors shared by only some of the terms would be taken out.
func (a *algebra) read(nodes []expr.Node) form {
	var buffer [24][]form // the addends of each operand
	stack := buffer[:0]
	for _, n := range nodes {
		k := len(stack)
		switch n.Op {
		case expr.Add:
			stack[k-2] = append(stack[k-2], stack[k-1]...)
			stack = stack[:k-1]
			continue
		case expr.Sub:
			for _, p := range stack[k-1] {
				stack[k-2] = append(stack[k-2], a.times(constant(number(-1)), p))
			}
			stack = stack[:k-1]
			continue
		}
		switch n.Op.Arity() {
		case 0:
			stack = append(stack, append(a.forms.take(4)[:0], a.leaf(n)))
		case 1:
			stack[k-1] = append(stack[k-1][:0], a.unary(n.Op, a.sum(stack[k-1])))
		case 2:
			p, q := a.sum(stack[k-2]), a.sum(stack[k-1])
			stack[k-2] = append(stack[k-2][:0], a.binary(n.Op, p, q))
			stack = stack[:k-1]
		}
		if a.bad {
			return constant(one)
		}
	}
	if len(stack) != 1 {
		return a.fail()
	}
	return a.sum(stack[0])
}

func (a *algebra) sum(ps []form) form {
	if len(ps) == 1 {
		return ps[0]
	}
	return a.plus(ps...)
}

func (a *algebra) leaf(n expr.Node) form {
	switch n.Op {
	case expr.Var:
		return a.variable(n.Index)
	case expr.Param:
		v := n.Value
		if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			v = 1
		}
		return constant(coef{v, n.Index + 1, quarters})
	case expr.Pi:
		return constant(number(math.Pi))
	case expr.Euler:
		return constant(number(math.E))
	}
	if math.IsNaN(n.Value) || math.IsInf(n.Value, 0) {
		return a.fail()
	}
	return constant(number(n.Value))
}

func (a *algebra) unary(op expr.Op, p form) form {
	switch op {
	case expr.Neg:
		return a.times(constant(number(-1)), p)
	case expr.Inv:
		return a.power(p, -quarters)
	case expr.Sqrt:
		return a.power(p, quarters/2)
	case expr.Square:
		return a.power(p, 2*quarters)
	case expr.Cube:
		return a.power(p, 3*quarters)
	}
	if op == expr.Abs || op.Operator().Rare {
		return a.fail()
	}
	return a.call(op, p)
}

func (a *algebra) binary(op expr.Op, p, q form) form {
	switch op {
	case expr.Add:
		return a.plus(p, q)
	case expr.Sub:
		return a.plus(p, a.times(constant(number(-1)), q))
	case expr.Mul:
		return a.times(p, q)
	case expr.Div:
		return a.times(p, a.power(q, -quarters))
	}
	if op != expr.Pow {
		return a.fail()
	}
	if n := q.c.v * quarters; q.isConstant() && q.c.sym == 0 && n == math.Round(n) && math.Abs(n) <= maxPower {
		if n == 0 {
			return constant(one)
		}
		return a.power(p, int8(n))
	}
	if p.isConstant() && p.c.v <= 0 {
		return a.fail()
	}
	return a.call(expr.Exp, a.times(q, a.call(expr.Log, p)))
}

// Form returns a key that is the same for skeletons that differ only in the values of their
// constants.
func Form(skel expr.Tree) string {
	var key []byte
	for _, n := range skel.Nodes() {
		key = append(key, byte(n.Op))
		switch n.Op {
		case expr.Var:
			key = append(key, byte(n.Index))
		case expr.Number:
			key = fmt.Appendf(key, "%v", n.Value)
		}
	}
	return string(key)
}
