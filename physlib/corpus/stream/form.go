package stream

import (
	"cmp"
	"slices"

	"github.com/physlib/lab/physlib/expr"
)

// quarters is the exponent 1: exponents are whole numbers of quarters, so that √√x has one.
const quarters = 4

// maxPower is the largest exponent of a form.
const maxPower = 12 * quarters

// A form is the constant c times a product of powers: the way every expression is kept while it is
// normalised. A sum alone is one factor with the power 1 that keeps its coefficients; every other
// sum is primitive.
type form struct {
	c coef
	f []factor // by compare; no base twice
}

type factor struct {
	base *base
	pow  int8 // in quarters
}

// A base is a form that may be raised to a power: a variable, a function, or a sum. It is
// immutable.
type base struct {
	op   expr.Op  // Var, a function, or Add for any sum
	id   int32    // of a variable
	arg  form     // of a function
	sum  []addend // by compareFactors; the constant, if any, comes first
	hash uint64   // equal for equal bases
	size int      // about its number of tokens
	// fixed reports that the argument of a function has a part without a constant, so that its sign
	// is its own.
	fixed bool
}

// An addend is a coefficient times a product of powers; a constant has none.
type addend struct {
	c coef
	f []factor
}

// An algebra makes forms. Its forms are valid together with the algebra that made it.
type algebra struct {
	factors arena[factor]
	addends arena[addend]
	bases   arena[base]
	forms   arena[form]
	symbols int32
	steps   int  // sums and products made
	bad     bool // something has no form: a power that is no quarter, the root of a negative number, 1/0
}

// maxSteps bounds the work on one law: some sums of exponentials would go round in circles.
const maxSteps = 4000

// exhausted reports whether to give up.
func (a *algebra) exhausted() bool {
	if a.steps++; a.steps > maxSteps {
		a.bad = true
	}
	return a.bad
}

// reset forgets all forms.
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

func hashForm(p form) uint64 { return mix(p.c.bits(), hashFactors(p.f)) }

// sizeFactors returns about the number of tokens of a product.
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

// compare orders bases: the shorter first, then by kind, then by their content. Coefficients do not
// count.
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

// loneSum returns the sum that p is, nil for other forms.
func (p form) loneSum() *base {
	if len(p.f) == 1 && p.f[0].pow == quarters && p.f[0].base.op == expr.Add {
		return p.f[0].base
	}
	return nil
}
