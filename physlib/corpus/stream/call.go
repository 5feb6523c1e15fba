package stream

import (
	"math"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// call returns op(p) for a function op.
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

// exp returns eᵖ. Constant addends and logarithms in p become factors, and a negative sign of p
// becomes a negative power.
func (a *algebra) exp(p form) form {
	terms := a.expanded(p)
	out := constant(one)
	var rest []addend
	for _, t := range terms {
		if len(t.f) == 0 {
			v := math.Exp(t.c.v)
			if t.c.sym == 0 {
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

// expanded returns the addends of p. It multiplies out a factor of p that is a sum, but only if an
// addend of the result is a constant or a multiple of a logarithm.
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
			terms[k] = addend(q)
			found = found || len(q.f) == 0 || len(q.f) == 1 && q.f[0].base.op == expr.Log && q.f[0].pow == quarters
		}
		if found {
			return terms
		}
	}
	return []addend{{p.c, p.f}}
}

// log returns the logarithm of p. Constant factors, common powers and exponentials are taken out of
// the logarithm.
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
		if !c.isNumber(1) { // avoid a root of a negative constant
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

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		return -a
	}
	return a
}

// applyOp returns op(v).
func applyOp(op expr.Op, v float64) float64 {
	o := op.Operator()
	if o.Fold != nil {
		return o.Fold(v)
	}
	return o.F1(v)
}
