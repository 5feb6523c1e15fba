package search

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/expr/build"
	"github.com/physlib/lab/physlib/expr/rewrite"
	"github.com/physlib/lab/physlib/polynomial"
)

// equation is a relation that is solved for the target. Its terms are grouped by the power of the
// target. If only one term contains the highest power, all terms are divided by the monomial of
// coordinates in that term. The highest power then has no coordinate as a factor.
type equation struct {
	names []expr.Tree         // the coordinates as expressions
	parts [][]polynomial.Term // terms, grouped by the power of the target
	b     build.Constants
}

// newEquation returns the equation of a relation, divided by the monomial that all its terms share.
func newEquation(terms []polynomial.Term, names []expr.Tree) *equation {
	e := &equation{names: names}
	common := shared(terms, 1)
	for _, t := range terms {
		for len(e.parts) <= t.Power {
			e.parts = append(e.parts, nil)
		}
		t.Exponents = over(t.Exponents, common, 1)
		e.parts[t.Power] = append(e.parts[t.Power], t)
	}
	return e
}

// solvedSquare solves a relation that gives y² as a ratio whose numerator is a square. It returns
// both solutions, such as y = ±(a - b)/√c. Unlike a square root, such a solution can change its
// sign.
func solvedSquare(terms []polynomial.Term, names []expr.Tree) (laws []expr.Tree) {
	if len(terms) == 0 {
		return nil
	}
	e := newEquation(terms, names)
	root, sign := polynomial.SquareRoot(e.parts[0]) // P + Q·y² = 0, where P or -P is a square
	if len(root) < 2 {
		return nil
	}
	for _, factor := range []float64{1, -1} {
		e.b = build.Constants{} // number the constants from 0 again
		laws = append(laws, expr.Apply(expr.Div, e.sum(root, factor), expr.Apply(expr.Sqrt, e.sum(e.parts[1], -sign))))
	}
	return laws
}

// solved solves a relation for the target. It returns several solutions of a quadratic relation.
func solved(terms []polynomial.Term, names []expr.Tree) []expr.Tree {
	if len(terms) == 0 {
		return nil
	}
	e := newEquation(terms, names)
	top := len(e.parts) - 1
	if len(e.parts[top]) == 1 {
		lead := e.parts[top][0].Exponents
		for i, p := range e.parts {
			e.parts[i] = divided(p, lead, 1)
		}
	}
	if top == 1 {
		return []expr.Tree{e.quotient(e.parts[0], -1)}
	}
	return e.roots()
}

// roots returns the solutions of y² + Q·y + P = 0. Q may contain a monomial m as a factor and P the
// factor m². Each solution is then also written with m in front of the square root. The sign of the
// square root's term then changes with the sign of m.
func (e *equation) roots() (laws []expr.Tree) {
	if len(e.parts[1]) == 0 {
		return []expr.Tree{expr.Apply(expr.Sqrt, e.quotient(e.parts[0], -1))}
	}
	none := make([]int, len(e.names))
	factors := [][]int{none}
	if len(e.parts[2]) == 1 {
		m := shared(e.parts[1], 1)
		for i, k := range shared(e.parts[0], 2) {
			m[i] = min(m[i], k)
		}
		if slices.Max(m) > 0 {
			factors = [][]int{m, none}
		}
	}
	for _, m := range factors {
		e.b = build.Constants{} // number the constants from 0 again
		half := e.quotient(divided(e.parts[1], m, 1), -0.5)
		under := expr.Apply(expr.Square, half)
		if len(e.parts[0]) > 0 {
			under = expr.Apply(expr.Add, under, e.quotient(divided(e.parts[0], m, 2), -1))
		}
		under = expr.Apply(expr.Sqrt, under)
		for _, op := range []expr.Op{expr.Add, expr.Sub} {
			laws = append(laws, build.Mul(e.monomial(m), expr.Apply(op, half, under)))
		}
	}
	return laws
}

// shared returns the exponents of the largest monomial m such that all terms contain the factor
// m^power.
func shared(terms []polynomial.Term, power int) (m []int) {
	for i, t := range terms {
		if i == 0 {
			m = make([]int, len(t.Exponents))
		}
		for k, e := range t.Exponents {
			if e = int(math.Floor(float64(e) / float64(power))); i == 0 || e < m[k] {
				m[k] = e
			}
		}
	}
	return m
}

// divided returns the terms, each divided by M^power. m holds the exponents of the monomial M.
func divided(terms []polynomial.Term, m []int, power int) []polynomial.Term {
	terms = slices.Clone(terms)
	for i, t := range terms {
		terms[i].Exponents = over(t.Exponents, m, power)
	}
	return terms
}

// over returns the exponents of A/B^power. a and b are the exponents of the monomials A and B.
func over(a, b []int, power int) []int {
	a = slices.Clone(a)
	for i, k := range b {
		a[i] -= power * k
	}
	return a
}

// quotient returns factor times the sum of the terms, divided by the coefficient of the highest
// power of the target if that is not 1.
func (e *equation) quotient(terms []polynomial.Term, factor float64) expr.Tree {
	above, below := e.sum(terms, factor), e.parts[len(e.parts)-1]
	if len(below) == 1 {
		return above
	}
	return expr.Apply(expr.Div, above, e.sum(below, 1))
}

// sum returns factor times the sum of the terms.
func (e *equation) sum(terms []polynomial.Term, factor float64) (sum expr.Tree) {
	for _, t := range terms {
		term := e.monomial(t.Exponents)
		if k := factor * t.Coef; k != 1 {
			term = build.Mul(e.b.Free(k), term)
		}
		sum = rewrite.Plus(sum, term)
	}
	return sum
}

// monomial returns the product of the coordinates, each raised to its power in powers.
func (e *equation) monomial(powers []int) expr.Tree {
	p := build.One()
	for i, k := range powers {
		p.By(e.names[i], 2*k)
	}
	return p.Tree()
}
