package expr

import "math"

// call returns the term op(a) for a function op that is not a power.
func (z *normalizer) call(op Op, a *term) *term {
	switch {
	case a == termUndefined:
		return a
	case a.isNumber():
		return z.callOfNumber(op, a)
	}
	switch op {
	case Abs:
		return z.abs(a)
	case Log:
		return z.log(a)
	}
	o := &operators[op]
	switch {
	case o.Parity == Even && leadingSign(a) < 0:
		a = z.scale(coef{p: -1, q: 1}, a)
	case o.Parity == Odd && leadingSign(a) < 0:
		return z.scale(coef{p: -1, q: 1}, z.call(op, z.scale(coef{p: -1, q: 1}, a)))
	}
	if o.Undoes != 0 && a.kind == kindCall && a.op == o.Undoes {
		return a.args[0]
	}
	if c := a.numFactor(); c.q > 0 && len(a.factors()) == 1 && a.factors()[0] == termPi {
		if v, ok := trigOfPi(op, c); ok {
			return numberTerm(v)
		}
	}
	return &term{kind: kindCall, op: op, args: []*term{a}}
}

// call2 returns the term of a function of two operands that is not a sum, product or power.
func (z *normalizer) call2(op Op, a, b *term) *term {
	o := &operators[op]
	switch {
	case a == termUndefined || b == termUndefined:
		return termUndefined
	case a.isNumber() && b.isNumber():
		return foldedNumber(apply(op, a.coef.float(), b.coef.float()))
	case o.Commutes && compare(a, b) > 0:
		a, b = b, a
	}
	if o.Idempotent && compare(a, b) == 0 {
		return a
	}
	return &term{kind: kindCall, op: op, args: []*term{a, b}}
}

// leadingSign returns the sign of the coefficient of a, or for a sum, of its first term.
func leadingSign(a *term) int {
	if a.kind == kindSum {
		a = a.args[0]
	}
	return a.numFactor().sign()
}

// callOfNumber returns a function of a number.
func (z *normalizer) callOfNumber(op Op, a *term) *term {
	if f := piFraction(op, a.coef); !f.is(0) {
		return z.scale(f, termPi)
	}
	return foldedNumber(apply(op, a.coef.float(), 0))
}

func foldedNumber(v float64) *term {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return termUndefined
	}
	return numberTerm(newCoef(v))
}

// piFraction returns the number whose product with π is the inverse trigonometric function op of c.
// It returns 0 if there is no such number.
func piFraction(op Op, c coef) coef {
	twice := c.mul(coef{p: 2, q: 1})
	switch {
	case op == Atan && c.isInt() && c.abs().is(1):
		return coef{p: c.p, q: 4}
	case (op == Asin || op == Acos) && twice.isInt() && twice.p >= -2 && twice.p <= 2:
		asin := [5]coef{{p: -1, q: 2}, {p: -1, q: 6}, coefZero, {p: 1, q: 6}, {p: 1, q: 2}}[twice.p+2]
		if op == Asin {
			return asin
		}
		return coef{p: 1, q: 2}.add(asin.neg())
	}
	return coefZero
}

// trigOfPi returns sin, cos or tan of c·π. ok reports whether the value is 0, ±1/2 or ±1.
func trigOfPi(op Op, c coef) (coef, bool) {
	switch op {
	case Sin:
		return sinOfPi(c)
	case Cos:
		return sinOfPi(c.add(coef{p: 1, q: 2}))
	case Tan:
		if quarters := c.mul(coef{p: 4, q: 1}); quarters.isInt() && quarters.p%4 != 2 && quarters.p%4 != -2 {
			return [4]coef{coefZero, coefOne, coefZero, {p: -1, q: 1}}[(quarters.p%4+4)%4], true
		}
	}
	return coefZero, false
}

func sinOfPi(c coef) (coef, bool) {
	sixths := c.mul(coef{p: 6, q: 1})
	if !sixths.isInt() {
		return coefZero, false
	}
	switch (sixths.p%12 + 12) % 12 {
	case 0, 6:
		return coefZero, true
	case 1, 5:
		return coef{p: 1, q: 2}, true
	case 3:
		return coefOne, true
	case 7, 11:
		return coef{p: -1, q: 2}, true
	case 9:
		return coef{p: -1, q: 1}, true
	}
	return coefZero, false
}

// abs returns the term of |a|. For a product it is the product of absolute values.
func (z *normalizer) abs(a *term) *term {
	switch {
	case a.isNumber():
		return numberTerm(a.coef.abs())
	case a.isNonNegative():
		return a
	case a.kind == kindProduct:
		factors := []*term{numberTerm(a.coef.abs())}
		for _, f := range a.args {
			factors = append(factors, z.abs(f))
		}
		return z.product(factors...)
	case a.kind == kindPower && a.args[1].isNumber() && a.args[1].coef.isInt() && !a.args[0].isNumber():
		return z.power(z.abs(a.args[0]), a.args[1])
	case a.kind == kindSum && leadingSign(a) < 0:
		return z.abs(z.scale(coef{p: -1, q: 1}, a))
	}
	if a.kind == kindSum {
		if content, rest := z.primitive(a); !content.is(1) {
			return z.scale(content, z.abs(rest))
		}
	}
	return &term{kind: kindCall, op: Abs, args: []*term{a}}
}

// log returns the term of the logarithm of a, which must not be a number. The exponent of a power
// comes to the front if it is a number or if the base is not negative.
func (z *normalizer) log(a *term) *term {
	if a.kind == kindLeaf && a.op == Euler {
		return termOne
	}
	if a.kind == kindPower {
		u, v := a.args[0], a.args[1]
		switch {
		case u.isNonNegative():
			return z.product(v, z.call(Log, u))
		case v.isNumber() && v.coef.isInt() && v.coef.p%2 == 0:
			return z.product(v, z.call(Log, z.call(Abs, u)))
		case v.isNumber():
			return z.product(v, z.call(Log, u))
		}
	}
	if z.hashing {
		switch {
		case a.kind == kindProduct:
			terms := []*term{z.logOfNumber(a.coef)}
			for _, f := range a.args {
				terms = append(terms, z.log(f))
			}
			return z.sum(terms...)
		case a.kind == kindSum:
			if content, rest := z.primitive(a); !content.is(1) {
				return z.sum(z.logOfNumber(content), z.log(rest))
			}
		}
	}
	return &term{kind: kindCall, op: Log, args: []*term{a}}
}

// logOfNumber returns log|c|, plus a term log(-1) if c is negative. With this term, the logarithm
// of a product is always the sum of the logarithms.
func (z *normalizer) logOfNumber(c coef) *term {
	log := numberTerm(newCoef(math.Log(c.abs().float())))
	if c.sign() < 0 {
		log = z.sum(log, &term{kind: kindCall, op: Log, args: []*term{integer(-1)}})
	}
	return log
}
