package figure

import (
	"math"
	"strconv"

	"github.com/physlib/lab/physlib/expr"
)

// equation returns the layout of target = t.
func equation(target string, t expr.Tree, vars []string) formula {
	a := arrangement{nodes: t.Nodes(), vars: vars}
	if len(a.nodes) == 0 {
		return formula{kind: name, text: target}
	}
	a.measure()
	right, _ := a.arrange(len(a.nodes) - 1)
	return formula{kind: row, parts: []formula{{kind: name, text: target}, {kind: operator, text: "="}, right}}
}

// arrangement turns a postfix tree into a formula.
type arrangement struct {
	nodes []expr.Node
	size  []int // size[i] is the number of nodes in the subtree whose root is node i
	vars  []string
}

// measure computes size.
func (a *arrangement) measure() {
	a.size = make([]int, len(a.nodes))
	for i, n := range a.nodes {
		a.size[i] = 1
		for k, at := 0, i-1; k < n.Op.Arity(); k++ {
			a.size[i] += a.size[at]
			at -= a.size[at]
		}
	}
}

// operands returns the indices of the roots of the operands of i. right is -1 if there is only one
// operand.
func (a *arrangement) operands(i int) (left, right int) {
	if a.nodes[i].Op.Arity() < 2 {
		return i - 1, -1
	}
	return i - 1 - a.size[i-1], i - 1
}

// inside returns the layout of subtree i. It has parentheses if the subtree binds less strongly
// than the binding `need`.
func (a *arrangement) inside(i int, need binding) formula {
	f, b := a.arrange(i)
	if b < need {
		return formula{kind: fence, parts: []formula{f}}
	}
	return f
}

// arrange returns the layout of subtree i and how strongly it binds.
func (a *arrangement) arrange(i int) (formula, binding) {
	n := a.nodes[i]
	left, right := a.operands(i)
	switch n.Op {
	case expr.Number:
		return arrangeNumber(n.Value)
	case expr.Param:
		return formula{kind: name, text: "c_" + strconv.Itoa(int(n.Index))}, tight
	case expr.Var:
		if int(n.Index) < len(a.vars) {
			return formula{kind: name, text: a.vars[n.Index]}, tight
		}
		return formula{kind: name, text: "x_" + strconv.Itoa(int(n.Index))}, tight
	case expr.Pi:
		return formula{kind: number, text: "π"}, tight
	case expr.Euler:
		return formula{kind: number, text: "e"}, tight
	case expr.Abs:
		f, _ := a.arrange(left)
		return formula{kind: bars, parts: []formula{f}}, tight
	case expr.Sqrt:
		f, _ := a.arrange(left)
		return formula{kind: root, parts: []formula{f}}, tight
	case expr.Square:
		return raise(a.inside(left, tight), formula{kind: number, text: "2"}), tight
	case expr.Cube:
		return raise(a.inside(left, tight), formula{kind: number, text: "3"}), tight
	case expr.Exp:
		f, _ := a.arrange(left)
		if f.tall() {
			return formula{kind: call, text: "exp", parts: []formula{f}}, tight
		}
		return raise(formula{kind: number, text: "e"}, f), tight
	case expr.Pow:
		return a.arrangePow(i)
	case expr.Add, expr.Sub:
		return a.arrangeSum(i), loose
	case expr.Neg, expr.Mul, expr.Div, expr.Inv:
		return a.arrangeProduct(i)
	}
	f, _ := a.arrange(left)
	if right >= 0 {
		g, _ := a.arrange(right)
		f = formula{kind: row, parts: []formula{f, {kind: operator, text: ","}, g}}
	}
	return formula{kind: call, text: n.Op.Operator().Text, parts: []formula{f}}, tight
}

// arrangePow lays out a**(1/2) as a root and a**-k as a fraction.
func (a *arrangement) arrangePow(i int) (formula, binding) {
	base, exponent := a.operands(i)
	e, isNumber := a.constant(exponent)
	switch {
	case isNumber && e == 0.5:
		f, _ := a.arrange(base)
		return formula{kind: root, parts: []formula{f}}, tight
	case isNumber && e < 0:
		return a.arrangeProduct(i)
	case isNumber:
		f, _ := arrangeNumber(e)
		return raise(a.inside(base, tight), f), tight
	}
	f, _ := a.arrange(exponent)
	return raise(a.inside(base, tight), f), tight
}

// constant returns the value of subtree i if it consists of numbers, negations and quotients only.
func (a *arrangement) constant(i int) (float64, bool) {
	left, right := a.operands(i)
	switch a.nodes[i].Op {
	case expr.Number:
		return a.nodes[i].Value, true
	case expr.Neg:
		v, ok := a.constant(left)
		return -v, ok
	case expr.Div:
		p, ok := a.constant(left)
		q, ok2 := a.constant(right)
		return p / q, ok && ok2 && q != 0
	}
	return 0, false
}

// arrangeSum lays out a chain of + and −. A negative term is written with a minus sign in front.
func (a *arrangement) arrangeSum(i int) formula {
	var parts []formula
	var walk func(i int, negative bool)
	walk = func(i int, negative bool) {
		left, right := a.operands(i)
		switch a.nodes[i].Op {
		case expr.Add, expr.Sub:
			walk(left, negative)
			walk(right, negative != (a.nodes[i].Op == expr.Sub))
			return
		case expr.Neg:
			walk(left, !negative)
			return
		}
		f, minus := a.unsigned(i)
		if negative != minus {
			parts = append(parts, formula{kind: operator, text: "−"})
		} else if len(parts) > 0 {
			parts = append(parts, formula{kind: operator, text: "+"})
		}
		parts = append(parts, f)
	}
	walk(i, false)
	return formula{kind: row, parts: parts}
}

// unsigned returns term i of a sum without its sign, and whether the sign is negative.
func (a *arrangement) unsigned(i int) (f formula, negative bool) {
	switch a.nodes[i].Op {
	case expr.Number:
		f, _ = arrangeNumber(math.Abs(a.nodes[i].Value))
		return f, a.nodes[i].Value < 0
	case expr.Mul, expr.Div, expr.Inv:
		p := a.factors(i)
		return p.formula(), p.negative
	}
	f, _ = a.arrange(i)
	return f, false
}

// arrangeProduct lays out a chain of products, quotients and signs.
func (a *arrangement) arrangeProduct(i int) (formula, binding) {
	q := a.factors(i)
	f := q.formula()
	if q.negative {
		return formula{kind: row, parts: []formula{{kind: operator, text: "−"}, f}}, loose
	}
	if f.kind == product || f.kind == fraction {
		return f, factor
	}
	return f, tight
}

// quotient holds the factors of a product's numerator and denominator, and its sign.
type quotient struct {
	negative   bool
	over, down []formula // factors of the numerator and of the denominator
}

// factors splits a chain of products, quotients and signs into its factors.
func (a *arrangement) factors(i int) quotient {
	var q quotient
	a.collect(&q, i, false)
	return q
}

// collect adds the factors of subtree i to the numerator of q. If below is true, it adds them to
// the denominator.
func (a *arrangement) collect(q *quotient, i int, below bool) {
	n := a.nodes[i]
	left, right := a.operands(i)
	switch n.Op {
	case expr.Mul:
		a.collect(q, left, below)
		a.collect(q, right, below)
		return
	case expr.Div:
		a.collect(q, left, below)
		a.collect(q, right, !below)
		return
	case expr.Inv:
		a.collect(q, left, !below)
		return
	case expr.Neg:
		q.negative = !q.negative
		a.collect(q, left, below)
		return
	case expr.Number:
		q.negative = q.negative != (n.Value < 0)
		q.addNumber(math.Abs(n.Value), below)
		return
	case expr.Pow:
		if e, ok := a.constant(right); ok && e < 0 {
			q.add(a.raised(left, -e), !below)
			return
		}
	}
	q.add(a.inside(i, factor), below)
}

// raised returns the layout of subtree i to the power e > 0.
func (a *arrangement) raised(i int, e float64) formula {
	switch e {
	case 1:
		return a.inside(i, factor)
	case 0.5:
		inner, _ := a.arrange(i)
		return formula{kind: root, parts: []formula{inner}}
	}
	f, _ := arrangeNumber(e)
	return raise(a.inside(i, tight), f)
}

// add appends a factor to the numerator, or to the denominator if below is true.
func (q *quotient) add(f formula, below bool) {
	if below {
		q.down = append(q.down, f)
	} else {
		q.over = append(q.over, f)
	}
}

// addNumber appends the factor v, unless it is 1, to the numerator, or to the denominator if below
// is true. If v is a fraction p/q, it appends p in place of v, and q to the other of the two lists.
func (q *quotient) addNumber(v float64, below bool) {
	if v == 1 {
		return
	}
	f, b := arrangeNumber(v)
	if f.kind == fraction {
		if f.parts[0].text != "1" {
			q.add(f.parts[0], below)
		}
		q.add(f.parts[1], !below)
		return
	}
	if b < factor {
		f = formula{kind: fence, parts: []formula{f}}
	}
	q.add(f, below)
}

// formula returns the layout of the quotient without its sign.
func (q quotient) formula() formula {
	over := multiply(q.over)
	if len(q.down) == 0 {
		return over
	}
	return formula{kind: fraction, parts: []formula{bare(over), bare(multiply(q.down))}}
}
