package search

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// number writes k, as a multiple of π where it is one.
func number(k float64) expr.Tree {
	if k < 0 {
		return expr.Apply(expr.Neg, number(-k))
	}
	for _, c := range []struct{ k, n, d float64 }{{math.Pi, 1, 1}, {2 * math.Pi, 2, 1}, {4 * math.Pi, 4, 1}} {
		if k == c.k {
			return mul(expr.Num(c.n), expr.Leaf(expr.Pi))
		}
	}
	if k == 0.5/math.Pi {
		return expr.Apply(expr.Div, expr.Num(1), mul(expr.Num(2), expr.Leaf(expr.Pi)))
	}
	return expr.Num(k)
}

func isOne(t expr.Tree) bool {
	n := t.Nodes()
	return len(n) == 0 || len(n) == 1 && n[0].Op == expr.Number && n[0].Value == 1
}

// mul is a·b without factors of one; an empty tree counts as one.
func mul(a, b expr.Tree) expr.Tree {
	switch {
	case isOne(a) && b.Len() > 0:
		return b
	case isOne(b) && a.Len() > 0:
		return a
	}
	return expr.Apply(expr.Mul, a, b)
}

// quotient is a/b.
func quotient(a, b expr.Tree) expr.Tree {
	if isOne(b) {
		return a
	}
	return expr.Apply(expr.Div, a, b)
}

func pow(a expr.Tree, half int) expr.Tree {
	switch half {
	case 0:
		return expr.Num(1)
	case 2:
		return a
	case 1:
		return expr.Apply(expr.Sqrt, a)
	case 4:
		return expr.Apply(expr.Square, a)
	case 6:
		return expr.Apply(expr.Cube, a)
	}
	return expr.Apply(expr.Pow, a, expr.Num(float64(half)/2))
}

// product collects factors above and below the line.
type product struct{ above, below expr.Tree }

func one1() product { return product{expr.Num(1), expr.Num(1)} }

// by multiplies by a^(half/2).
func (p *product) by(a expr.Tree, half int) {
	if half >= 0 {
		if half > 0 {
			p.above = mul(p.above, pow(a, half))
		}
		return
	}
	p.below = mul(p.below, pow(a, -half))
}

func (p product) tree() expr.Tree { return quotient(p.above, p.below) }
