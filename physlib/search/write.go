package search

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// builder writes pool nodes and features as trees and numbers their free constants.
type builder struct {
	constants
	s     *space
	p     *pool
	freed bool // inner numbers become free constants that start where they were
	ones  bool // even ones, within transcendental functions of a product
}

// monomial multiplies p by m.
func (b *builder) monomial(p *product, m mono) {
	for i, e := range m {
		x := expr.X(b.s.keep[i])
		switch {
		case e == 0:
		case e%3 == 0:
			p.by(x, int(e)/3)
		case e > 0:
			p.above = mul(p.above, expr.Apply(expr.Pow, x, expr.Num(float64(e)/sixth)))
		default:
			p.below = mul(p.below, expr.Apply(expr.Pow, x, expr.Num(float64(-e)/sixth)))
		}
	}
}

// scaled is k·a for the inner number k of node n.
func (b *builder) scaled(k float64, grid bool, a expr.Tree) expr.Tree {
	switch {
	case grid || b.freed && math.Abs(k) != 1:
		return expr.Apply(expr.Mul, b.free(k), a)
	case k == 1:
		return a
	case k == -1:
		return expr.Apply(expr.Neg, a)
	}
	return expr.Apply(expr.Mul, number(k), a)
}

// node writes a pool expression.
func (b *builder) node(i int32) expr.Tree {
	n := b.p.nodes[i]
	switch n.shape {
	case leaf:
		p := one1()
		b.monomial(&p, b.p.monos[n.l])
		return p.tree()
	case apply:
		return expr.Apply(n.fn, b.scaled(n.k, n.grid || b.ones && n.trans && b.p.nodes[n.l].shape == leaf, b.node(n.l)))
	case shift:
		return b.plus(expr.Num(1), n.k, b.node(n.l))
	case sum:
		return b.plus(b.node(n.l), n.k, b.node(n.r))
	case over:
		return expr.Apply(expr.Div, b.node(n.l), b.node(n.r))
	case raised:
		return expr.Apply(expr.Pow, b.node(n.l), b.node(n.r))
	case peak:
		d := expr.Apply(expr.Sub, b.node(n.l), b.free(n.mid))
		d2 := expr.Apply(expr.Square, expr.Apply(expr.Mul, b.free(n.k), d))
		if n.fn == expr.Exp {
			return expr.Apply(expr.Exp, expr.Apply(expr.Neg, d2))
		}
		return expr.Apply(expr.Inv, expr.Apply(expr.Add, expr.Num(1), d2))
	}
	return expr.Apply(expr.Mul, b.node(n.l), b.node(n.r))
}

// factor writes a pool expression as what a broken power is taken of: positive wherever the points
// allow it.
func (b *builder) factor(i int32) expr.Tree {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range b.p.val(i) {
		lo, hi = min(lo, v), max(hi, v)
	}
	n := b.p.nodes[i]
	switch {
	case lo >= 0:
		return b.node(i)
	case hi > 0:
		return expr.Apply(expr.Abs, b.node(i))
	case n.shape == shift && n.k < 0 && !b.freed:
		return expr.Apply(expr.Sub, b.scaled(-n.k, false, b.node(n.l)), expr.Num(1))
	case n.shape == sum && n.k < 0 && !b.freed:
		return expr.Apply(expr.Sub, b.scaled(-n.k, false, b.node(n.r)), b.node(n.l))
	}
	return expr.Apply(expr.Neg, b.node(i))
}

// plus is a + k·c.
func (b *builder) plus(a expr.Tree, k float64, c expr.Tree) expr.Tree {
	if b.freed && math.Abs(k) != 1 {
		return expr.Apply(expr.Add, a, expr.Apply(expr.Mul, b.free(k), c))
	}
	if k < 0 {
		return expr.Apply(expr.Sub, a, b.scaled(-k, false, c))
	}
	return expr.Apply(expr.Add, a, b.scaled(k, false, c))
}

// term writes a feature's value.
func (b *builder) term(f feature) expr.Tree {
	p := one1()
	if f.m != nil {
		b.monomial(&p, f.m)
	}
	if f.atom >= 0 {
		p.by(b.node(f.atom), int(f.pow))
	}
	return p.tree()
}
