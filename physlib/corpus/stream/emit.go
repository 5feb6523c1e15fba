package stream

import (
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// An emitter converts forms to trees. It writes a quotient in the shortest of several ways. For
// example, it writes (r2-r1)/(r1*r2) as 1/r1 - 1/r2, and √(c²-v²)/c as √(1-(v/c)²).
type emitter struct {
	a     *algebra
	bases []written
	nodes arena[expr.Node]
	lists arena[[]expr.Node]
}

// written is a base that has already been converted to nodes.
type written struct {
	hash  uint64
	nodes []expr.Node
}

// reset prepares e for another law. Nodes of earlier laws become invalid.
func (e *emitter) reset() {
	e.bases = e.bases[:0]
	e.nodes.reset()
	e.lists.reset()
}

// then returns the nodes n with op appended.
func (e *emitter) then(n []expr.Node, op expr.Op) []expr.Node {
	return append(e.nodes.copy(n, 1), expr.Node{Op: op})
}

// leaf returns the single node n as a slice.
func (e *emitter) leaf(n expr.Node) []expr.Node {
	s := e.nodes.take(1)
	s[0] = n
	return s
}

// pair returns the nodes a, then b, then op.
func (e *emitter) pair(a, b []expr.Node, op expr.Op) []expr.Node {
	return append(append(e.nodes.copy(a, len(b)+1), b...), expr.Node{Op: op})
}

// tree returns the nodes of p without its constant factor, and that factor.
func (e *emitter) tree(p form) (nodes []expr.Node, scale float64) {
	scale = p.c.v
	f := e.a.factors.copy(p.f, 0)
	if s := p.loneSum(); s != nil {
		var content coef
		content, f[0].base = e.a.primitive(s, false)
		scale *= content.v
	}
	return e.shortest(one, f), scale
}

// signed returns the nodes of the absolute value of c·∏f. neg reports whether the product has a
// minus sign. A free constant in front absorbs any sign.
func (e *emitter) signed(c coef, f []factor) (nodes []expr.Node, neg bool) {
	if len(f) == 0 {
		if c.isUnit() {
			return e.leaf(expr.Node{Op: expr.Number, Value: 1}), c.v < 0
		}
		return e.leaf(expr.Node{Op: expr.Param, Value: c.v}), false
	}
	if !c.isUnit() {
		if i, s, ok := e.a.distribute(c, f); ok {
			f = e.a.factors.copy(f, 0)
			f[i].base, c = s, one
		}
	}
	if c.isUnit() {
		neg, c = c.v < 0, one
		if i := flexible(f); i >= 0 && neg {
			f = e.a.factors.copy(f, 0)
			f[i].base, _ = e.a.flipped(f[i].base)
			neg = false
		}
	}
	return e.shortest(c, f), neg
}

// whole returns the nodes of p with its sign.
func (e *emitter) whole(p form) []expr.Node {
	c, f := p.c, p.f
	if s := p.loneSum(); s != nil && !e.a.hasUnit(p) {
		content, rest := e.a.primitive(s, false)
		c, f = content, e.a.single(rest, quarters)
	}
	if c.isNumber(-1) {
		if i := difference(f); i >= 0 { // b-a is shorter than -(a-b)
			f = e.a.factors.copy(f, 0)
			c, f[i].base = one, e.a.scaleSum(number(-1), f[i].base)
		}
	}
	nodes, neg := e.signed(c, f)
	if neg {
		if len(f) == 1 && f[0].base.op == expr.Add && f[0].pow == quarters {
			return e.base(e.a.scaleSum(number(-1), f[0].base))
		}
		return e.then(nodes, expr.Neg)
	}
	return nodes
}

// shortest returns the shortest form of c·∏f. If several are equally short, it returns the first.
func (e *emitter) shortest(c coef, f []factor) []expr.Node {
	best := e.product(c, f)
	if len(f) < 2 {
		return best
	}
	for i, x := range f {
		if x.base.op != expr.Add {
			continue
		}
		try := func(d []factor) {
			bad := e.a.bad
			if g, ok := e.moved(f, i, d); ok && !e.a.bad {
				if n := e.product(c, g); len(n) < len(best) && !e.a.bad {
					best = n
				}
			}
			e.a.bad = bad // an alternative without a form is skipped, and the law stays valid
		}
		// First move all other factors that occur in the sum into the sum, then each of them alone.
		d := e.a.factors.take(len(f))[:0]
		for j, y := range f {
			if j == i || !occurs(x.base, y.base) || int(y.pow)*quarters%int(x.pow) != 0 {
				continue
			}
			d = append(d, factor{y.base, int8(-int(y.pow) * quarters / int(x.pow))})
		}
		if len(d) == 0 {
			continue
		}
		try(d)
		if len(d) > 1 {
			for k := range d {
				try(d[k : k+1])
			}
		}
		for _, t := range x.base.sum {
			for _, y := range d {
				if slices.ContainsFunc(t.f, func(z factor) bool { return z.base.hash == y.base.hash }) {
					try(t.f)
					break
				}
			}
		}
	}
	return best
}

func occurs(s, b *base) bool {
	for _, t := range s.sum {
		if slices.ContainsFunc(t.f, func(x factor) bool { return x.base.hash == b.hash }) {
			return true
		}
	}
	return false
}

// moved returns f with its i-th factor, a sum, divided by d. The other factors are multiplied by d
// to the power of that factor, so that the product stays the same. ok is false if there is no such
// form.
func (e *emitter) moved(f []factor, i int, d []factor) ([]factor, bool) {
	s, pow := f[i].base, int(f[i].pow)
	inverse := e.a.factors.take(len(d))
	outside := slices.Delete(e.a.factors.copy(f, len(d)), i, i+1)
	for k, x := range d {
		inverse[k] = factor{x.base, -x.pow}
		n := int(x.pow) * pow
		if n%quarters != 0 || n/quarters > maxPower || n/quarters < -maxPower {
			return nil, false
		}
		outside = append(outside, factor{x.base, int8(n / quarters)})
	}
	terms := e.a.addends.take(len(s.sum))
	for k, t := range s.sum {
		p := e.a.collect(t.c, append(e.a.factors.copy(t.f, len(inverse)), inverse...))
		if p.loneSum() != nil {
			return nil, false
		}
		terms[k] = addend(p)
	}
	rest := e.a.collect(one, outside)
	if !rest.c.isNumber(1) || rest.loneSum() != nil && len(rest.f[0].base.sum) == 0 {
		return nil, false
	}
	return append(e.a.factors.copy(rest.f, 1), factor{e.a.make(base{op: expr.Add, sum: terms}), int8(pow)}), true
}

// base returns the nodes of b.
func (e *emitter) base(b *base) []expr.Node {
	if b.op == expr.Var {
		return e.leaf(expr.Node{Op: expr.Var, Index: b.id})
	}
	for _, w := range e.bases {
		if w.hash == b.hash {
			return w.nodes
		}
	}
	var n []expr.Node
	if b.op == expr.Add {
		n = e.sum(b.sum)
	} else {
		n = e.then(e.whole(b.arg), b.op)
	}
	if !e.a.bad {
		e.bases = append(e.bases, written{b.hash, n})
	}
	return n
}

// sum returns the nodes of the sum of terms: the positive terms minus the negative ones. Each part
// is nested to the right.
func (e *emitter) sum(terms []addend) []expr.Node {
	pos, neg := e.lists.take(len(terms))[:0], e.lists.take(len(terms))[:0]
	for _, t := range terms {
		n, minus := e.signed(t.c, t.f)
		if minus {
			neg = append(neg, n)
		} else {
			pos = append(pos, n)
		}
	}
	switch {
	case len(neg) == 0:
		return e.nest(pos, expr.Add)
	case len(pos) == 0:
		return e.then(e.nest(neg, expr.Add), expr.Neg)
	}
	return e.pair(e.nest(pos, expr.Add), e.nest(neg, expr.Add), expr.Sub)
}

// nest sorts the operands and returns a∘(b∘(c∘…)).
func (e *emitter) nest(operands [][]expr.Node, op expr.Op) []expr.Node {
	slices.SortStableFunc(operands, compareNodes)
	n := len(operands) - 1
	for _, o := range operands {
		n += len(o)
	}
	if len(operands) == 1 {
		return operands[0]
	}
	out := e.nodes.take(n)[:0]
	for _, o := range operands {
		out = append(out, o...)
	}
	for range len(operands) - 1 {
		out = append(out, expr.Node{Op: op})
	}
	return out
}

// compareNodes orders operands: first by length, then by operators and variables. The values of
// constants do not matter.
func compareNodes(a, b []expr.Node) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	for i := range a {
		if a[i].Op != b[i].Op {
			return int(a[i].Op) - int(b[i].Op)
		}
		if a[i].Op == expr.Var && a[i].Index != b[i].Index {
			return int(a[i].Index - b[i].Index)
		}
	}
	return 0
}

// product returns the nodes of c·∏f as a quotient of products.
func (e *emitter) product(c coef, f []factor) []expr.Node {
	num, den := e.lists.take(2*len(f) + 2)[:0], e.lists.take(2*len(f) + 2)[:0]
	if !c.isNumber(1) {
		num = append(num, e.leaf(expr.Node{Op: expr.Param, Value: c.v}))
	}
	if n, ok := e.wholePower(f); ok {
		if len(num) > 0 {
			return e.nest(append(num, n), expr.Mul)
		}
		return n
	}
	roots := e.a.factors.take(len(f))[:0]
	negative := true
	for _, x := range f {
		switch {
		case x.pow%quarters != 0:
			if x.pow > maxPower || x.pow < -maxPower {
				e.a.bad = true
				return nil
			}
			roots = append(roots, factor{x.base, 2 * x.pow})
			negative = negative && x.pow < 0
		case x.pow < 0 && x.base.op == expr.Exp:
			arg := e.a.times(constant(number(-1)), x.base.arg)
			num = append(num, e.then(e.whole(arg), expr.Exp))
			// A negative power of an exponential is always -1.
		case x.pow > 0:
			num = e.powers(num, e.base(x.base), int(x.pow/quarters))
		default:
			den = e.powers(den, e.base(x.base), int(-x.pow/quarters))
		}
	}
	if len(roots) > 0 {
		if negative {
			for i := range roots {
				roots[i].pow *= -1
			}
		}
		n := e.then(e.product(one, roots), expr.Sqrt)
		if negative {
			den = append(den, n)
		} else {
			num = append(num, n)
		}
	}
	return e.quotient(num, den)
}

// wholePower returns ∏f as the square or cube of a product. ok is false if it is neither.
func (e *emitter) wholePower(f []factor) (n []expr.Node, ok bool) {
	if len(f) < 2 {
		return nil, false
	}
	for _, by := range [2]struct {
		n  int8
		op expr.Op
	}{{2, expr.Square}, {3, expr.Cube}} {
		if slices.ContainsFunc(f, func(x factor) bool { return x.pow%(by.n*quarters) != 0 }) {
			continue
		}
		root := e.a.factors.copy(f, 0)
		for i := range root {
			root[i].pow /= by.n
		}
		return e.then(e.product(one, root), by.op), true
	}
	return nil, false
}

// quotient returns ∏num/∏den.
func (e *emitter) quotient(num, den [][]expr.Node) []expr.Node {
	switch {
	case len(den) == 0 && len(num) == 0:
		return e.leaf(expr.Node{Op: expr.Number, Value: 1})
	case len(den) == 0:
		return e.nest(num, expr.Mul)
	case len(num) == 0:
		return e.then(e.nest(den, expr.Mul), expr.Inv)
	}
	return e.pair(e.nest(num, expr.Mul), e.nest(den, expr.Mul), expr.Div)
}

// powers appends b to the power n as squares and cubes. Powers such as 5 become a product of two
// powers.
func (e *emitter) powers(to [][]expr.Node, b []expr.Node, n int) [][]expr.Node {
	if n == 1 {
		return append(to, b)
	}
	rest, squares, cubes := n, 0, 0
	for ; rest%2 == 0; rest /= 2 {
		squares++
	}
	for ; rest%3 == 0; rest /= 3 {
		cubes++
	}
	if rest == n { // 5, 7 and 11 are not products of squares and cubes
		return e.powers(e.powers(to, b, n-3), b, 3)
	}
	if rest > 1 {
		b = e.nest(e.powers(nil, b, rest), expr.Mul)
	}
	p := e.nodes.copy(b, squares+cubes) // first cubes, then squares of them
	for range cubes {
		p = append(p, expr.Node{Op: expr.Cube})
	}
	for range squares {
		p = append(p, expr.Node{Op: expr.Square})
	}
	return append(to, p)
}

func sameNodes(a, b []expr.Node) bool { return len(a) == len(b) && compareNodes(a, b) == 0 }
