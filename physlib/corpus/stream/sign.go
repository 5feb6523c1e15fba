package stream

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// hasUnit reports whether p contains a coefficient of 1 or -1, which has no free sign.
func (a *algebra) hasUnit(p form) bool {
	if s := p.loneSum(); s != nil {
		return slices.ContainsFunc(s.sum, func(t addend) bool { return t.c.isUnit() })
	}
	if p.c.isUnit() {
		return true
	}
	_, _, ok := a.distribute(p.c, p.f)
	return ok
}

// orient returns p or -p, and the factor 1 or -1 by which p was multiplied. In the result, the
// first addend with coefficient ±1 is positive.
func (a *algebra) orient(p form) (form, float64) {
	if s := p.loneSum(); s != nil {
		if a.leadingSign(s.sum, one) < 0 {
			return form{one, []factor{{a.scaleSum(number(-1), s), quarters}}}, -1
		}
		return p, 1
	}
	if p.c.isNumber(-1) {
		return form{one, p.f}, -1
	}
	if !p.c.isUnit() {
		if _, s, ok := a.distribute(p.c, p.f); ok && a.leadingSign(s.sum, one) < 0 {
			return form{p.c.neg(), p.f}, -1
		}
	}
	return p, 1
}

// leadingSign returns the sign of the first term that has the coefficient c or -c and whose sign
// cannot be absorbed. Terms with variables have precedence over a constant term. If there is no
// such term, leadingSign returns 1.
func (a *algebra) leadingSign(terms []addend, c coef) float64 {
	sign := 1.0
	for _, t := range terms {
		if !t.c.same(c) || flexible(t.f) >= 0 {
			continue
		}
		sign = math.Copysign(1, t.c.v)
		if len(t.f) > 0 {
			break
		}
	}
	return sign
}

// flexible returns the index of a factor that can absorb the sign of f, or -1. Such a factor is an
// odd power of an odd function with a free constant in its argument, such as sin(c·x).
func flexible(f []factor) int {
	return slices.IndexFunc(f, func(x factor) bool {
		return isOdd[x.base.op] && x.pow%(2*quarters) != 0 && x.pow%quarters == 0 && !x.base.fixed
	})
}

var isOdd = [256]bool{expr.Sin: true, expr.Tan: true, expr.Asin: true, expr.Atan: true, expr.Sinh: true, expr.Tanh: true}

// difference returns the index of the first factor of f that is an odd power of a sum with terms of
// both signs, or -1.
func difference(f []factor) int {
	return slices.IndexFunc(f, func(x factor) bool {
		if x.base.op != expr.Add || x.pow%quarters != 0 || x.pow%(2*quarters) == 0 {
			return false
		}
		_, mixed := signs(x.base.sum)
		return mixed
	})
}

// flipped returns -b if b is a sum, an odd function or a logarithm. ok is false for other bases.
func (a *algebra) flipped(b *base) (*base, bool) {
	switch {
	case b.op == expr.Add:
		return a.scaleSum(number(-1), b), true
	case b.op == expr.Log:
		return a.make(base{op: b.op, arg: a.power(b.arg, -quarters)}), true
	case isOdd[b.op]:
		return a.make(base{op: b.op, arg: a.times(constant(number(-1)), b.arg)}), true
	}
	return b, false
}

// flip changes the sign of the first factor of f that can be negated. It reports whether there is
// one. It prefers differences to other sums, and sums to functions.
func (a *algebra) flip(f []factor) bool {
	if i := difference(f); i >= 0 {
		f[i].base = a.scaleSum(number(-1), f[i].base)
		return true
	}
	for _, sums := range [2]bool{true, false} {
		for i, x := range f {
			if (x.base.op == expr.Add) != sums || x.pow%quarters != 0 || x.pow%(2*quarters) == 0 {
				continue
			}
			if b, ok := a.flipped(x.base); ok {
				f[i].base = b
				return true
			}
		}
	}
	return false
}
