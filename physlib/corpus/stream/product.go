package stream

import (
	"cmp"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// times returns the product of ps.
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

// collect returns c·∏f in normal form. It merges powers of the same base, exponentials, and sin and
// cos of the same argument.
func (a *algebra) collect(c coef, f []factor) form {
	if a.exhausted() {
		return constant(one)
	}
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
			out[n-1].pow = int8(pow)
			if pow == 0 {
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

// mergeExponentials merges the exponentials in f: eᵃ·eᵇ = eᵃ⁺ᵇ.
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

// A quotient is a pair of functions whose quotient is another function: tan = sin/cos.
type quotient struct{ sin, cos, tan expr.Op }

var quotients = [...]quotient{{expr.Sin, expr.Cos, expr.Tan}, {expr.Sinh, expr.Cosh, expr.Tanh}}

func (q quotient) has(op expr.Op) bool { return op == q.sin || op == q.cos || op == q.tan }

// mergeQuotients replaces sinᵖ·cos⁻ᵖ of one argument by tanᵖ. In other products, it replaces tan by
// sin/cos. It treats hyperbolic functions in the same way.
func (a *algebra) mergeQuotients(f []factor) []factor {
	for _, q := range quotients {
		n := 0
		for _, x := range f {
			if q.has(x.base.op) {
				n++
			}
		}
		if n > 1 {
			f = a.mergeQuotient(f, q)
		}
	}
	return f
}

func (a *algebra) mergeQuotient(f []factor, q quotient) []factor {
	var out []factor
	for i, x := range f {
		if !q.has(x.base.op) {
			out = append(out, x)
			continue
		}
		argument, first := hashForm(x.base.arg), true
		sin, cos := 0, 0
		for j, y := range f {
			if !q.has(y.base.op) || hashForm(y.base.arg) != argument {
				continue
			}
			first = first && j >= i
			if y.base.op != q.cos {
				sin += int(y.pow)
			}
			switch y.base.op {
			case q.cos:
				cos += int(y.pow)
			case q.tan:
				cos -= int(y.pow)
			}
		}
		if !first {
			continue // merged at the first factor with this argument
		}
		add := func(op expr.Op, pow int) {
			if pow != 0 {
				out = append(out, factor{a.make(base{op: op, arg: x.base.arg}), int8(pow)})
			}
		}
		if sin == -cos {
			add(q.tan, sin)
			continue
		}
		add(q.sin, sin)
		add(q.cos, cos)
	}
	return out
}

// power returns p to the power q/4. √(x²) is x, since variables are taken as positive.
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
