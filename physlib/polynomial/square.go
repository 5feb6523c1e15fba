package polynomial

import (
	"math"
	"slices"
)

// equalCoef is the largest difference for which two coefficients count as equal, relative to the
// largest coefficient of a polynomial.
const equalCoef = 1e-7

// SquareRoot returns the polynomial whose square is the sum of the terms times sign, which is 1 or
// -1. It returns nil if the sum is not a square. The coefficient of its first term is positive. The
// terms must not contain the target.
func SquareRoot(terms []Term) (root []Term, sign float64) {
	rest := slices.Clone(terms)
	largest := 0.0
	for _, t := range terms {
		largest = max(largest, math.Abs(t.Coef))
	}
	for len(rest) > 0 && len(root) <= len(terms) {
		lead := slices.MaxFunc(rest, func(a, b Term) int { return slices.Compare(a.Exponents, b.Exponents) })
		if len(root) == 0 {
			sign = math.Copysign(1, lead.Coef)
			for i := range rest {
				rest[i].Coef *= sign
			}
		}
		next := Term{Exponents: slices.Clone(lead.Exponents), Coef: math.Sqrt(sign * lead.Coef)}
		for i, e := range lead.Exponents {
			switch {
			case len(root) > 0:
				next.Exponents[i] -= root[0].Exponents[i]
			case e%2 == 0:
				next.Exponents[i] /= 2
			default:
				return nil, 0
			}
			if next.Exponents[i] < 0 {
				return nil, 0
			}
		}
		if len(root) > 0 {
			next.Coef = lead.Coef / (2 * root[0].Coef)
		}
		for _, t := range root {
			rest = subtract(rest, t, next, 2)
		}
		rest = subtract(rest, next, next, 1)
		rest = slices.DeleteFunc(rest, func(t Term) bool { return math.Abs(t.Coef) <= equalCoef*largest })
		root = append(root, next)
	}
	if len(rest) > 0 {
		return nil, 0
	}
	return root, sign
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
