package dictionary

import (
	"github.com/physlib/lab/physlib/column"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
	"github.com/physlib/lab/physlib/search/view"
)

// Clears reports whether node i can be multiplied by a monomial term by term. That is so for sums
// of numbers, monomials and squares of monomials.
func (p *Pool) Clears(i int32) bool {
	switch n := p.nodes[i]; n.shape {
	case leaf:
		return true
	case shift:
		return p.Clears(n.l)
	case sum:
		return p.Clears(n.l) && p.Clears(n.r)
	case apply:
		return n.fn == expr.Square && n.k == 1 && p.nodes[n.l].shape == leaf
	}
	return false
}

// Cleared returns |node i × m|, multiplied out, as a base for an exponent that is not whole. Node i
// must satisfy Clears.
func (b *Writer) Cleared(i int32, m view.Monomial) expr.Tree {
	t := b.times(i, m)
	if v := b.Pool.Values(i); !column.OneSign(v) {
		return expr.Apply(expr.Abs, t)
	} else if v[0] < 0 {
		return expr.Apply(expr.Neg, t)
	}
	return t
}

// times returns node i × m, multiplied out term by term.
func (b *Writer) times(i int32, m view.Monomial) expr.Tree {
	n := b.Pool.nodes[i]
	p := build.One()
	switch n.shape {
	case shift:
		b.Monomial(&p, m)
		return b.plus(p.Tree(), n.k, b.times(n.l, m))
	case sum:
		return b.plus(b.times(n.l, m), n.k, b.times(n.r, m))
	case apply: // the square of a monomial
		m = m.Plus(b.Pool.monos[b.Pool.nodes[n.l].l], 2, 1)
	default:
		m = m.Plus(b.Pool.monos[n.l], 1, 1)
	}
	b.Monomial(&p, m)
	return p.Tree()
}
