package expr

import (
	"math"
	"math/rand/v2"
	"slices"
)

// MergeParams returns the form of t with the free constants that a fit can determine, where
// AbsorbParams looks at one constant at a time only: c0 + (c1 - c0)*exp(-c2*x) is
// c0 + c1*exp(c2*x), c0*(c1*x)**c2 is c0*x**c1, and c0*(c1 + c2*exp(-(c1 + c2)*x)) is
// c0 + c1*exp(c2*x). Parts of t that consist of constants become constants of their own if they are
// functionally independent, which the rank of their Jacobian near the starts shows. A law and its
// MergeParams fit a table equally well, except for bounds on the values of the constants.
func (t Tree) MergeParams() Tree {
	t = t.absorbParams(true)
	for range 4 {
		if t.count(Param) > len(t.slots()) {
			t = t.invertParams()
		}
		slots := t.slots()
		if len(slots) == t.count(Param) {
			return t // each constant is used once, so there is nothing to merge
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

// invertParams puts 1/c for each free constant c that stands in denominators only, and √c for one
// of which only even powers stand.
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

// replace puts the power of a free constant in its place, with the start that leaves all values.
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

// inner returns f without the free constant that a product within it has, and the factor by that
// stands for that: √(c0*x) is √x times √c0, exp(c1*x + c0) is exp(c1*x) times exp(c0). donor has
// the constant; it is nil where there is none. With all, numbers and constants that are used
// elsewhere go as well.
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

// pull moves a free constant from within a term that has none before it to the front, and to the
// exponent from its base: log(c0*x) is log(x) + c0, and c0**x is exp(c0*x).
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

// flip returns -t for a sum t in which all terms that cannot absorb the sign are negative and some
// can; nil for others.
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

// distribute returns c·t as a sum, for a sum t in which all terms but one have a free constant to
// take the factor c; nil for others.
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

func (t Tree) count(op Op) int {
	n := 0
	for _, x := range t.nodes {
		if x.Op == op {
			n++
		}
	}
	return n
}

// A merger puts a new free constant in place of each part that consists of constants.
type merger struct {
	z     normalizer
	parts []*term // what the new constants stand for
	next  int32   // slot of the first new constant
}

// constantPart reports whether t consists of numbers and free constants, and whether it has any of
// the latter.
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

// constant returns the free constant for part, the same for equal parts. A number before it stays.
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

// split divides terms into constant ones and others; free reports whether the former have a free
// constant.
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

// distributes reports whether t is a sum or the inverse of one, of which each term has a free
// constant to take a factor.
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

// rank returns that of the Jacobian of the parts with respect to the constants in slots: the
// highest at some points near the starts of these, as one may lie outside of the domain of a root.
func (m *merger) rank(slots []int32) int {
	starts := make(map[int32]float64, len(slots))
	for _, p := range m.parts {
		p.starts(starts)
	}
	rng, best := rand.New(rand.NewPCG(1, 1)), 0
	for range 3 {
		for slot, v := range starts {
			if v == 0 {
				starts[slot] = 1
			}
		}
		at := make(map[int32]float64, len(slots))
		for _, slot := range slots {
			at[slot] = starts[slot] * (1 + 0.5*rng.Float64())
		}
		best = max(best, m.rankAt(slots, at))
	}
	return best
}

func (m *merger) rankAt(slots []int32, at map[int32]float64) int {
	const h = 1e-5
	moved := func(slot int32, by float64) []float64 {
		start := at[slot]
		at[slot] *= 1 + by
		values := make([]float64, len(m.parts))
		for i, p := range m.parts {
			values[i] = p.withStarts(at).initial()
		}
		at[slot] = start
		return values
	}
	rows := make([][]float64, len(slots)) // by constant
	for k, slot := range slots {
		plus, minus := moved(slot, h), moved(slot, -h)
		for i := range plus {
			plus[i] = (plus[i] - minus[i]) / (2 * h)
			if math.IsNaN(plus[i]) || math.IsInf(plus[i], 0) {
				return 0
			}
		}
		rows[k] = plus
	}
	for col := range m.parts { // parts differ in size
		size := 0.0
		for _, row := range rows {
			size = max(size, math.Abs(row[col]))
		}
		if size > 0 {
			for _, row := range rows {
				row[col] /= size
			}
		}
	}
	return rank(rows)
}

// rank returns the number of independent columns of a matrix, which it overwrites.
func rank(rows [][]float64) int {
	const tolerance = 1e-6
	rank := 0
	for col := range rows[0] {
		best := rank
		for k := rank; k < len(rows); k++ {
			if math.Abs(rows[k][col]) > math.Abs(rows[best][col]) {
				best = k
			}
		}
		if rank == len(rows) {
			break
		}
		if math.Abs(rows[best][col]) < tolerance {
			continue
		}
		rows[rank], rows[best] = rows[best], rows[rank]
		for k := rank + 1; k < len(rows); k++ {
			by := rows[k][col] / rows[rank][col]
			for c := col; c < len(rows[k]); c++ {
				rows[k][c] -= by * rows[rank][c]
			}
		}
		rank++
	}
	return rank
}

// starts adds where the free constants of t start.
func (t *term) starts(at map[int32]float64) {
	if t.isParam() {
		at[t.index] = t.start
	}
	for _, a := range t.args {
		a.starts(at)
	}
}

// withStarts returns t with the free constants at other starts.
func (t *term) withStarts(at map[int32]float64) *term {
	if t.isParam() {
		c := *t
		c.start = at[t.index]
		return &c
	}
	if len(t.args) == 0 {
		return t
	}
	c := *t
	c.args = make([]*term, len(t.args))
	for i, a := range t.args {
		c.args[i] = a.withStarts(at)
	}
	return &c
}
