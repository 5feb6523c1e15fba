package expr

import (
	"cmp"
	"math"
	"slices"
)

// termKind is the shape of a term.
type termKind uint8

const (
	kindNumber termKind = iota // the number coef
	kindLeaf                   // op, with an index for Var and Param; also termUndefined
	kindPower                  // args[0] to the power args[1]; eᵘ is the power of Euler
	kindCall                   // op of args[0], or of args[0] and args[1]
	kindSum                    // args[0] + args[1] + …, none of them a sum; a number comes last
	// coef·args[0]·args[1]·…, where no factor is a product or number. A product with a sum as its
	// only factor occurs if scaleSum leaves coef in front of the sum.
	kindProduct
)

// A term is a node of a canonical form. It is immutable. Sums and products have any number of
// operands, which are sorted. Only the functions of a normalizer make terms, so that terms stay
// canonical.
type term struct {
	kind  termKind
	op    Op
	index int32
	start float64 // starting value of a Param in a fit
	coef  coef
	args  []*term
}

var (
	termZero = &term{kind: kindNumber, coef: coefZero}
	termOne  = &term{kind: kindNumber, coef: coefOne}
	termPi   = &term{kind: kindLeaf, op: Pi}
	termE    = &term{kind: kindLeaf, op: Euler}
	// termUndefined is a term that is not finite for any values of the columns, such as 1/0 or
	// log(-1). A term with an undefined part is undefined.
	termUndefined = &term{kind: kindLeaf, op: Number, start: math.NaN()}
)

func numberTerm(c coef) *term {
	switch {
	case c.is(0):
		return termZero
	case c.is(1):
		return termOne
	case !c.finite():
		return termUndefined
	}
	return &term{kind: kindNumber, coef: c}
}

func integer(n int64) *term { return numberTerm(coef{p: n, q: 1}) }

func (t *term) isNumber() bool { return t.kind == kindNumber }

// factors returns the factors of a product. For other terms it returns the term itself.
func (t *term) factors() []*term {
	if t.kind == kindProduct {
		return t.args
	}
	return []*term{t}
}

// numFactor returns the number in front of t: the coefficient of a product, the value of a number,
// and 1 for all other terms.
func (t *term) numFactor() coef {
	if t.kind == kindProduct || t.kind == kindNumber {
		return t.coef
	}
	return coefOne
}

// base and exponent return the parts of a power. Other terms are their own base, with exponent 1.
func (t *term) base() *term {
	if t.kind == kindPower {
		return t.args[0]
	}
	return t
}

func (t *term) exponent() *term {
	if t.kind == kindPower {
		return t.args[1]
	}
	return termOne
}

// isNonNegative reports whether t is known to be ≥ 0 wherever it is defined.
func (t *term) isNonNegative() bool {
	switch t.kind {
	case kindNumber:
		return t.coef.sign() >= 0
	case kindLeaf:
		return t.op == Pi || t.op == Euler
	case kindPower:
		e := t.args[1]
		if e.isNumber() && (!e.coef.isInt() || e.coef.p%2 == 0) {
			return true // a fractional power of a negative number is NaN
		}
		return t.args[0].isNonNegative()
	case kindCall:
		return operators[t.op].NonNegative
	}
	if t.kind == kindProduct && t.coef.sign() < 0 {
		return false
	}
	for _, a := range t.args {
		if !a.isNonNegative() {
			return false
		}
	}
	return true
}

// compare orders terms. Products are compared factor by factor, a longer product comes before a
// shorter one, and numbers come last. Coefficients decide only if the terms are otherwise equal.
func compare(a, b *term) int {
	if a == b {
		return 0
	}
	if c := compareMonomials(a, b); c != 0 {
		return c
	}
	return a.numFactor().cmp(b.numFactor())
}

// compareMonomials orders terms like compare, but ignores coefficients.
func compareMonomials(a, b *term) int {
	if a.isNumber() || b.isNumber() {
		switch {
		case !b.isNumber():
			return 1
		case !a.isNumber():
			return -1
		}
		return 0
	}
	var bufferA, bufferB [1]*term
	fa, fb := a.args, b.args
	if a.kind != kindProduct {
		bufferA[0] = a
		fa = bufferA[:]
	}
	if b.kind != kindProduct {
		bufferB[0] = b
		fb = bufferB[:]
	}
	for i := range min(len(fa), len(fb)) {
		if c := compareFactors(fa[i], fb[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(fb), len(fa))
}

// compareFactors orders powers by their base, and powers of equal bases by their exponent. Numeric
// exponents come before other exponents, and higher numbers before lower ones.
func compareFactors(a, b *term) int {
	if c := compareBases(a.base(), b.base()); c != 0 {
		return c
	}
	ea, eb := a.exponent(), b.exponent()
	switch {
	case ea.isNumber() && eb.isNumber():
		return eb.coef.cmp(ea.coef)
	case ea.isNumber():
		return -1
	case eb.isNumber():
		return 1
	}
	return compare(ea, eb)
}

// rank returns the position of a base in the order of the factors of a product. Free constants come
// late, so that their slots decide the order of terms only if nothing else does.
func (t *term) rank() int {
	switch t.kind {
	case kindNumber:
		return 0
	case kindLeaf:
		return [numOps]int{Pi: 1, Var: 2, Euler: 3, Param: 9, Number: 10}[t.op]
	case kindCall:
		return 5
	case kindSum:
		return 6
	case kindProduct:
		return 7
	}
	return 8
}

func compareBases(a, b *term) int {
	if a == b {
		return 0
	}
	if c := cmp.Compare(a.rank(), b.rank()); c != 0 {
		return c
	}
	switch a.kind {
	case kindNumber:
		return a.coef.cmp(b.coef)
	case kindLeaf:
		return cmp.Compare(a.index, b.index)
	case kindCall:
		if c := cmp.Compare(a.op, b.op); c != 0 {
			return c
		}
		return slices.CompareFunc(a.args, b.args, compare)
	case kindSum:
		return slices.CompareFunc(a.args, b.args, compare)
	case kindPower:
		return compareFactors(a, b)
	}
	return compare(a, b)
}
