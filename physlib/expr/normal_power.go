package expr

import "math"

// power returns b to the e.
func (z *normalizer) power(b, e *term) *term {
	if b == termUndefined || e == termUndefined {
		return termUndefined
	}
	if !e.isNumber() {
		return z.symbolicPower(b, e)
	}
	switch n := e.coef; {
	case n.is(0):
		return termOne
	case n.is(1):
		return b
	case b.isNumber():
		return z.numberPower(b.coef, n)
	case b.kind == kindPower:
		return z.powerOfPower(b, e)
	case b.kind == kindCall && b.op == Abs && n.isInt() && n.p%2 == 0:
		return z.power(b.args[0], e)
	case b.kind == kindProduct && n.isInt():
		factors := make([]*term, 0, len(b.args)+1)
		for _, f := range b.args {
			factors = append(factors, z.power(f, e))
		}
		return z.product(append(factors, z.numberPower(b.coef, n))...)
	case b.kind == kindProduct:
		return z.rootOfProduct(b, e)
	case b.kind == kindSum:
		return z.powerOfSum(b, e)
	}
	return &term{kind: kindPower, args: []*term{b, e}}
}

// powerOfPower returns b to the power e, where b is itself a power uᵛ. If u may be negative, a root
// of an even power needs an absolute value: √(u²) = |u|.
func (z *normalizer) powerOfPower(b, e *term) *term {
	u, v := b.args[0], b.args[1]
	switch {
	case e.coef.isInt() || u.isNonNegative():
		return z.power(u, z.product(v, e))
	case !v.isNumber():
		return &term{kind: kindPower, args: []*term{b, e}}
	case v.coef.isInt() && v.coef.p%2 == 0:
		return z.power(z.call(Abs, u), z.product(v, e))
	}
	return z.power(u, z.product(v, e))
}

// rootOfProduct returns b to the power e for a product b and a fraction e. Factors that cannot be
// negative come out of the root.
func (z *normalizer) rootOfProduct(b, e *term) *term {
	outside := []*term{z.power(numberTerm(b.coef.abs()), e)}
	var inside []*term
	for _, f := range b.args {
		if f.isNonNegative() {
			outside = append(outside, z.power(f, e))
		} else {
			inside = append(inside, f)
		}
	}
	negative := b.coef.sign() < 0
	if !negative && len(inside) > 1 { // √(x³·y) = |x|·√(x·y)
		for i, f := range inside {
			if n := f.exponent(); n.isNumber() && n.coef.isInt() && (n.coef.p > 1 || n.coef.p < -1) {
				odd := n.coef.p % 2
				outside = append(outside, z.power(z.call(Abs, f.base()), z.product(integer(n.coef.p-odd), e)))
				inside[i] = z.power(f.base(), integer(odd))
			}
		}
	}
	switch {
	case negative && len(inside) == 1 && inside[0].kind == kindSum:
		outside = append(outside, z.power(z.scale(coef{p: -1, q: 1}, inside[0]), e))
	case negative && len(inside) == 0:
		return termUndefined
	case negative:
		root := z.monomial(coef{p: -1, q: 1}, inside)
		outside = append(outside, &term{kind: kindPower, args: []*term{root, e}})
	case len(inside) == 1:
		outside = append(outside, z.power(inside[0], e))
	case len(inside) > 1:
		outside = append(outside, &term{kind: kindPower, args: []*term{z.monomial(coefOne, inside), e}})
	}
	return z.product(outside...)
}

// powerOfSum returns b to the power e for a sum b and a number e. The content of b comes out as a
// factor; for a root, it comes out without its sign.
func (z *normalizer) powerOfSum(b, e *term) *term {
	content, rest := z.primitive(b)
	if !e.coef.isInt() && content.sign() < 0 {
		content, rest = content.neg(), z.scale(coef{p: -1, q: 1}, rest)
	}
	root := &term{kind: kindPower, args: []*term{rest, e}}
	if content.is(1) {
		return root
	}
	return z.product(z.numberPower(content, e.coef), root)
}

// numberPower returns b to the power e for two numbers. Roots of whole numbers stay exact, prime by
// prime: √12 = 2·3**(1/2).
func (z *normalizer) numberPower(b, e coef) *term {
	asIs := func() *term { return &term{kind: kindPower, args: []*term{numberTerm(b), numberTerm(e)}} }
	switch {
	case b.is(1):
		return termOne
	case e.is(0):
		return termOne
	case e.is(1):
		return numberTerm(b)
	case b.is(0):
		if e.sign() > 0 {
			return termZero
		}
		return termUndefined
	case e.isInt():
		if r := b.pow(e.p); r.finite() && !r.is(0) {
			return numberTerm(r)
		}
		return asIs()
	case b.sign() < 0:
		return termUndefined
	}
	if e.q > 0 && b.q > 0 && e.q <= 12 && e.abs().float() <= 8 {
		if t := z.surd(b, e); t != nil {
			return t
		}
	}
	if r := math.Pow(b.float(), e.float()); r > 0 && !math.IsInf(r, 0) {
		return numberTerm(newCoef(r))
	}
	return asIs()
}

// surd returns bᵉ as a product of a number and roots of primes, for fractions b > 0 and e. It
// returns nil if b has a prime factor above 1000.
func (z *normalizer) surd(b, e coef) *term {
	out := coefOne
	var roots []*term
	take := func(prime, times int64) {
		n := e.mul(coef{p: times, q: 1})
		whole := int64(math.Floor(n.float()))
		out = out.mul(coef{p: prime, q: 1}.pow(whole))
		if rest := n.add(coef{p: -whole, q: 1}); !rest.is(0) {
			roots = append(roots, &term{kind: kindPower, args: []*term{integer(prime), numberTerm(rest)}})
		}
	}
	for side, n := range []int64{b.p, b.q} {
		for prime := int64(2); n > 1; prime++ {
			if prime*prime > n {
				prime = n
			}
			if prime > 1000 {
				return nil
			}
			times := int64(0)
			for ; n%prime == 0; n /= prime {
				times++
			}
			if times > 0 {
				take(prime, times*int64(1-2*side))
			}
		}
	}
	if out.q == 0 {
		return nil
	}
	if len(roots) == 0 {
		return numberTerm(out)
	}
	if len(roots) == 1 && out.is(1) {
		return roots[0]
	}
	return z.product(append(roots, numberTerm(out))...)
}

// symbolicPower returns b to the power e, where e is not a number.
func (z *normalizer) symbolicPower(b, e *term) *term {
	switch {
	case b == termOne:
		return termOne
	case b.kind == kindLeaf && b.op == Euler:
		return z.exp(e)
	case b.isNumber() && b.coef.sign() > 0:
		return z.numberToThe(b, e)
	case b.kind == kindPower && b.args[0].isNonNegative() && !(b.args[0].isNumber() && b.args[0].coef.is(0)):
		return z.power(b.args[0], z.product(b.args[1], e))
	}
	return &term{kind: kindPower, args: []*term{b, e}}
}

// numberToThe returns b to the power e for a positive number b: 2**(x + 3) = 8·2**x and 2**(3·x) =
// 8**x.
func (z *normalizer) numberToThe(b, e *term) *term {
	if e.kind == kindSum {
		last := e.args[len(e.args)-1]
		if !last.isNumber() || math.Abs(last.coef.float()) > 64 {
			return &term{kind: kindPower, args: []*term{b, e}}
		}
		whole := coef{p: int64(math.Floor(last.coef.float())), q: 1}
		front := z.numberPower(b.coef, whole)
		if whole.is(0) || !front.isNumber() || front.coef.q == 0 {
			return &term{kind: kindPower, args: []*term{b, e}}
		}
		return z.product(front, z.power(b, z.sum(e, numberTerm(whole.neg()))))
	}
	if c := e.numFactor(); c.isInt() && !c.is(1) && c.p*c.p <= 64 {
		if folded := b.coef.pow(c.p); folded.q > 0 {
			return z.power(numberTerm(folded), z.monic(e))
		}
	}
	return &term{kind: kindPower, args: []*term{b, e}}
}

// exp returns eᵘ, where u is not a number. Logarithms in u become powers: exp(a + 2·log(x)) =
// exp(a)·x² and, for a free constant c, exp(a + c·log(x)) = exp(a)·xᶜ.
func (z *normalizer) exp(u *term) *term {
	terms := []*term{u}
	if u.kind == kindSum {
		terms = u.args
	}
	var rest, factors []*term
	for _, t := range terms {
		if log, by := z.logarithm(t); log != nil {
			factors = append(factors, z.power(log.args[0], by))
			continue
		}
		rest = append(rest, t)
	}
	if len(factors) == 0 {
		return &term{kind: kindPower, args: []*term{termE, u}}
	}
	return z.product(append(factors, z.power(termE, z.sum(rest...)))...)
}

// logarithm returns the logarithm in a product of a logarithm, a number and free constants, and the
// product of its other factors. log is nil if t is not such a product.
func (z *normalizer) logarithm(t *term) (log, by *term) {
	others := []*term{numberTerm(t.numFactor())}
	for _, f := range z.monic(t).factors() {
		switch {
		case log == nil && f.kind == kindCall && f.op == Log:
			log = f
		case f.isParam():
			others = append(others, f)
		default:
			return nil, nil
		}
	}
	return log, z.product(others...)
}
