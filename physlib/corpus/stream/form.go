package stream

import (
	"cmp"
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// quarters is the exponent 1: exponents are whole numbers of quarters, so that √√x has one.
const quarters = 4

// maxPower is the largest exponent of a form.
const maxPower = 12 * quarters

// A form is the constant c times a product of powers: the way every expression is kept while it is normalised. A sum
// alone is one factor with the power 1 that keeps its coefficients; every other sum is primitive.
type form struct {
	c coef
	f []factor // by compare; no base twice
}

type factor struct {
	base *base
	pow  int8 // in quarters
}

// A base is what has powers: a variable, a function, or a sum. It is immutable.
type base struct {
	op   expr.Op  // Var, a function, or Add for any sum
	id   int32    // of a variable
	arg  form     // of a function
	sum  []addend // by compareFactors; the constant, if any, comes first
	hash uint64   // equal for equal bases
	size int      // about its number of tokens
	// fixed tells of a function that its argument has a part without a constant, so that its sign is its own.
	fixed bool
}

// An addend is a coefficient times a product of powers; a constant has none.
type addend struct {
	c coef
	f []factor
}

// An algebra makes forms. What it makes holds together with the algebra that made it.
type algebra struct {
	factors arena[factor]
	addends arena[addend]
	bases   arena[base]
	forms   arena[form]
	symbols int32
	bad     bool // something has no form: a power that is no quarter, the logarithm of a negative number, 1/0
}

// reset forgets all forms.
func (a *algebra) reset() {
	a.factors.reset()
	a.addends.reset()
	a.bases.reset()
	a.forms.reset()
	a.symbols, a.bad = 0, false
}

// single is b to the power q/4.
func (a *algebra) single(b *base, q int8) []factor {
	f := a.factors.take(1)
	f[0] = factor{b, q}
	return f
}

func mix(h, x uint64) uint64 {
	h ^= x
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// make completes b.
func (a *algebra) make(b base) *base {
	h := mix(uint64(b.op)+1, uint64(uint32(b.id)))
	b.size = 1
	switch {
	case b.op == expr.Var:
	case b.op == expr.Add:
		b.size = -1
		for _, t := range b.sum {
			h = mix(mix(h, t.c.bits()), hashFactors(t.f))
			b.size += 1 + sizeFactors(t.f)
		}
	default:
		h = mix(mix(h, b.arg.c.bits()), hashFactors(b.arg.f))
		b.size = 1 + sizeFactors(b.arg.f)
		b.fixed = a.hasUnit(b.arg)
	}
	b.hash = h
	p := &a.bases.take(1)[0]
	*p = b
	return p
}

func hashFactors(f []factor) uint64 {
	h := uint64(len(f)) + 77
	for _, x := range f {
		h = mix(mix(h, x.base.hash), uint64(uint8(x.pow)))
	}
	return h
}

func sizeFactors(f []factor) int {
	n := max(len(f)-1, 0)
	for _, x := range f {
		n += x.base.size
		if x.pow != quarters {
			n++
		}
	}
	return n
}

// compare orders bases: the shorter first, then by kind, then by what is inside. Coefficients do not count.
func compare(a, b *base) int {
	if a == b || a.hash == b.hash {
		return 0
	}
	if c := cmp.Compare(a.size, b.size); c != 0 {
		return c
	}
	if c := cmp.Compare(a.op, b.op); c != 0 {
		return c
	}
	switch a.op {
	case expr.Var:
		return cmp.Compare(a.id, b.id)
	case expr.Add:
		return slices.CompareFunc(a.sum, b.sum, func(x, y addend) int { return compareFactors(x.f, y.f) })
	}
	return compareFactors(a.arg.f, b.arg.f)
}

func compareFactors(a, b []factor) int {
	if c := cmp.Compare(sizeFactors(a), sizeFactors(b)); c != 0 {
		return c
	}
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	for i := range a {
		if c := cmp.Compare(b[i].pow, a[i].pow); c != 0 {
			return c
		}
	}
	for i := range a {
		if c := compare(a[i].base, b[i].base); c != 0 {
			return c
		}
	}
	return 0
}

func constant(c coef) form { return form{c: c} }

func (a *algebra) variable(id int32) form {
	return form{one, a.single(a.make(base{op: expr.Var, id: id}), quarters)}
}

// fail marks what has no form.
func (a *algebra) fail() form {
	a.bad = true
	return constant(one)
}

func (p form) isConstant() bool { return len(p.f) == 0 }

// loneSum is the sum that p is, nil for other forms.
func (p form) loneSum() *base {
	if len(p.f) == 1 && p.f[0].pow == quarters && p.f[0].base.op == expr.Add {
		return p.f[0].base
	}
	return nil
}

// primitive is s = content·rest, where the largest class of coefficients that are equal up to sign becomes ±1 in rest
// and its first member +1, or keeps its sign where positive asks for a positive content.
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
	if !positive && a.leads(s.sum, content) < 0 {
		content = content.neg()
	}
	if content.isNumber(1) {
		return one, s
	}
	return content, a.scaleSum(a.pow(content, -quarters), s)
}

// leads is the sign of the first of the terms with a coefficient ±c whose sign is its own: a variable one before a
// constant one; 1 when there is none.
func (a *algebra) leads(terms []addend, c coef) float64 {
	sign := 1.0
	for _, t := range terms {
		if !t.c.same(c) || flexible(t.f) >= 0 {
			continue
		}
		if sign = math.Copysign(1, t.c.v); len(t.f) > 0 {
			break
		}
	}
	return sign
}

// flexible is the factor of f that takes any sign of f as its own, an odd function such as sin(c·x) with a constant in
// it; -1 when there is none.
func flexible(f []factor) int {
	return slices.IndexFunc(f, func(x factor) bool {
		return isOdd[x.base.op] && x.pow%(2*quarters) != 0 && x.pow%quarters == 0 && !x.base.fixed
	})
}

var isOdd = [256]bool{expr.Sin: true, expr.Tan: true, expr.Asin: true, expr.Atan: true, expr.Sinh: true, expr.Tanh: true}

// flipped is -b for a sum or an odd function or a logarithm.
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

func (a *algebra) scaleSum(c coef, s *base) *base {
	terms := a.addends.take(len(s.sum))
	for i, t := range s.sum {
		terms[i] = addend{a.mul(c, t.c), t.f}
	}
	return a.make(base{op: expr.Add, sum: terms})
}

// times is the product of ps.
func (a *algebra) times(ps ...form) form {
	c := one
	n := 0
	for _, p := range ps {
		n += len(p.f)
	}
	f := a.factors.take(n)[:0]
	for _, p := range ps {
		c = a.mul(c, p.c)
		f = append(f, p.f...)
	}
	if c.isZero() {
		return constant(coef{})
	}
	return a.collect(c, f)
}

// collect merges powers of one base, products of exponentials, and sin/cos.
func (a *algebra) collect(c coef, f []factor) form {
	if len(f) == 1 && f[0].pow == quarters && f[0].base.op == expr.Add {
		if c.isNumber(1) {
			return form{one, a.single(f[0].base, quarters)}
		}
		return form{one, a.single(a.scaleSum(c, f[0].base), quarters)}
	}
	for i := range f {
		if f[i].base.op == expr.Add {
			content, rest := a.primitive(f[i].base, f[i].pow%quarters != 0)
			c = a.mul(c, a.pow(content, f[i].pow))
			f[i].base = rest
		}
	}
	c, f = a.mergeExponentials(c, f)
	f = a.mergeQuotients(f)
	slices.SortStableFunc(f, func(x, y factor) int {
		if d := compare(x.base, y.base); d != 0 {
			return d
		}
		return cmp.Compare(x.base.hash, y.base.hash)
	})
	out := a.factors.take(len(f))[:0]
	for _, x := range f {
		if n := len(out); n > 0 && out[n-1].base.hash == x.base.hash {
			pow := int(out[n-1].pow) + int(x.pow)
			if pow > maxPower || pow < -maxPower {
				return a.fail()
			}
			if out[n-1].pow = int8(pow); pow == 0 {
				out = out[:n-1]
			}
			continue
		}
		if x.pow != 0 {
			out = append(out, x)
		}
	}
	if len(out) == 1 && out[0].pow == quarters && out[0].base.op == expr.Add {
		return a.collect(c, out)
	}
	return form{c, out}
}

// mergeExponentials is eᵃ·eᵇ = eᵃ⁺ᵇ.
func (a *algebra) mergeExponentials(c coef, f []factor) (coef, []factor) {
	n, plain := 0, true
	for _, x := range f {
		if x.base.op == expr.Exp {
			n++
			plain = plain && (x.pow == quarters || x.pow == -quarters && x.base.fixed)
		}
	}
	if n == 0 || n == 1 && plain {
		return c, f
	}
	var args []form
	rest := f[:0]
	for _, x := range f {
		if x.base.op != expr.Exp {
			rest = append(rest, x)
			continue
		}
		args = append(args, a.times(x.base.arg, constant(number(float64(x.pow)/quarters))))
	}
	e := a.call(expr.Exp, a.plus(args...))
	return a.mul(c, e.c), append(rest, e.f...)
}

// mergeQuotients is sin/cos = tan, and so for the hyperbolic ones.
func (a *algebra) mergeQuotients(f []factor) []factor {
	for _, ops := range [2][3]expr.Op{{expr.Sin, expr.Cos, expr.Tan}, {expr.Sinh, expr.Cosh, expr.Tanh}} {
		n := 0
		for _, x := range f {
			if slices.Contains(ops[:], x.base.op) {
				n++
			}
		}
		if n < 2 {
			continue
		}
		var out []factor
		for i, x := range f {
			if !slices.Contains(ops[:], x.base.op) {
				out = append(out, x)
				continue
			}
			key := mix(x.base.arg.c.bits(), hashFactors(x.base.arg.f))
			sin, cos, first := 0, 0, true
			for j, y := range f {
				if !slices.Contains(ops[:], y.base.op) || mix(y.base.arg.c.bits(), hashFactors(y.base.arg.f)) != key {
					continue
				}
				first = first && j >= i
				if y.base.op != ops[1] {
					sin += int(y.pow)
				}
				if y.base.op == ops[1] {
					cos += int(y.pow)
				} else if y.base.op == ops[2] {
					cos -= int(y.pow)
				}
			}
			if !first {
				continue
			}
			if sin == -cos && sin != 0 {
				out = append(out, factor{a.make(base{op: ops[2], arg: x.base.arg}), int8(sin)})
				continue
			}
			if sin != 0 {
				out = append(out, factor{a.make(base{op: ops[0], arg: x.base.arg}), int8(sin)})
			}
			if cos != 0 {
				out = append(out, factor{a.make(base{op: ops[1], arg: x.base.arg}), int8(cos)})
			}
		}
		f = out
	}
	return f
}

// power is p to the power q/4. √x² is x.
func (a *algebra) power(p form, q int8) form {
	if q == quarters {
		return p
	}
	if p.c.isZero() {
		if q < 0 {
			return a.fail()
		}
		return p
	}
	whole := q%quarters == 0
	f := a.factors.copy(p.f, 0)
	c := p.c
	if s := p.loneSum(); s != nil {
		content, rest := a.primitive(s, !whole)
		c, f[0].base = a.mul(c, content), rest
	}
	if !whole && c.v < 0 {
		if c = c.abs(); !a.flip(f) && c.sym == 0 {
			return a.fail()
		}
	}
	for i := range f {
		n := int(f[i].pow) * int(q)
		if n%quarters != 0 || n/quarters > maxPower || n/quarters < -maxPower {
			return a.fail()
		}
		f[i].pow = int8(n / quarters)
	}
	return a.collect(a.pow(c, q), f)
}

// difference is the first factor of f that is an odd power of a sum with terms of both signs, -1 when there is none.
func difference(f []factor) int {
	return slices.IndexFunc(f, func(x factor) bool {
		if x.base.op != expr.Add || x.pow%quarters != 0 || x.pow%(2*quarters) == 0 {
			return false
		}
		_, mixed := signs(x.base.sum)
		return mixed
	})
}

// flip changes the sign of the first factor that can take it: a difference rather than a sum, a sum rather than a function.
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

// plus is the sum of ps, with the factors that all addends share taken out.
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
			terms = append(terms, addend{p.c, p.f})
		}
	}
	return a.total(terms)
}

func (a *algebra) total(terms []addend) form {
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

// mergeHyperbolic is eᵃ + e⁻ᵃ = 2 cosh a.
func (a *algebra) mergeHyperbolic(terms []addend) []addend {
	for i, t := range terms {
		for j := i + 1; j < len(terms); j++ {
			u := terms[j]
			if !t.c.same(u.c) || len(t.f) != len(u.f) {
				continue
			}
			at := -1
			for k, x := range t.f {
				y := u.f[k]
				opposite := x.base.hash == y.base.hash && x.pow == -y.pow && x.base.op == expr.Exp || a.opposite(x, y)
				if x.base.hash == y.base.hash && x.pow == y.pow {
					continue
				}
				if !opposite || at >= 0 {
					at = -1
					break
				}
				at = k
			}
			if at < 0 {
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
			return a.mergeHyperbolic(append(rest, addend{h.c, h.f}))
		}
	}
	return terms
}

// opposite tells whether x and y are eᵃ and e⁻ᵃ where a has constants.
func (a *algebra) opposite(x, y factor) bool {
	if x.base.op != expr.Exp || y.base.op != expr.Exp || x.pow != quarters || y.pow != quarters || x.base.fixed {
		return false
	}
	n := a.times(constant(number(-1)), y.base.arg)
	return mix(n.c.bits(), hashFactors(n.f)) == mix(x.base.arg.c.bits(), hashFactors(x.base.arg.f))
}

// shared are the powers that can be taken out of all terms: of each base the least that occurs, so that what is left has
// no negative powers.
func shared(terms []addend) []factor {
	var out []factor
	for i, t := range terms {
		for _, x := range t.f {
			if i > 0 && x.pow > 0 || slices.ContainsFunc(out, func(o factor) bool { return o.base.hash == x.base.hash }) {
				continue // not in the first term: its least power is 0
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

// hasUnit tells whether a coefficient of p is 1 or -1.
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

// orient is p or -p, with the sign: the first addend with the coefficient ±1 is made positive.
func (a *algebra) orient(p form) (form, float64) {
	if s := p.loneSum(); s != nil {
		if a.leads(s.sum, one) < 0 {
			return form{one, []factor{{a.scaleSum(number(-1), s), quarters}}}, -1
		}
		return p, 1
	}
	if p.c.isNumber(-1) {
		return form{one, p.f}, -1
	}
	if !p.c.isUnit() {
		if _, s, ok := a.distribute(p.c, p.f); ok && a.leads(s.sum, one) < 0 {
			return form{p.c.neg(), p.f}, -1
		}
	}
	return p, 1
}

// call is op of p.
func (a *algebra) call(op expr.Op, p form) form {
	if p.isConstant() {
		v := applyOp(op, p.c.v)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return a.fail()
		}
		if p.c.sym != 0 {
			return constant(a.fresh(v))
		}
		return constant(number(v))
	}
	switch op {
	case expr.Exp:
		return a.exp(p)
	case expr.Log:
		return a.log(p)
	}
	if inner := inverseOf[op]; inner != 0 && len(p.f) == 1 && p.f[0].pow == quarters && p.f[0].base.op == inner && p.c.isNumber(1) {
		return p.f[0].base.arg
	}
	sign := 1.0
	if op != expr.Acos {
		p, sign = a.orient(p)
	}
	if op == expr.Cos || op == expr.Cosh {
		sign = 1
	}
	return form{number(sign), a.single(a.make(base{op: op, arg: p}), quarters)}
}

var inverseOf = [256]expr.Op{expr.Sin: expr.Asin, expr.Cos: expr.Acos, expr.Tan: expr.Atan}

// exp takes constants, logarithms and signs out of the exponent.
func (a *algebra) exp(p form) form {
	terms := a.expanded(p)
	out := constant(one)
	var rest []addend
	for _, t := range terms {
		if len(t.f) == 0 {
			if v := math.Exp(t.c.v); t.c.sym == 0 {
				out = a.times(out, constant(number(v)))
			} else {
				out = a.times(out, constant(a.fresh(v)))
			}
			continue
		}
		if q := t.c.v * quarters; len(t.f) == 1 && t.f[0].base.op == expr.Log && t.f[0].pow == quarters && t.c.sym == 0 &&
			math.Abs(q) <= maxPower && q == math.Round(q) {
			out = a.times(out, a.power(t.f[0].base.arg, int8(q)))
			continue
		}
		rest = append(rest, t)
	}
	if len(rest) == 0 {
		return out
	}
	arg := a.total(rest)
	if arg.isConstant() {
		return a.times(out, a.call(expr.Exp, arg))
	}
	arg, sign := a.orient(arg)
	e := factor{a.make(base{op: expr.Exp, arg: arg}), int8(sign * quarters)}
	if out.isConstant() {
		return form{out.c, []factor{e}}
	}
	return a.times(out, form{one, []factor{e}})
}

// expanded are the addends of p; with a sum among its factors those of the product, if one of them is a constant or a
// multiple of a logarithm.
func (a *algebra) expanded(p form) []addend {
	if s := p.loneSum(); s != nil {
		return s.sum
	}
	for i, x := range p.f {
		if x.base.op != expr.Add || x.pow != quarters {
			continue
		}
		terms := make([]addend, len(x.base.sum))
		found := false
		for k, t := range x.base.sum {
			f := slices.Delete(slices.Clone(p.f), i, i+1)
			q := a.collect(a.mul(p.c, t.c), append(f, t.f...))
			terms[k] = addend{q.c, q.f}
			found = found || len(q.f) == 0 || len(q.f) == 1 && q.f[0].base.op == expr.Log && q.f[0].pow == quarters
		}
		if found {
			return terms
		}
	}
	return []addend{{p.c, p.f}}
}

// log takes constant factors, common powers and exponentials out of the logarithm.
func (a *algebra) log(p form) form {
	var outside []form
	if s := p.loneSum(); s != nil {
		if !a.hasUnit(p) {
			content, rest := a.primitive(s, true)
			outside = append(outside, a.call(expr.Log, constant(content)))
			p = form{one, []factor{{rest, quarters}}}
		}
		outside = append(outside, form{one, []factor{{a.make(base{op: expr.Log, arg: p}), quarters}}})
		return a.plus(outside...)
	}
	f := slices.Clone(p.f)
	f = slices.DeleteFunc(f, func(x factor) bool {
		if x.base.op == expr.Exp {
			outside = append(outside, a.times(x.base.arg, constant(number(float64(x.pow)/quarters))))
		}
		return x.base.op == expr.Exp
	})
	c := p.c
	if !c.isUnit() {
		if _, _, ok := a.distribute(c, f); !ok {
			outside = append(outside, a.call(expr.Log, constant(c.abs())))
			c = number(math.Copysign(1, c.v))
		}
	}
	if len(f) > 0 {
		g := 0
		for _, x := range f {
			g = gcd(g, int(x.pow))
		}
		if f[0].pow < 0 {
			g = -g
		}
		if !c.isNumber(1) { // its root might not be real
			g = quarters * sign(g)
			c = a.pow(c, int8(g))
		}
		for i := range f {
			f[i].pow = int8(int(f[i].pow) * quarters / g)
		}
		inner := a.collect(c, f)
		if inner.loneSum() != nil && g != quarters {
			l := a.log(inner)
			outside = append(outside, a.times(constant(number(float64(g)/quarters)), l))
		} else {
			outside = append(outside, form{number(float64(g) / quarters), []factor{{a.make(base{op: expr.Log, arg: inner}), quarters}}})
		}
	}
	return a.plus(outside...)
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		return -a
	}
	return a
}

// distribute is c·∏f with c within a sum of f, if that leaves no constant before the product and gives the sum a
// coefficient ±1.
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

// applyOp is op of v.
func applyOp(op expr.Op, v float64) float64 {
	switch op {
	case expr.Exp:
		return math.Exp(v)
	case expr.Log:
		return math.Log(v)
	case expr.Sin:
		return math.Sin(v)
	case expr.Cos:
		return math.Cos(v)
	case expr.Tan:
		return math.Tan(v)
	case expr.Asin:
		return math.Asin(v)
	case expr.Acos:
		return math.Acos(v)
	case expr.Atan:
		return math.Atan(v)
	case expr.Sinh:
		return math.Sinh(v)
	case expr.Cosh:
		return math.Cosh(v)
	case expr.Tanh:
		return math.Tanh(v)
	}
	return math.NaN()
}
