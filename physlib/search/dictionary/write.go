package dictionary

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
	"github.com/physlib/lab/physlib/search/view"
)

// Writer writes expressions of a pool, and features, as trees with free constants.
type Writer struct {
	build.Constants
	Space *view.Space
	Pool  *Pool
	// Numbers within expressions, except ±1, become free constants. A fit starts from these
	// numbers.
	Freed bool
	// In a transcendental function f(k·m) of a monomial m, k becomes free even if it is 1.
	Ones bool
}

// Monomial multiplies the product p by the monomial m.
func (b *Writer) Monomial(p *build.Product, m view.Monomial) {
	for i, e := range m {
		x := expr.X(b.Space.Vars[i])
		switch {
		case e == 0:
		case e%3 == 0:
			p.By(x, int(e)/3)
		case e > 0:
			p.Above = build.Mul(p.Above, expr.Apply(expr.Pow, x, expr.Num(float64(e)/view.SixthsInOne)))
		default:
			p.Below = build.Mul(p.Below, expr.Apply(expr.Pow, x, expr.Num(float64(-e)/view.SixthsInOne)))
		}
	}
}

// scaled returns k·a. k is a free constant if grid is true, or if b.Freed is true and k is not ±1.
func (b *Writer) scaled(k float64, grid bool, a expr.Tree) expr.Tree {
	switch {
	case grid || b.Freed && math.Abs(k) != 1:
		return expr.Apply(expr.Mul, b.Free(k), a)
	case k == 1:
		return a
	case k == -1:
		return expr.Apply(expr.Neg, a)
	}
	return expr.Apply(expr.Mul, build.Number(k), a)
}

// Node returns expression i of the pool.
func (b *Writer) Node(i int32) expr.Tree {
	n := b.Pool.nodes[i]
	switch n.shape {
	case leaf:
		p := build.One()
		b.Monomial(&p, b.Pool.monos[n.l])
		return p.Tree()
	case apply:
		return expr.Apply(n.fn, b.scaled(n.k, n.grid || b.Ones && n.transcendental && b.Pool.nodes[n.l].shape == leaf, b.Node(n.l)))
	case shift:
		return b.plus(expr.Num(1), n.k, b.Node(n.l))
	case sum:
		return b.plus(b.Node(n.l), n.k, b.Node(n.r))
	case raised:
		return expr.Apply(expr.Pow, b.Node(n.l), b.Node(n.r))
	case peak:
		d := expr.Apply(expr.Sub, b.Node(n.l), b.Free(n.mid))
		d2 := expr.Apply(expr.Square, expr.Apply(expr.Mul, b.Free(n.k), d))
		if n.fn == expr.Exp {
			return expr.Apply(expr.Exp, expr.Apply(expr.Neg, d2))
		}
		return expr.Apply(expr.Inv, expr.Apply(expr.Add, expr.Num(1), d2))
	}
	return expr.Apply(expr.Mul, b.Node(n.l), b.Node(n.r))
}

// Factor returns expression i in a form whose powers are all defined. The expression is unchanged
// if it is not negative at any point, and negated if it is never positive. Otherwise Factor returns
// its absolute value.
func (b *Writer) Factor(i int32) expr.Tree {
	n, v := b.Pool.nodes[i], b.Pool.Values(i)
	lo, hi := slices.Min(v), slices.Max(v)
	switch {
	case lo >= 0:
		return b.Node(i)
	case hi > 0:
		return expr.Apply(expr.Abs, b.Node(i))
	case n.shape == shift && n.k < 0 && !b.Freed:
		return expr.Apply(expr.Sub, b.scaled(-n.k, false, b.Node(n.l)), expr.Num(1))
	case n.shape == sum && n.k < 0 && !b.Freed:
		return expr.Apply(expr.Sub, b.scaled(-n.k, false, b.Node(n.r)), b.Node(n.l))
	}
	return expr.Apply(expr.Neg, b.Node(i))
}

// plus returns a + k·c.
func (b *Writer) plus(a expr.Tree, k float64, c expr.Tree) expr.Tree {
	if b.Freed && math.Abs(k) != 1 {
		return expr.Apply(expr.Add, a, expr.Apply(expr.Mul, b.Free(k), c))
	}
	if k < 0 {
		return expr.Apply(expr.Sub, a, b.scaled(-k, false, c))
	}
	return expr.Apply(expr.Add, a, b.scaled(k, false, c))
}

// Term returns a feature as an expression.
func (b *Writer) Term(f Feature) expr.Tree {
	p := build.One()
	if f.Monomial != nil {
		b.Monomial(&p, f.Monomial)
	}
	if f.Expr >= 0 {
		p.By(b.Node(f.Expr), int(f.Half))
	}
	return p.Tree()
}
