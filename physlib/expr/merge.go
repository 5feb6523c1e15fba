package expr

import (
	"math"
	"slices"
)

// MergeParams returns a form of t that has only as many free constants as a fit can determine.
// Unlike AbsorbParams, it considers several constants at once:
//
//	c0 + (c1 - c0)*exp(-c2*x)           becomes  c0 + c1*exp(c2*x)
//	c0*(c1*x)**c2                       becomes  c0*x**c1
//	c0*(c1 + c2*exp(-(c1 + c2)*x))      becomes  c0 + c1*exp(c2*x)
//
// Parts of t that consist of constants become single constants if they are functionally
// independent. This is decided by the rank of their Jacobian near the starting values. t and its
// MergeParams fit a table equally well, except for bounds on the values of the constants.
func (t Tree) MergeParams() Tree { return t.merged().determined() }

func (t Tree) merged() Tree {
	t = t.absorbParams(true)
	for range 4 {
		if t.count(Param) > len(t.slots()) {
			t = t.invertParams()
		}
		slots := t.slots()
		if len(slots) == t.count(Param) {
			return t // each constant occurs once, so there is nothing to merge
		}
		m := merger{next: slots[len(slots)-1] + 1}
		merged := m.merge(m.z.term(t))
		if len(m.parts) > len(slots) || m.rank(slots) < len(m.parts) {
			return t
		}
		next := merged.tree().renumber().absorbParams(true)
		if slices.Equal(next.nodes, t.nodes) {
			return t
		}
		t = next
	}
	return t
}

// invertParams replaces each free constant c by 1/c if c occurs only in denominators, and by √c if
// c occurs only in even powers.
func (t Tree) invertParams() Tree {
	z := plain
	root := z.term(t)
	for _, slot := range t.slots() {
		negative, even := true, true
		var look func(t *term)
		look = func(t *term) {
			n := t.exponent()
			if b := t.base(); b.isParam() && b.index == slot {
				negative = negative && n.isNumber() && n.coef.sign() < 0
				even = even && n.isNumber() && n.coef.isInt() && n.coef.p%2 == 0
			} else {
				for _, a := range t.args {
					look(a)
				}
				return
			}
			if n != termOne {
				look(n)
			}
		}
		look(root)
		power := coef{p: 1, q: 1}
		if negative {
			power.p = -1
		}
		if even {
			power.q = 2
		}
		if power.is(1) {
			continue
		}
		root = z.replace(root, slot, numberTerm(power))
	}
	return root.tree().Canonical()
}

// replace returns t with a free constant replaced by the given power of it. The new starting value
// keeps the value of t.
func (z *normalizer) replace(t *term, slot int32, power *term) *term {
	if t.isParam() && t.index == slot {
		start := math.Pow(t.start, 1/power.coef.float())
		if math.IsNaN(start) || math.IsInf(start, 0) {
			start = t.start
		}
		return z.power(&term{kind: kindLeaf, op: Param, index: slot, start: start}, power)
	}
	if len(t.args) == 0 {
		return t
	}
	args := make([]*term, len(t.args))
	for i, a := range t.args {
		args[i] = z.replace(a, slot, power)
	}
	switch t.kind {
	case kindPower:
		return z.power(args[0], args[1])
	case kindCall:
		return z.apply(t.op, args...)
	case kindSum:
		return z.sum(args...)
	}
	return z.product(append(args, numberTerm(t.coef))...)
}

func (t Tree) count(op Op) int {
	n := 0
	for _, x := range t.nodes {
		if x.Op == op {
			n++
		}
	}
	return n
}

// A merger replaces each part that consists of constants by a new free constant.
type merger struct {
	z     normalizer
	parts []*term // the parts for which the new constants stand
	next  int32   // slot of the first new constant
}

func (m *merger) merge(t *term) *term {
	if constant, free := constantPart(t); constant {
		if free {
			return m.constant(t)
		}
		return t
	}
	switch t.kind {
	case kindPower:
		return m.z.power(m.merge(t.args[0]), m.merge(t.args[1]))
	case kindCall:
		args := make([]*term, len(t.args))
		for i, arg := range t.args {
			args[i] = m.merge(arg)
		}
		return m.z.apply(t.op, args...)
	case kindSum:
		front, rest, free := m.split(t.args)
		for i := range rest {
			rest[i] = m.merge(rest[i])
		}
		f := m.z.sum(front...)
		if free {
			f = m.constant(f)
		}
		return m.z.sum(append(rest, f)...)
	case kindProduct:
		front, rest, free := m.split(t.args)
		f := m.z.product(append(front, numberTerm(t.coef))...)
		if free {
			if i := slices.IndexFunc(rest, m.distributes); i >= 0 {
				if rest[i].kind == kindPower {
					f = m.z.power(f, integer(-1))
				}
				terms := make([]*term, len(rest[i].base().args))
				for k, s := range rest[i].base().args {
					terms[k] = m.merge(m.z.product(f, s))
				}
				rest[i] = m.z.power(m.z.sum(terms...), rest[i].exponent())
				for k := range rest {
					if k != i {
						rest[k] = m.merge(rest[k])
					}
				}
				return m.z.product(rest...)
			}
			f = m.constant(f)
		}
		for i := range rest {
			rest[i] = m.merge(rest[i])
		}
		return m.z.product(append(rest, f)...)
	}
	return t
}

// split divides terms into constant terms and others. free reports whether a constant term contains
// a free constant.
func (m *merger) split(args []*term) (constant, rest []*term, free bool) {
	for _, arg := range args {
		c, f := constantPart(arg)
		if c {
			constant = append(constant, arg)
		} else {
			rest = append(rest, arg)
		}
		free = free || f
	}
	return constant, rest, free
}

// distributes reports whether t is a sum, or the inverse of a sum, and each term of this sum has a
// free constant that can absorb a factor.
func (m *merger) distributes(t *term) bool {
	n, b := t.exponent(), t.base()
	if b.kind != kindSum || !n.isNumber() || !n.coef.abs().is(1) {
		return false
	}
	for _, s := range b.args {
		if _, _, free := m.split(s.factors()); !free {
			return false
		}
	}
	return true
}

// constant returns the new free constant for part. Equal parts get the same constant. A number in
// front of part stays.
func (m *merger) constant(part *term) *term {
	front := termOne
	if part.kind == kindProduct {
		front, part = numberTerm(part.coef), m.z.monomial(coefOne, part.args)
	}
	k := slices.IndexFunc(m.parts, func(p *term) bool { return compare(p, part) == 0 })
	if k < 0 {
		k = len(m.parts)
		m.parts = append(m.parts, part)
	}
	c := &term{kind: kindLeaf, op: Param, index: m.next + int32(k), start: part.initial()}
	return m.z.product(front, c)
}

// constantPart reports in constant whether t consists of numbers and free constants. free reports
// whether it contains a free constant.
func constantPart(t *term) (constant, free bool) {
	if t.kind == kindLeaf {
		return t.op != Var && t.op != Number, t.op == Param
	}
	for _, arg := range t.args {
		c, f := constantPart(arg)
		if !c {
			return false, false
		}
		free = free || f
	}
	return true, free
}
