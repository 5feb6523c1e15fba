package expr

import (
	"math"
	"slices"
)

// A normalizer makes canonical terms. A rewriting keeps the value of a term wherever the old and
// the new form are both defined. No rewriting makes a term undefined on an interval on which it was
// defined.
type normalizer struct {
	// hashing permits rewritings that Canonical must not use. For example, log(a·b) → log a + log b
	// is undefined if a and b are negative. And 1.7*x + 3.4 → 1.7*(x + 2) may need rounding.
	hashing bool
}

// plain is a normalizer for Canonical. It has no state, so all callers share it.
var plain = new(normalizer)

// term returns the canonical form of t, which must not be empty.
func (z *normalizer) term(t Tree) *term {
	stack := make([]*term, 0, 16)
	for _, n := range t.nodes {
		k := len(stack)
		switch n.Op.Arity() {
		case 0:
			stack = append(stack, z.leaf(n))
		case 1:
			stack[k-1] = z.unary(n.Op, stack[k-1])
		case 2:
			stack[k-2] = z.binary(n.Op, stack[k-2], stack[k-1])
			stack = stack[:k-1]
		}
	}
	return stack[0]
}

func (z *normalizer) leaf(n Node) *term {
	switch n.Op {
	case Pi:
		return termPi
	case Euler:
		return termE
	case Number:
		if !math.IsInf(n.Value, 0) && !math.IsNaN(n.Value) {
			return numberTerm(newCoef(n.Value))
		}
		return termUndefined
	}
	return &term{kind: kindLeaf, op: n.Op, index: n.Index, start: n.Value}
}

func (z *normalizer) unary(op Op, a *term) *term {
	switch op {
	case Neg:
		return z.scale(coef{p: -1, q: 1}, a)
	case Inv:
		return z.power(a, integer(-1))
	case Sqrt:
		return z.power(a, numberTerm(coef{p: 1, q: 2}))
	case Square:
		return z.power(a, integer(2))
	case Cube:
		return z.power(a, integer(3))
	case Exp:
		return z.power(termE, a)
	}
	return z.call(op, a)
}

func (z *normalizer) binary(op Op, a, b *term) *term {
	switch op {
	case Add:
		return z.sum(a, b)
	case Sub:
		return z.sum(a, z.scale(coef{p: -1, q: 1}, b))
	case Mul:
		return z.product(a, b)
	case Div:
		return z.product(a, z.power(b, integer(-1)))
	case Pow:
		return z.power(a, b)
	}
	return z.call2(op, a, b)
}

// apply returns the term of op applied to its one or two operands. op must not be a sum, product or
// power.
func (z *normalizer) apply(op Op, args ...*term) *term {
	if len(args) == 1 {
		return z.call(op, args[0])
	}
	return z.call2(op, args[0], args[1])
}

// scale returns c·t.
func (z *normalizer) scale(c coef, t *term) *term {
	switch {
	case c.is(1) || t == termUndefined:
		return t
	case c.is(0):
		return termZero
	case t.kind == kindNumber:
		return numberTerm(c.mul(t.coef))
	case t.kind == kindSum:
		return z.scaleSum(c, t)
	case t.kind == kindProduct:
		return z.monomial(c.mul(t.coef), t.args)
	}
	return z.monomial(c, []*term{t})
}

// scaleSum returns c·t for a sum t. The factor is multiplied into the terms if primitive can
// recover it from them. Otherwise it stays in front, as in 1.23456*(x + 0.3), where the numbers are
// not fractions.
func (z *normalizer) scaleSum(c coef, t *term) *term {
	spread := func(c coef, t *term) *term {
		return z.eachTerm(t, func(a *term) *term { return z.scale(c, a) })
	}
	if z.hashing || c.abs().is(1) {
		return spread(c, t)
	}
	content, rest := z.primitive(t)
	c = c.mul(content)
	if c.abs().is(1) {
		return spread(c, rest)
	}
	if _, ok := fractions(rest); ok && c.q > 0 {
		if t = spread(c, rest); t.kind != kindSum {
			return t
		}
		if back, again := z.primitive(t); back == c && compareBases(again, rest) == 0 {
			return t
		}
	}
	return &term{kind: kindProduct, coef: c, args: []*term{rest}}
}

// eachTerm returns the sum t with change applied to each term. change may only change coefficients,
// so that the order of the terms stays valid.
func (z *normalizer) eachTerm(t *term, change func(*term) *term) *term {
	args := make([]*term, 0, len(t.args))
	for _, a := range t.args {
		if s := change(a); s != termZero { // the coefficient may underflow to 0
			args = append(args, s)
		}
	}
	if len(args) < 2 {
		return z.sum(args...)
	}
	return &term{kind: kindSum, args: args}
}

// monomial returns the product of c and factors that are already in order and merged.
func (z *normalizer) monomial(c coef, factors []*term) *term {
	switch {
	case c.is(0):
		return termZero
	case !c.finite():
		return termUndefined
	case len(factors) == 0:
		return numberTerm(c)
	case len(factors) == 1 && c.is(1):
		return factors[0]
	case len(factors) == 1 && factors[0].kind == kindSum:
		return z.scale(c, factors[0])
	}
	return &term{kind: kindProduct, coef: c, args: factors}
}

// monic returns t without its coefficient.
func (z *normalizer) monic(t *term) *term {
	if t.kind == kindProduct && !t.coef.is(1) {
		return z.monomial(coefOne, t.args)
	}
	return t
}

// sum adds terms. It flattens nested sums and merges like terms.
func (z *normalizer) sum(terms ...*term) *term {
	flat := make([]*term, 0, len(terms)+4)
	constant := coefZero
	var open func(t *term)
	open = func(t *term) {
		switch t.kind {
		case kindNumber:
			constant = constant.add(t.coef)
		case kindSum:
			for _, a := range t.args {
				open(a)
			}
		case kindProduct:
			if len(t.args) > 1 || t.args[0].kind != kindSum {
				flat = append(flat, t)
				break
			}
			for _, a := range t.args[0].args {
				open(z.scale(t.coef, a))
			}
		default:
			flat = append(flat, t)
		}
	}
	for _, t := range terms {
		open(t)
	}
	if slices.Contains(flat, termUndefined) || !constant.finite() {
		return termUndefined
	}
	slices.SortStableFunc(flat, compare)
	merged := flat[:0]
	for i := 0; i < len(flat); {
		t, j := flat[i], i+1
		for c := t.numFactor(); j < len(flat) && compareMonomials(flat[i], flat[j]) == 0; j++ {
			c = c.add(flat[j].numFactor())
			t = z.scale(c, z.monic(flat[i]))
		}
		i = j
		switch {
		case t == termZero:
		// Adding coefficients may leave a single sum or a number: flatten again.
		case t.kind == kindSum || t.kind == kindNumber:
			return z.sum(append(append([]*term{numberTerm(constant), t}, merged...), flat[i:]...)...)
		default:
			merged = append(merged, t)
		}
	}
	if !constant.is(0) {
		merged = append(merged, numberTerm(constant))
	}
	switch len(merged) {
	case 0:
		return termZero
	case 1:
		return merged[0]
	}
	return &term{kind: kindSum, args: slices.Clip(merged)}
}

// product multiplies terms. It flattens nested products and merges powers of the same base.
func (z *normalizer) product(terms ...*term) *term {
	c := coefOne
	flat := make([]*term, 0, len(terms)+4)
	for _, t := range terms {
		switch t.kind {
		case kindNumber:
			c = c.mul(t.coef)
		case kindProduct:
			c = c.mul(t.coef)
			flat = append(flat, t.args...)
		default:
			flat = append(flat, t)
		}
	}
	switch {
	case slices.Contains(flat, termUndefined) || !c.finite():
		return termUndefined
	case c.is(0):
		return termZero
	}
	if len(flat) > 1 {
		for i, t := range flat {
			if t.kind == kindSum {
				content, rest := z.primitive(t)
				c, flat[i] = c.mul(content), rest
			}
		}
	}
	slices.SortStableFunc(flat, compareFactors)
	merged := flat[:0]
	for i := 0; i < len(flat); {
		t, j := flat[i], i+1
		for ; j < len(flat) && compareBases(t.base(), flat[j].base()) == 0; j++ {
		}
		if j > i+1 {
			exponents := make([]*term, 0, j-i)
			for _, f := range flat[i:j] {
				exponents = append(exponents, f.exponent())
			}
			t = z.power(t.base(), z.sum(exponents...))
			if t.kind == kindNumber || t.kind == kindProduct || compareBases(t.base(), flat[i].base()) != 0 {
				rest := append(append([]*term{numberTerm(c), t}, merged...), flat[j:]...)
				return z.product(rest...)
			}
		}
		merged = append(merged, t)
		i = j
	}
	return z.monomial(c, slices.Clip(merged))
}

// primitive returns content and rest with t = content·rest for a sum t. All multiples of t have the
// same rest. The first term of rest is positive.
//
// If all coefficients are fractions, content is such that the coefficients of rest are whole
// numbers without a common divisor. Otherwise content is ±1. A term with a free constant absorbs
// any factor, so content is ±1 as well if there is such a term.
//
// A hashing normalizer treats terms with a free constant like others. If not all coefficients are
// fractions, the absolute value of its content is that of the sum's number, or of the first
// coefficient if there is no number.
func (z *normalizer) primitive(t *term) (content coef, rest *term) {
	content = coefOne
	if coefs, ok := fractions(t); ok && (z.hashing || !slices.ContainsFunc(t.args, (*term).hasParam)) {
		var num, den int64 = 0, 1
		for _, c := range coefs {
			num = gcd(num, c.p)
			den = den / gcd(den, c.q) * c.q
			if den > maxDen {
				num, den = 1, 1
				break
			}
		}
		content = ratio(num, den)
	} else if z.hashing {
		content = t.args[0].numFactor().abs()
		if last := t.args[len(t.args)-1]; last.isNumber() {
			content = last.coef.abs()
		}
	}
	if t.args[0].numFactor().sign() < 0 {
		content = content.neg()
	}
	rest = z.eachTerm(t, func(a *term) *term {
		c := a.numFactor().div(content)
		if !a.isNumber() {
			return z.monomial(c, a.factors())
		} else {
			return numberTerm(c)
		}
	})
	if rest.kind != kindSum || len(rest.args) != len(t.args) {
		return coefOne, t
	}
	return content, rest
}

// isParam reports whether t is a free constant.
func (t *term) isParam() bool { return t.kind == kindLeaf && t.op == Param }

// hasParam reports whether a free constant is a factor of t.
func (t *term) hasParam() bool { return slices.ContainsFunc(t.factors(), (*term).isParam) }

// fractions returns the coefficients of a sum. ok reports whether all of them are fractions.
func fractions(t *term) (coefs []coef, ok bool) {
	coefs = make([]coef, len(t.args))
	for i, a := range t.args {
		if coefs[i] = a.numFactor(); coefs[i].q == 0 {
			return nil, false
		}
	}
	return coefs, true
}
