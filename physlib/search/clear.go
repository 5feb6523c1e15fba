package search

import "github.com/physlib/lab/physlib/expr"

// clears reports whether a node can be multiplied by a monomial term by term.
func (p *pool) clears(i int32) bool {
	switch n := p.nodes[i]; n.shape {
	case leaf:
		return true
	case shift:
		return p.clears(n.l)
	case sum:
		return p.clears(n.l) && p.clears(n.r)
	case apply:
		return n.fn == expr.Square && n.k == 1 && p.nodes[n.l].shape == leaf
	}
	return false
}

// cleared writes a node times a monomial, term by term, as what a broken power is taken of.
func (b *builder) cleared(i int32, m mono) expr.Tree {
	t := b.times(i, m)
	if v := b.p.val(i); !oneSign(v) {
		return expr.Apply(expr.Abs, t)
	} else if v[0] < 0 {
		return expr.Apply(expr.Neg, t)
	}
	return t
}

// times is cleared, with whatever sign.
func (b *builder) times(i int32, m mono) expr.Tree {
	n := b.p.nodes[i]
	p := one1()
	switch n.shape {
	case shift:
		b.monomial(&p, m)
		return b.plus(p.tree(), n.k, b.times(n.l, m))
	case sum:
		return b.plus(b.times(n.l, m), n.k, b.times(n.r, m))
	case apply: // the square of a monomial
		m = m.plus(b.p.monos[b.p.nodes[n.l].l], 2, 1)
	default:
		m = m.plus(b.p.monos[n.l], 1, 1)
	}
	b.monomial(&p, m)
	return p.tree()
}
