package stream

import (
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// An emitter writes forms as trees. Of several ways to write a quotient it takes the shortest: (r2-r1)/(r1*r2) becomes
// 1/r1 - 1/r2, and √(c²-v²)/c becomes √(1-(v/c)²).
type emitter struct {
	a     *algebra
	bases map[uint64][]expr.Node
}

// tree is p without its constant factor, and that factor.
func (e *emitter) tree(p form) (nodes []expr.Node, scale float64) {
	scale = p.c.v
	f := slices.Clone(p.f)
	if s := p.loneSum(); s != nil {
		var content coef
		content, f[0].base = e.a.primitive(s, false)
		scale *= content.v
	}
	return e.shortest(one, f, true), scale
}

// signed is p without its sign, which neg tells. The constant in front, if any, counts as positive.
func (e *emitter) signed(c coef, f []factor) (nodes []expr.Node, neg bool) {
	if len(f) == 0 {
		if c.isUnit() {
			return []expr.Node{{Op: expr.Number, Value: 1}}, c.v < 0
		}
		return []expr.Node{{Op: expr.Param, Value: c.v}}, false
	}
	if !c.isUnit() {
		if i, s, ok := e.a.distribute(c, f); ok {
			f = slices.Clone(f)
			f[i].base, c = s, one
		}
	}
	if c.isUnit() {
		neg, c = c.v < 0, one
		if i := flexible(f); i >= 0 && neg {
			f = slices.Clone(f)
			f[i].base, _ = e.a.flipped(f[i].base)
			neg = false
		}
	}
	return e.shortest(c, f, false), neg
}

// whole is p with its sign.
func (e *emitter) whole(p form) []expr.Node {
	c, f := p.c, p.f
	if s := p.loneSum(); s != nil && !e.a.hasUnit(p) {
		content, rest := e.a.primitive(s, false)
		c, f = content, []factor{{rest, quarters}}
	}
	nodes, neg := e.signed(c, f)
	if neg {
		if len(f) == 1 && f[0].base.op == expr.Add && f[0].pow == quarters {
			return e.base(e.a.scaleSum(number(-1), f[0].base))
		}
		return append(slices.Clip(nodes), expr.Node{Op: expr.Neg})
	}
	return nodes
}

// shortest is c·∏f in the shortest of its ways; the first of equals.
func (e *emitter) shortest(c coef, f []factor, absorb bool) []expr.Node {
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
			e.a.bad = bad // what went too far is one way less
		}
		// All other factors that occur in the sum go into it.
		var d []factor
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

// moved is f with its sum i divided by d, and the rest multiplied to make up for it.
func (e *emitter) moved(f []factor, i int, d []factor) ([]factor, bool) {
	s, pow := f[i].base, int(f[i].pow)
	inverse := make([]factor, len(d))
	outside := slices.Delete(slices.Clone(f), i, i+1)
	for k, x := range d {
		inverse[k] = factor{x.base, -x.pow}
		n := int(x.pow) * pow
		if n%quarters != 0 || n/quarters > maxPower || n/quarters < -maxPower {
			return nil, false
		}
		outside = append(outside, factor{x.base, int8(n / quarters)})
	}
	terms := make([]addend, len(s.sum))
	for k, t := range s.sum {
		p := e.a.collect(t.c, append(slices.Clone(t.f), inverse...))
		if p.loneSum() != nil {
			return nil, false
		}
		terms[k] = addend{p.c, p.f}
	}
	rest := e.a.collect(one, outside)
	if !rest.c.isNumber(1) || rest.loneSum() != nil && len(rest.f[0].base.sum) == 0 {
		return nil, false
	}
	return append(slices.Clone(rest.f), factor{e.a.make(base{op: expr.Add, sum: terms}), int8(pow)}), true
}

// base is b to the power 1.
func (e *emitter) base(b *base) []expr.Node {
	if b.op == expr.Var {
		return []expr.Node{{Op: expr.Var, Index: b.id}}
	}
	if n, ok := e.bases[b.hash]; ok {
		return n
	}
	var n []expr.Node
	if b.op == expr.Add {
		n = e.sum(b.sum)
	} else {
		n = append(slices.Clone(e.whole(b.arg)), expr.Node{Op: b.op})
	}
	e.bases[b.hash] = n
	return n
}

// sum is Σpositive - Σnegative, each nested to the right.
func (e *emitter) sum(terms []addend) []expr.Node {
	var pos, neg [][]expr.Node
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
		return nest(pos, expr.Add)
	case len(pos) == 0:
		return append(nest(neg, expr.Add), expr.Node{Op: expr.Neg})
	}
	return append(append(nest(pos, expr.Add), nest(neg, expr.Add)...), expr.Node{Op: expr.Sub})
}

// nest is a∘(b∘(c∘…)) of the operands in order.
func nest(operands [][]expr.Node, op expr.Op) []expr.Node {
	slices.SortStableFunc(operands, compareNodes)
	n := len(operands) - 1
	for _, o := range operands {
		n += len(o)
	}
	out := make([]expr.Node, 0, n+1)
	for _, o := range operands {
		out = append(out, o...)
	}
	for range len(operands) - 1 {
		out = append(out, expr.Node{Op: op})
	}
	return out
}

// compareNodes orders operands: the shorter first, then by operators and variables; the value of a constant does not count.
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

// product is c·∏f as a quotient of products.
func (e *emitter) product(c coef, f []factor) []expr.Node {
	var num, den [][]expr.Node
	if !c.isNumber(1) {
		num = append(num, []expr.Node{{Op: expr.Param, Value: c.v}})
	}
	if len(f) > 1 {
		for _, by := range [2]struct {
			n  int8
			op expr.Op
		}{{2, expr.Square}, {3, expr.Cube}} {
			if slices.ContainsFunc(f, func(x factor) bool { return x.pow%(by.n*quarters) != 0 }) {
				continue
			}
			root := slices.Clone(f)
			for i := range root {
				root[i].pow /= by.n
			}
			n := append(slices.Clip(e.product(one, root)), expr.Node{Op: by.op})
			if len(num) > 0 {
				return nest(append(num, n), expr.Mul)
			}
			return n
		}
	}
	var roots []factor
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
			num = append(num, append(slices.Clone(e.whole(arg)), expr.Node{Op: expr.Exp}))
			// a power -1 by construction
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
		n := append(slices.Clip(e.product(one, roots)), expr.Node{Op: expr.Sqrt})
		if negative {
			den = append(den, n)
		} else {
			num = append(num, n)
		}
	}
	switch {
	case len(den) == 0 && len(num) == 0:
		return []expr.Node{{Op: expr.Number, Value: 1}}
	case len(den) == 0:
		return nest(num, expr.Mul)
	case len(num) == 0:
		return append(nest(den, expr.Mul), expr.Node{Op: expr.Inv})
	}
	return append(append(nest(num, expr.Mul), nest(den, expr.Mul)...), expr.Node{Op: expr.Div})
}

// powers appends b to the power n: squares, cubes and what they make, and a product of two such where n needs it.
func (e *emitter) powers(to [][]expr.Node, b []expr.Node, n int) [][]expr.Node {
	var ops []expr.Node
	rest := n
	for rest%2 == 0 {
		ops, rest = append(ops, expr.Node{Op: expr.Square}), rest/2
	}
	for rest%3 == 0 {
		ops, rest = append(ops, expr.Node{Op: expr.Cube}), rest/3
	}
	switch {
	case rest == 1: // the cubes inside
		slices.Reverse(ops)
		return append(to, slices.Concat(b, ops))
	case rest == n:
		return e.powers(e.powers(to, b, n-3), b, 3)
	}
	inner := nest(e.powers(nil, b, rest), expr.Mul)
	slices.Reverse(ops)
	return append(to, slices.Concat(inner, ops))
}

func sameNodes(a, b []expr.Node) bool { return len(a) == len(b) && compareNodes(a, b) == 0 }
