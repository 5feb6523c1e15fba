package rewrite

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// term is coef·X^power·rest, where X stands for column X of a Relation. rest has no constant
// factor; an empty rest means 1.
type term struct {
	coef, power float64
	rest        expr.Tree
}

// family is the sum over k of coef[k]·X^(power+k)·rest, where X and rest are as in term.
type family struct {
	coef  []float64
	power float64
	rest  expr.Tree
}

func scaled(terms []term, by float64) []term {
	for i := range terms {
		terms[i].coef *= by
	}
	return terms
}

func product(a, b []term) (out []term) {
	if len(a)*len(b) > maxTerms {
		return make([]term, maxTerms+1) // more terms than any caller accepts
	}
	for _, p := range a {
		for _, q := range b {
			out = append(out, term{p.coef * q.coef, p.power + q.power, times(p.rest, q.rest)})
		}
	}
	return out
}

// zero returns the X other than 0 at which a family of two terms is zero.
func (f family) zero() (x float64, ok bool) {
	if len(f.coef) != 2 || f.coef[0] == 0 {
		return 0, false
	}
	return -f.coef[0] / f.coef[1], true
}

// powerOf returns x^e, or an empty tree for e = 0. The exponent is a number if it is a multiple of
// 1/2, otherwise a free constant.
func powerOf(x expr.Tree, e float64) expr.Tree {
	switch {
	case math.Abs(e) < samePower:
		return expr.Tree{}
	case math.Abs(e-1) < samePower:
		return x
	case math.Abs(e-math.Round(2*e)/2) < 1e-9:
		return expr.Apply(expr.Pow, x, expr.Num(math.Round(2*e)/2))
	}
	return expr.Apply(expr.Pow, x, expr.C(0, e))
}

// timesPower returns the factor X^power·rest of the family, in which x stands for X. It returns an
// empty tree if the factor is 1.
func (f family) timesPower(x expr.Tree) expr.Tree { return times(powerOf(x, f.power), f.rest) }

// tree returns the family as a sum of terms, with the column x as X.
func (f family) tree(x expr.Tree) (sum expr.Tree) {
	for k, c := range f.coef {
		if c != 0 {
			sum = Plus(sum, times(times(expr.C(0, c), powerOf(x, f.power+float64(k))), f.rest))
		}
	}
	return sum
}

// vanishes reports whether the sum of the first n terms is zero at X = x, within the accuracy of
// fitted coefficients.
func (f family) vanishes(x float64, n int) bool {
	sum, size := 0.0, 0.0
	for k, c := range f.coef[:n] {
		sum += c * math.Pow(x, float64(k))
		size = max(size, math.Abs(c*math.Pow(x, float64(k))))
	}
	return math.Abs(sum) < sameZero*size
}

// sameZero is the fraction of the largest term below which a sum of fitted terms counts as zero.
const sameZero = 1e-4

// divided divides the first n terms of f by X − zero. The remainder of the division is one term,
// with X^(power+lowest). The returned remainder contains this term and the other terms of f.
func (f family) divided(zero float64, lowest, n int) (quotient, remainder family) {
	c := slices.Clone(f.coef[:n])
	remainder = family{make([]float64, len(f.coef)), f.power, f.rest}
	copy(remainder.coef[n:], f.coef[n:])
	if !f.vanishes(zero, n) {
		value := 0.0
		for k := range c {
			value += c[k] * math.Pow(zero, float64(k))
		}
		remainder.coef[lowest] = value / math.Pow(zero, float64(lowest))
		c[lowest] -= remainder.coef[lowest]
	}
	quotient = family{make([]float64, n-1), f.power, f.rest}
	for k, carry := n-1, 0.0; k > 0; k-- {
		carry = c[k] + zero*carry
		quotient.coef[k-1] = carry
		if math.Abs(carry) < sameZero*math.Abs(f.coef[k]) {
			quotient.coef[k-1] = 0
		}
	}
	return quotient, remainder
}

func scaledBy(f family, by float64) family {
	f.coef = slices.Clone(f.coef)
	for k := range f.coef {
		f.coef[k] *= by
	}
	return f
}
