package stream

import (
	"cmp"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// plus returns the sum of ps. Factors that all addends share are taken out.
func (a *algebra) plus(ps ...form) form {
	n := 0
	for _, p := range ps {
		if s := p.loneSum(); s != nil {
			n += len(s.sum)
		} else {
			n++
		}
	}
	terms := a.addends.take(n)[:0]
	for _, p := range ps {
		if s := p.loneSum(); s != nil {
			terms = append(terms, s.sum...)
		} else if !p.c.isZero() {
			terms = append(terms, addend(p))
		}
	}
	return a.total(terms)
}

func (a *algebra) total(terms []addend) form {
	if a.exhausted() {
		return constant(one)
	}
	merged := a.addends.take(len(terms))[:0]
next:
	for _, t := range terms {
		h := hashFactors(t.f)
		for i := range merged {
			if hashFactors(merged[i].f) == h {
				merged[i].c = a.add(merged[i].c, t.c)
				continue next
			}
		}
		merged = append(merged, t)
	}
	merged = slices.DeleteFunc(merged, func(t addend) bool { return t.c.isZero() })
	merged = a.mergeHyperbolic(merged)
	switch len(merged) {
	case 0:
		return constant(coef{})
	case 1:
		return a.collect(merged[0].c, a.factors.copy(merged[0].f, 0))
	}
	if common := shared(merged); len(common) > 0 {
		inverse := a.factors.take(len(common))
		for i, x := range common {
			inverse[i] = factor{x.base, -x.pow}
		}
		rest := make([]form, len(merged))
		for i, t := range merged {
			rest[i] = a.collect(t.c, append(a.factors.copy(t.f, len(inverse)), inverse...))
		}
		return a.times(form{one, common}, a.plus(rest...))
	}
	slices.SortStableFunc(merged, func(x, y addend) int {
		if c := compareFactors(x.f, y.f); c != 0 {
			return c
		}
		return cmp.Compare(hashFactors(x.f), hashFactors(y.f))
	})
	return form{one, a.single(a.make(base{op: expr.Add, sum: merged}), quarters)}
}

// shared returns the powers that all terms have as a factor. The exponent of each is the least with
// which its base occurs in a term. So after division by these powers, no term has a negative power
// of such a base.
func shared(terms []addend) []factor {
	var out []factor
	for i, t := range terms {
		for _, x := range t.f {
			if i > 0 && x.pow > 0 || slices.ContainsFunc(out, func(o factor) bool { return o.base.hash == x.base.hash }) {
				continue // the base is missing in the first term, so the least exponent may be 0
			}
			least, most := x.pow, x.pow
			for _, u := range terms {
				pow := int8(0)
				for _, y := range u.f {
					if y.base.hash == x.base.hash {
						pow = y.pow
					}
				}
				least, most = min(least, pow), max(most, pow)
			}
			if least != 0 && (x.base.op != expr.Exp || least*most >= 0) {
				out = append(out, factor{x.base, least})
			}
		}
	}
	slices.SortStableFunc(out, func(x, y factor) int { return compare(x.base, y.base) })
	return out
}

// primitive splits s into content·rest, such that as many coefficients of rest as possible are ±1.
// If positive is true, content is positive. Otherwise the sign of content is such that the first
// coefficient of rest that is ±1 is +1 (see leadingSign).
func (a *algebra) primitive(s *base, positive bool) (content coef, rest *base) {
	best, size := -1, 0
	for i, t := range s.sum {
		if len(t.f) == 0 {
			continue
		}
		n := 0
		for _, u := range s.sum {
			if u.c.same(t.c) {
				n++
			}
		}
		if n > size {
			best, size = i, n
		}
	}
	if best < 0 {
		a.bad = true
		return one, s
	}
	content = s.sum[best].c.abs()
	if !positive && a.leadingSign(s.sum, content) < 0 {
		content = content.neg()
	}
	if content.isNumber(1) {
		return one, s
	}
	return content, a.scaleSum(a.pow(content, -quarters), s)
}

func (a *algebra) scaleSum(c coef, s *base) *base {
	terms := a.addends.take(len(s.sum))
	for i, t := range s.sum {
		terms[i] = addend{a.mul(c, t.c), t.f}
	}
	return a.make(base{op: expr.Add, sum: terms})
}

// distribute moves the constant c into a sum among the factors f. at is the index of that sum, and
// s is the new sum. ok reports whether this succeeds: the product then has no constant in front,
// and the sum has a coefficient ±1.
func (a *algebra) distribute(c coef, f []factor) (at int, s *base, ok bool) {
	for i, x := range f {
		if x.base.op != expr.Add {
			continue
		}
		if c.v < 0 && x.pow%(2*quarters) != quarters && x.pow%(2*quarters) != -quarters {
			continue
		}
		if quarters*quarters%int(x.pow) != 0 {
			continue
		}
		r := a.pow(c, int8(quarters*quarters/int(x.pow)))
		for _, t := range x.base.sum {
			if a.mul(r, t.c).isUnit() {
				return i, a.scaleSum(r, x.base), true
			}
		}
	}
	return 0, nil, false
}

// mergeHyperbolic replaces eᵃ + e⁻ᵃ by 2 cosh a and eᵃ - e⁻ᵃ by 2 sinh a, if both exponentials have
// the same other factors.
func (a *algebra) mergeHyperbolic(terms []addend) []addend {
	for i, t := range terms {
		for j := i + 1; j < len(terms); j++ {
			u := terms[j]
			at, ok := a.inverseAt(t.f, u.f)
			if !ok || !t.c.same(u.c) {
				continue
			}
			op, c := expr.Cosh, t.c
			if t.c.v*u.c.v < 0 {
				op = expr.Sinh
				c.v *= float64(t.f[at].pow) / quarters
			}
			f := slices.Clone(t.f)
			f[at] = factor{a.make(base{op: op, arg: t.f[at].base.arg}), quarters}
			h := a.collect(a.mul(c, number(2)), f)
			rest := slices.Delete(slices.Delete(slices.Clone(terms), j, j+1), i, i+1)
			return a.mergeHyperbolic(append(rest, addend(h)))
		}
	}
	return terms
}

// inverseAt returns the index of the only factor in which f and g differ. ok is false if they
// differ in other ways. The two factors must be an exponential and its inverse.
func (a *algebra) inverseAt(f, g []factor) (at int, ok bool) {
	if len(f) != len(g) {
		return 0, false
	}
	for k, x := range f {
		y := g[k]
		if x.base.hash == y.base.hash && x.pow == y.pow {
			continue
		}
		inverse := x.base.op == expr.Exp && x.base.hash == y.base.hash && x.pow == -y.pow
		if ok || !inverse && !a.opposite(x, y) {
			return 0, false
		}
		at, ok = k, true
	}
	return at, ok
}

// opposite reports whether x and y are eᵃ and e⁻ᵃ, where a contains free constants.
func (a *algebra) opposite(x, y factor) bool {
	if x.base.op != expr.Exp || y.base.op != expr.Exp || x.pow != quarters || y.pow != quarters || x.base.fixed {
		return false
	}
	return hashForm(a.times(constant(number(-1)), y.base.arg)) == hashForm(x.base.arg)
}
