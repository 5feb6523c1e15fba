package polynomial

import (
	"math"
	"slices"
)

// equalCoef is the largest difference for which two coefficients count as equal, relative to the
// largest coefficient of a polynomial.
const equalCoef = 1e-7

// SquareRoot returns the polynomial whose square is the sum of the terms, or nil if there is none.
// The coefficient of its first term is positive. The terms must not contain the target.
func SquareRoot(terms []Term) (root []Term) {
	rest := slices.Clone(terms)
	largest := 0.0
	for _, t := range terms {
		largest = max(largest, math.Abs(t.Coef))
	}
	for len(rest) > 0 && len(root) <= len(terms) {
		lead := slices.MaxFunc(rest, func(a, b Term) int { return slices.Compare(a.Exponents, b.Exponents) })
		next, ok := lead.root(), lead.Coef > 0
		if len(root) > 0 {
			next, ok = lead.over(root[0]), true
		}
		if !ok || next.Exponents == nil {
			return nil
		}
		for _, t := range root {
			rest = subtract(rest, t, next, 2)
		}
		rest = subtract(rest, next, next, 1)
		rest = slices.DeleteFunc(rest, func(t Term) bool { return math.Abs(t.Coef) <= equalCoef*largest })
		root = append(root, next)
	}
	if len(rest) > 0 {
		return nil
	}
	return root
}

// root returns the square root of t with a positive coefficient. The exponents of the result are
// nil if an exponent of t is odd.
func (t Term) root() (r Term) {
	for _, e := range t.Exponents {
		if e%2 != 0 {
			return Term{}
		}
		r.Exponents = append(r.Exponents, e/2)
	}
	r.Coef = math.Sqrt(t.Coef)
	return r
}

// over returns t/(2d). The exponents of the result are nil if one of them would be negative.
func (t Term) over(d Term) (q Term) {
	for i, e := range t.Exponents {
		if e < d.Exponents[i] {
			return Term{}
		}
		q.Exponents = append(q.Exponents, e-d.Exponents[i])
	}
	q.Coef = t.Coef / (2 * d.Coef)
	return q
}

// subtract returns sum - times·a·b, as terms.
func subtract(sum []Term, a, b Term, times float64) []Term {
	exponents := slices.Clone(a.Exponents)
	for i, e := range b.Exponents {
		exponents[i] += e
	}
	coef := times * a.Coef * b.Coef
	for i := range sum {
		if slices.Equal(sum[i].Exponents, exponents) {
			sum[i].Coef -= coef
			return sum
		}
	}
	return append(sum, Term{Exponents: exponents, Coef: -coef})
}
