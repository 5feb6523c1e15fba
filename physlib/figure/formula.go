package figure

import (
	"math"
	"slices"
	"strconv"

	"github.com/physlib/lab/physlib/expr"
)

// formula is a law as it is written on paper: what stands alongside, above and below what. [MathML]
// and [Text] draw it.
type formula struct {
	kind  kind
	text  string // of a number, name, operator or function
	parts []formula
}

type kind uint8

const (
	number   kind = iota // text
	name                 // text: a variable
	operator             // text: + − =
	row                  // parts next to each other
	product              // parts multiplied
	fraction             // parts[0] over parts[1]
	power                // parts[0] to the parts[1]
	root                 // √parts[0]
	call                 // text(parts[0])
	fence                // (parts[0])
	bars                 // |parts[0]|
)

// binding is how strongly a formula holds together; what binds less than its place asks for gets
// parentheses.
type binding uint8

const (
	loose  binding = iota // sums and signs
	factor                // products
	tight                 // powers, functions, names
)

// equation returns target = t.
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
	size  []int // nodes of the subtree that ends at each node
	vars  []string
}

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

// operands returns the indices of the roots of i's operands, left first.
func (a *arrangement) operands(i int) (left, right int) {
	if a.nodes[i].Op.Arity() < 2 {
		return i - 1, -1
	}
	return i - 1 - a.size[i-1], i - 1
}

// inside returns operand i, in parentheses where it binds less than need.
func (a *arrangement) inside(i int, need binding) formula {
	f, b := a.arrange(i)
	if b < need {
		return formula{kind: fence, parts: []formula{f}}
	}
	return f
}

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

// tall tells what would be too small to read as an exponent: fractions, roots and powers, but not
// 3/2.
func (f formula) tall() bool {
	if _, _, ok := plainFraction(f); ok {
		return false
	}
	return f.kind == fraction || f.kind == root || f.kind == power || slices.ContainsFunc(f.parts, formula.tall)
}

// plainFraction takes a fraction of two numbers apart.
func plainFraction(f formula) (over, under string, ok bool) {
	if f.kind != fraction || f.parts[0].kind != number || f.parts[1].kind != number {
		return "", "", false
	}
	return f.parts[0].text, f.parts[1].text, true
}

func raise(base, exponent formula) formula {
	if base.kind == power || base.kind == fraction || base.kind == call || base.kind == root {
		base = formula{kind: fence, parts: []formula{base}}
	}
	return formula{kind: power, parts: []formula{base, exponent}}
}

// arrangePow writes a**(1/2) as a root and a**-k as a fraction.
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

// constant returns the value of subtree i where it is a plain number, a quotient of numbers or the
// negative of one.
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

// arrangeSum writes a chain of + and −; a negative term is subtracted.
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

// unsigned returns term i of a sum without its sign.
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

// quotient is a product with its denominator and sign apart.
type quotient struct {
	negative   bool
	over, down []formula
}

// factors takes a chain of products, quotients and signs apart.
func (a *arrangement) factors(i int) quotient {
	var q quotient
	add := func(f formula, below bool) {
		if below {
			q.down = append(q.down, f)
		} else {
			q.over = append(q.over, f)
		}
	}
	var walk func(i int, below bool)
	walk = func(i int, below bool) {
		n := a.nodes[i]
		left, right := a.operands(i)
		switch n.Op {
		case expr.Mul:
			walk(left, below)
			walk(right, below)
			return
		case expr.Div:
			walk(left, below)
			walk(right, !below)
			return
		case expr.Inv:
			walk(left, !below)
			return
		case expr.Neg:
			q.negative = !q.negative
			walk(left, below)
			return
		case expr.Number:
			q.negative = q.negative != (n.Value < 0)
			if v := math.Abs(n.Value); v != 1 {
				f, b := arrangeNumber(v)
				if f.kind == fraction { // p/q: p above, q below
					if f.parts[0].text != "1" {
						add(f.parts[0], below)
					}
					add(f.parts[1], !below)
					return
				}
				if b < factor {
					f = formula{kind: fence, parts: []formula{f}}
				}
				add(f, below)
			}
			return
		case expr.Pow:
			if e, ok := a.constant(right); ok && e < 0 {
				base := a.inside(left, factor)
				switch e {
				case -1:
				case -0.5:
					inner, _ := a.arrange(left)
					base = formula{kind: root, parts: []formula{inner}}
				default:
					f, _ := arrangeNumber(-e)
					base = raise(a.inside(left, tight), f)
				}
				add(base, !below)
				return
			}
		}
		add(a.inside(i, factor), below)
	}
	walk(i, false)
	return q
}

// formula writes the quotient without its sign.
func (q quotient) formula() formula {
	over := multiply(q.over)
	if len(q.down) == 0 {
		return over
	}
	return formula{kind: fraction, parts: []formula{bare(over), bare(multiply(q.down))}}
}

// multiply puts numbers before names; no factor is 1.
func multiply(fs []formula) formula {
	switch len(fs) {
	case 0:
		return formula{kind: number, text: "1"}
	case 1:
		return fs[0]
	}
	fs = slices.Clone(fs)
	slices.SortStableFunc(fs, func(a, b formula) int { return rank(a) - rank(b) })
	return formula{kind: product, parts: fs}
}

// rank returns where a factor stands in a product: numbers, names, the rest.
func rank(f formula) int {
	if f.kind == power || f.kind == product {
		f = f.parts[0]
	}
	switch {
	case f.kind == number && f.text == "e":
		return 3
	case f.kind == number && f.text == "π":
		return 1
	case f.kind == number:
		return 0
	case f.kind == name:
		return 2
	}
	return 3
}

// bare takes needless parentheses off: a fraction's bar holds its parts together.
func bare(f formula) formula {
	if f.kind == fence {
		return f.parts[0]
	}
	return f
}

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

// arrangeNumber writes p/q where v is one with q ≤ 100, m×10ⁿ where v is far from one, and a plain
// decimal otherwise.
func arrangeNumber(v float64) (formula, binding) {
	if v < 0 {
		f, _ := arrangeNumber(-v)
		return formula{kind: row, parts: []formula{{kind: operator, text: "−"}, f}}, loose
	}
	if p, q, ok := asFraction(v); ok {
		return formula{kind: fraction, parts: []formula{
			{kind: number, text: strconv.Itoa(p)}, {kind: number, text: strconv.Itoa(q)}}}, factor
	}
	if v != 0 && (v < 1e-3 || v >= 1e6) && !math.IsInf(v, 0) {
		e := int(math.Floor(math.Log10(v)))
		m := strconv.FormatFloat(v, 'e', -1, 64)
		for k := range m {
			if m[k] == 'e' {
				e, _ = strconv.Atoi(m[k+1:])
				m = m[:k]
				break
			}
		}
		ten := formula{kind: power, parts: []formula{{kind: number, text: "10"}, {kind: number, text: signed(e)}}}
		if m == "1" {
			return ten, tight
		}
		return formula{kind: product, parts: []formula{{kind: number, text: m}, ten}}, factor
	}
	return formula{kind: number, text: strconv.FormatFloat(v, 'f', -1, 64)}, tight
}

// signed prints n with a real minus.
func signed(n int) string {
	if n < 0 {
		return "−" + strconv.Itoa(-n)
	}
	return strconv.Itoa(n)
}

// asFraction finds p/q equal to v with 2 ≤ q ≤ 100, unless v is a short decimal such as 365.25 and
// no multiple of 1/8.
func asFraction(v float64) (p, q int, ok bool) {
	short := len(strconv.FormatFloat(v, 'f', -1, 64)) < 12
	if v > 1000 || v == math.Trunc(v) || short && (v >= 10 || v*8 != math.Trunc(v*8)) {
		return 0, 0, false
	}
	for q = 2; q <= 100; q++ {
		if n := math.Round(v * float64(q)); n > 0 && n/float64(q) == v {
			return int(n), q, true
		}
	}
	return 0, 0, false
}
