package stream

import (
	"cmp"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// quarters is the factor between an exponent and its integer code: exponents are stored in units of
// 1/4.
const quarters = 4

// maxPower is the largest exponent of a form, in quarters.
const maxPower = 12 * quarters

// A form is the constant c times a product of powers. During normalization every expression has
// this form. A sum that stands alone is one factor with power 1 and keeps its coefficients. Every
// other sum is primitive, see algebra.primitive.
type form struct {
	c coef
	f []factor // sorted by compare; each base occurs once
}

type factor struct {
	base *base
	pow  int8 // exponent, in quarters
}

// A base is what may be raised to a power: a variable, a function, or a sum. It is immutable.
type base struct {
	op   expr.Op  // Var, the function, or Add for any sum
	id   int32    // number of a variable, for op Var
	arg  form     // argument of a function
	sum  []addend // addends of a sum, sorted by compareFactors; a constant comes first
	hash uint64   // equal for equal bases
	size int      // approximate number of tokens
	// fixed reports whether a part of the argument of a function lacks a free constant. Then no
	// constant can absorb the sign of the argument.
	fixed bool
}

// An addend is a coefficient times a product of powers; f is empty for a constant.
type addend struct {
	c coef
	f []factor
}

// An algebra makes forms. They are valid until reset is called.
type algebra struct {
	factors arena[factor]
	addends arena[addend]
	bases   arena[base]
	forms   arena[form]
	symbols int32
	steps   int // number of sums and products made
	// Whether the law has no form, because of a power that is not a multiple of 1/4, a root of a
	// negative number, or a division by zero.
	bad bool
}

// maxSteps limits the work for one law. Without it, rewriting some sums of exponentials would not
// end.
const maxSteps = 4000

// exhausted counts a step and reports whether there were too many.
func (a *algebra) exhausted() bool {
	if a.steps++; a.steps > maxSteps {
		a.bad = true
	}
	return a.bad
}

// reset invalidates all forms.
func (a *algebra) reset() {
	a.factors.reset()
	a.addends.reset()
	a.bases.reset()
	a.forms.reset()
	a.symbols, a.steps, a.bad = 0, 0, false
}

// single returns b to the power q/4.
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

// make returns b with its hash, size and fixed set.
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

func hashForm(p form) uint64 { return mix(p.c.bits(), hashFactors(p.f)) }

// sizeFactors returns the approximate number of tokens of a product.
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

// compare orders bases: first by length, then by kind, then by content. Coefficients do not matter.
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

// fail records that the law has no form.
func (a *algebra) fail() form {
	a.bad = true
	return constant(one)
}

func (p form) isConstant() bool { return len(p.f) == 0 }

// loneSum returns the sum if p is just a sum, otherwise nil.
func (p form) loneSum() *base {
	if len(p.f) == 1 && p.f[0].pow == quarters && p.f[0].base.op == expr.Add {
		return p.f[0].base
	}
	return nil
}
