// Package build builds expression trees: products with as few factors as possible, powers, numbers,
// and free constants numbered by appearance.
package build

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/rewrite"
)

// Number returns k as a tree. If k is π, 2π, 4π or 1/(2π), the tree contains π.
func Number(k float64) expr.Tree {
	if k < 0 {
		return expr.Apply(expr.Neg, Number(-k))
	}
	for _, c := range []struct{ k, n, d float64 }{{math.Pi, 1, 1}, {2 * math.Pi, 2, 1}, {4 * math.Pi, 4, 1}} {
		if k == c.k {
			return Mul(expr.Num(c.n), expr.Leaf(expr.Pi))
		}
	}
	if k == 0.5/math.Pi {
		return expr.Apply(expr.Div, expr.Num(1), Mul(expr.Num(2), expr.Leaf(expr.Pi)))
	}
	return expr.Num(k)
}

func isOne(t expr.Tree) bool {
	n := t.Nodes()
	return len(n) == 0 || len(n) == 1 && n[0].Op == expr.Number && n[0].Value == 1
}

// Mul returns a·b. Factors of 1 are omitted, and an empty tree counts as 1.
func Mul(a, b expr.Tree) expr.Tree {
	switch {
	case isOne(a) && b.Len() > 0:
		return b
	case isOne(b) && a.Len() > 0:
		return a
	}
	return expr.Apply(expr.Mul, a, b)
}

// quotient returns a/b.
func quotient(a, b expr.Tree) expr.Tree {
	if isOne(b) {
		return a
	}
	return expr.Apply(expr.Div, a, b)
}

// Pow returns a^(half/2).
func Pow(a expr.Tree, half int) expr.Tree {
	if half == 0 {
		return expr.Num(1)
	}
	return rewrite.Raise(a, float64(half)/2)
}

// Product is a fraction. Its factors are collected above and below the fraction bar.
type Product struct{ Above, Below expr.Tree }

// One returns the product without factors.
func One() Product { return Product{expr.Num(1), expr.Num(1)} }

// By multiplies p by a^(half/2).
func (p *Product) By(a expr.Tree, half int) {
	if half >= 0 {
		if half > 0 {
			p.Above = Mul(p.Above, Pow(a, half))
		}
		return
	}
	p.Below = Mul(p.Below, Pow(a, -half))
}

// Tree returns p as a tree.
func (p Product) Tree() expr.Tree { return quotient(p.Above, p.Below) }
