package token

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// Encode returns the tokens of t without SOS and EOS. Nodes without a token are rewritten in the
// shortest way. These are powers with simple exponents (x² is sq x_0 or pow x_0 int_2), 1/x, -x and
// numbers. Free constants are numbered by first appearance. Their start values are lost.
//
// If the vocabulary cannot express a part of t, the error names the part and what to try instead.
func (v *Vocabulary) Encode(t expr.Tree) ([]int32, error) {
	nodes := t.Nodes()
	if len(nodes) == 0 {
		return nil, errors.New("token: the empty tree has no code")
	}
	w := writer{v: v, nodes: nodes, first: firsts(nodes), out: make([]int32, 0, len(nodes)+8)}
	w.write(len(nodes) - 1)
	if w.err != nil {
		return nil, w.err
	}
	if !v.postfix {
		return w.out, nil
	}
	ids := make([]int32, len(w.out))
	for k, i := range v.postorder(w.out) {
		ids[k] = w.out[i]
	}
	return ids, nil
}

// writer encodes a tree with operators before their operands.
type writer struct {
	v     *Vocabulary
	nodes []expr.Node
	first []int32 // index of the first node of the subtree of each node
	out   []int32
	slots []int32 // slots of the free constants so far
	err   error
}

// firsts returns, for each node of a tree, the index of the first node of its subtree.
func firsts(nodes []expr.Node) []int32 {
	first := make([]int32, len(nodes))
	for i, n := range nodes {
		first[i] = int32(i)
		for range n.Op.Arity() {
			first[i] = first[first[i]-1]
		}
	}
	return first
}

// write appends the code of the subtree of node i.
func (w *writer) write(i int) {
	if w.err != nil {
		return
	}
	n := w.nodes[i]
	switch n.Op {
	case expr.Number:
		w.number(i, n.Value)
		return
	case expr.Param:
		w.param(i)
		return
	case expr.Var:
		if id := w.v.Var(int(n.Index)); id != none {
			w.out = append(w.out, id)
		} else {
			w.fail(i, fmt.Sprintf("it has tokens for %d columns", len(w.v.vars)), "leave out columns that the law does not depend on")
		}
		return
	case expr.Pow:
		if e := w.nodes[i-1]; e.Op == expr.Number {
			w.power(i, int(w.first[i-1])-1, e.Value)
			return
		}
	case expr.Neg:
		if a := w.nodes[i-1]; a.Op == expr.Number {
			w.number(i, -a.Value)
			return
		}
	}
	if id, ok := w.v.ops[n.Op]; ok {
		w.out = append(w.out, id)
		w.operands(i)
		return
	}
	w.rewrite(i)
}

// operands appends the codes of the operands of node i.
func (w *writer) operands(i int) {
	switch w.nodes[i].Op.Arity() {
	case 1:
		w.write(i - 1)
	case 2:
		w.write(int(w.first[i-1]) - 1)
		w.write(i - 1)
	}
}

// rewrite appends the code of node i, which has no token.
func (w *writer) rewrite(i int) {
	switch w.nodes[i].Op {
	case expr.Square:
		w.power(i, i-1, 2)
	case expr.Cube:
		w.power(i, i-1, 3)
	case expr.Inv:
		w.number(i, 1, expr.Div)
		w.write(i - 1)
	case expr.Neg:
		w.number(i, -1, expr.Mul)
		w.write(i - 1)
	default:
		op := w.nodes[i].Op
		try := instead[op]
		switch {
		case op.Operator().Rare:
			try = "a search without the neural network, since no vocabulary has it"
		case try == "":
			try = "the vocabulary " + Small().name
		}
		w.fail(i, "it has no token for "+op.String(), try)
	}
}

// instead holds, for error messages, replacements for functions that some vocabularies lack.
var instead = map[expr.Op]string{
	expr.Tan: "sin(u)/cos(u)", expr.Sinh: "(exp(u) - exp(-u))/2", expr.Cosh: "(exp(u) + exp(-u))/2", expr.Tanh: "1 - 2/(exp(2*u) + 1)",
}

// power appends the code of the power of node base to e. It uses squares, cubes, roots and
// reciprocals if that is not longer than a code with pow. Powers of numbers use pow, because a
// canonical form does not recognize √√(1/16) as (1/16)**(1/4). i is the node of the power itself.
func (w *writer) power(i, base int, e float64) {
	pow, hasPow := w.v.ops[expr.Pow]
	exponent := w.v.number(e)
	chain, ok := w.v.chain(e)
	switch {
	case ok && (exponent == nil || !hasPow || len(chain) <= 1+len(exponent) && w.variable(base)):
		w.out = append(w.out, chain...)
		w.write(base)
	case exponent != nil && hasPow:
		w.out = append(w.out, pow)
		w.write(base)
		w.out = append(w.out, exponent...)
	default:
		w.fail(i, fmt.Sprintf("it cannot write the exponent %v", e), "a free constant for it")
	}
}

// variable reports whether the subtree of node i has a variable or a free constant.
func (w *writer) variable(i int) bool {
	return slices.ContainsFunc(w.nodes[w.first[i]:i+1], func(n expr.Node) bool { return n.Op == expr.Var || n.Op == expr.Param })
}

// chain returns the power e as a chain of functions, such as inv cube sqrt for -3/2. ok is false if
// there is no such chain or the vocabulary lacks a function.
func (v *Vocabulary) chain(e float64) (chain []int32, ok bool) {
	ok = true
	apply := func(op expr.Op) {
		id, has := v.ops[op]
		chain, ok = append(chain, id), ok && has
	}
	if e == 0 || e == 1 || math.Abs(e) > 81 {
		return nil, false
	}
	if e < 0 {
		apply(expr.Inv)
		e = -e
	}
	roots := 0
	for ; e != math.Trunc(e); roots++ {
		e *= 2
		if roots == 3 {
			return nil, false
		}
	}
	n := int(e)
	for ; n%2 == 0; n /= 2 {
		apply(expr.Square)
	}
	for ; n%3 == 0; n /= 3 {
		apply(expr.Cube)
	}
	for range roots {
		apply(expr.Sqrt)
	}
	return chain, ok && n == 1
}

// param appends the code of the free constant at node i.
func (w *writer) param(i int) {
	slot := w.nodes[i].Index
	k := slices.Index(w.slots, slot)
	switch {
	case len(w.v.params) == 0:
		w.fail(i, "it has no free constants", "Bind")
		return
	case w.v.fresh && k >= 0:
		w.fail(i, "each of its free constants stands in one place, and this one in two", "expr.Tree.UnshareParams")
		return
	case w.v.fresh:
		k = 0
	case k < 0:
		k = len(w.slots)
	}
	if k >= len(w.v.params) {
		w.fail(i, fmt.Sprintf("it has tokens for %d free constants", len(w.v.params)), "AbsorbParams")
		return
	}
	w.slots = append(w.slots, slot)
	w.out = append(w.out, w.v.params[k])
}

// number appends the code of the number x, preceded by the operators in before. Errors refer to
// node i.
func (w *writer) number(i int, x float64, before ...expr.Op) {
	for _, op := range before {
		w.out = append(w.out, w.v.ops[op])
	}
	ids := w.v.number(x)
	switch {
	case ids != nil:
		w.out = append(w.out, ids...)
	case math.IsNaN(x) || math.IsInf(x, 0):
		w.fail(i, fmt.Sprintf("%v is not a number", x), "a finite one")
	default:
		w.fail(i, fmt.Sprintf("it has no tokens for the number %v", x), "a free constant for it")
	}
}

// fail records the first error: node i cannot be encoded. why is the reason, and try what to do
// instead.
func (w *writer) fail(i int, why, try string) {
	if w.err != nil {
		return
	}
	part, _ := expr.FromNodes(slices.Clone(w.nodes[w.first[i] : i+1]))
	text := part.Infix(nil)
	if len(text) > 60 {
		text = text[:57] + "…"
	}
	w.err = fmt.Errorf("token: %s cannot write %s: %s; try %s", w.v.name, text, why, try)
}
