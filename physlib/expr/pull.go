package expr

import (
	"math"
	"slices"
)

// pull returns t with a free constant moved out of a function or power. If t has no free constant
// in front, a constant inside moves to the front: log(c0*x) becomes log(x) + c0. A constant in a
// base moves to the exponent: c0**x becomes exp(c0*x). A number in front moves into a sum whose
// constants can absorb it.
func (a *absorber) pull(t *term) *term {
	if t.kind == kindCall && t.op == Log {
		front, inside, free := a.split(t.args[0])
		if c := a.constant(math.Log(front.initial()), front); free && c != nil {
			return a.z.sum(a.z.call(Log, inside), c)
		}
		return t
	}
	if t.kind == kindPower {
		b, n := t.args[0], t.args[1]
		if k := b.exponent(); b.kind == kindPower && k.isNumber() && a.isFree(n) {
			return a.z.power(b.base(), a.constant(n.start*k.coef.float(), n))
		}
		front, rest, free := a.split(n)
		_, freeBase := a.isFixed(b)
		constant, _ := constantPart(b)
		fixed, _ := constantPart(n)
		isE := b.kind == kindLeaf && b.op == Euler
		v := b.initial()
		ordinary := v > 0 && !isE && (v != 1 || b.isParam())
		if ordinary && constant && !fixed && (free || freeBase) {
			if c := a.constant(front.initial()*math.Log(v), front, b); c != nil {
				return a.z.power(termE, a.z.product(c, rest))
			}
		}
	}
	front, rest, _ := a.split(t)
	factors := slices.Clone(rest.factors())
	for i, f := range factors {
		r, by, donor := a.inner(f, false)
		if donor == nil {
			continue
		}
		if c := a.constant(front.initial()*by, donor); c != nil {
			factors[i] = r
			return a.z.product(append(factors, c)...)
		}
	}
	if v := front.initial(); v != 1 && v != 0 && !math.IsInf(v, 0) {
		for i, f := range factors {
			n := f.exponent()
			if !n.isNumber() || !n.coef.abs().is(1) {
				continue
			}
			sum := a.scaleSum(f.base(), math.Pow(v, n.coef.float()))
			if sum != nil {
				factors[i] = a.z.power(sum, n)
				return a.z.product(factors...)
			}
			if sum = a.flip(f.base()); sum != nil && v < 0 {
				factors[i] = a.z.power(sum, n)
				return a.z.product(append(factors, a.z.scale(coef{p: -1, q: 1}, front))...)
			}
		}
	}
	return t
}

// inner returns rest = f/by, where by is a factor that contains a free constant of f. So √(c0*x) is
// √x times √c0, and exp(c1*x + c0) is exp(c1*x) times exp(c0). donor contains the constant; it is
// nil if there is no such constant. If all is true, numbers and constants that occur several times
// may also be taken out of a product.
func (a *absorber) inner(f *term, all bool) (rest *term, by float64, donor *term) {
	if f.kind != kindPower {
		return f, 1, nil
	}
	b, n := f.args[0], f.args[1]
	if constant, _ := constantPart(n); constant && b.kind == kindProduct {
		front, inside, free := a.split(b)
		by = math.Pow(front.initial(), n.initial())
		if (free || all && front != termOne) && front.initial() > 0 && by > 0 && !math.IsInf(by, 0) {
			return a.z.power(inside, n), by, front
		}
	}
	if b.kind == kindLeaf && b.op == Euler && n.kind == kindSum {
		for i, s := range n.args {
			by = math.Exp(s.initial())
			if fixed, free := a.isFixed(s); fixed && free && by > 0 && !math.IsInf(by, 0) {
				rest := slices.Delete(slices.Clone(n.args), i, i+1)
				return a.z.power(b, a.z.sum(rest...)), by, s
			}
		}
	}
	return f, 1, nil
}

// flip returns -t for a sum t if every term is negative or can absorb the sign, and at least one
// term can absorb the sign. Otherwise it returns nil.
func (a *absorber) flip(t *term) *term {
	if t.kind != kindSum {
		return nil
	}
	terms, some := make([]*term, len(t.args)), false
	for i, s := range t.args {
		front, rest, free := a.split(s)
		c := a.constant(-front.initial(), front)
		switch {
		case free && c != nil:
			terms[i], some = a.z.product(c, rest), true
		case s.numFactor().sign() < 0:
			terms[i] = a.z.scale(coef{p: -1, q: 1}, s)
		default:
			return nil
		}
	}
	if !some {
		return nil
	}
	return a.z.sum(terms...)
}

// distribute returns c·t as a sum, for a sum t in which all terms but one have a free constant that
// can absorb c. Otherwise it returns nil.
func (a *absorber) distribute(c, t *term) *term {
	if t.kind != kindSum || c.start == 0 {
		return nil
	}
	lacking := 0
	terms := make([]*term, len(t.args))
	for i, s := range t.args {
		front, rest, free := a.split(s)
		own := a.constant(front.initial()*c.start, front)
		if !free || own == nil {
			lacking++
			own = &term{kind: kindLeaf, op: Param, index: c.index, start: front.initial() * c.start}
		}
		terms[i] = a.z.product(own, rest)
	}
	if lacking > 1 {
		return nil
	}
	return a.z.sum(terms...)
}
