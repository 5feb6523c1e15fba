package expr

import (
	"math"
	"slices"
)

// AbsorbParams returns the Canonical form of t without the numbers and free constants that are
// superfluous in a fit because another free constant can absorb them:
//
//	c0*2*x           becomes  c0*x
//	c0 + 3           becomes  c0
//	c0*(c1*x + c2)   becomes  c0*x + c1
//	c0*exp(x + c1)   becomes  c0*exp(x)
//
// The starting values are adjusted so that the result starts with the same values as t. A constant
// that occurs more than once stays. The result may reach values that t could not: c0 alone may be
// negative, for example, where c0**2 could not.
func (t Tree) AbsorbParams() Tree { return t.absorbParams(false) }

func (t Tree) absorbParams(shared bool) Tree {
	t = t.Canonical()
	for range 8 {
		if len(t.slots()) == 0 {
			break
		}
		a := absorber{uses: make(map[int32]int), shared: shared}
		for _, n := range t.nodes {
			if n.Op == Param {
				a.uses[n.Index]++
			}
		}
		next := a.absorb(a.z.term(t)).tree().Canonical()
		if slices.Equal(next.nodes, t.nodes) {
			break
		}
		t = next
	}
	return t
}

// An absorber rewrites terms from the leaves up. Only a free constant that occurs once can absorb
// other constants.
type absorber struct {
	z    normalizer
	uses map[int32]int
	// If true, a constant that occurs once also absorbs constants that occur several times (see
	// MergeParams).
	shared bool
}

func (a *absorber) isFree(t *term) bool {
	return t.isParam() && a.uses[t.index] == 1
}

// isFixed reports in fixed whether t is fixed: it consists of numbers and of free constants that
// occur once. free reports whether t is fixed and contains such a constant.
func (a *absorber) isFixed(t *term) (fixed, free bool) {
	if t.kind == kindLeaf {
		once := a.isFree(t)
		return t.op == Pi || t.op == Euler || once || a.shared && t.op == Param, once
	}
	for _, arg := range t.args {
		fix, has := a.isFixed(arg)
		if !fix {
			return false, false
		}
		free = free || has
	}
	return true, free
}

// constant returns a free constant that starts at v and takes the place of the terms ts. Its slot
// is that of the first constant in ts for which isFree holds. constant returns nil if there is no
// such constant, or if v is NaN or infinite.
func (a *absorber) constant(v float64, ts ...*term) *term {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	for _, t := range ts {
		if a.isFree(t) {
			return &term{kind: kindLeaf, op: Param, index: t.index, start: v}
		}
		if c := a.constant(v, t.args...); c != nil {
			return c
		}
	}
	return nil
}

// initial returns the value of a fixed term with its constants at their starting values.
func (t *term) initial() float64 {
	switch t.kind {
	case kindNumber:
		return t.coef.float()
	case kindLeaf:
		switch t.op {
		case Pi:
			return math.Pi
		case Euler:
			return math.E
		}
		return t.start
	case kindPower:
		return math.Pow(t.args[0].initial(), t.args[1].initial())
	case kindCall:
		y := 0.0
		if len(t.args) > 1 {
			y = t.args[1].initial()
		}
		return apply(t.op, t.args[0].initial(), y)
	case kindSum:
		s := 0.0
		for _, arg := range t.args {
			s += arg.initial()
		}
		return s
	}
	p := t.coef.float()
	for _, arg := range t.args {
		p *= arg.initial()
	}
	return p
}

func (a *absorber) absorb(t *term) *term {
	if t.kind == kindNumber || t.kind == kindLeaf {
		return t
	}
	if fixed, free := a.isFixed(t); fixed && free {
		if c := a.constant(t.initial(), t); c != nil {
			return c
		}
	}
	args := make([]*term, len(t.args))
	for i, arg := range t.args {
		args[i] = a.absorb(arg)
	}
	switch t.kind {
	case kindPower:
		t = a.z.power(args[0], args[1])
	case kindCall:
		t = a.z.apply(t.op, args...)
	case kindSum:
		t = a.z.sum(args...)
	case kindProduct:
		t = a.z.product(append(args, numberTerm(t.coef))...)
	}
	switch {
	case t.kind == kindSum:
		return a.sum(t)
	case t.kind == kindProduct:
		return a.product(t)
	case a.shared:
		return a.pull(t)
	}
	return t
}

// split returns front and rest with t = front·rest, where front is fixed and rest has no fixed
// factors.
func (a *absorber) split(t *term) (front, rest *term, free bool) {
	fixed := []*term{numberTerm(t.numFactor())}
	var others []*term
	if !t.isNumber() {
		for _, f := range t.factors() {
			fix, has := a.isFixed(f)
			if fix {
				fixed = append(fixed, f)
			} else {
				others = append(others, f)
			}
			free = free || fix && has
		}
	}
	return a.z.product(fixed...), a.z.monomial(coefOne, others), free
}

// product reduces all fixed factors to one free constant. If another factor contains a constant
// that can absorb this free constant, the free constant is absorbed there.
func (a *absorber) product(t *term) *term {
	front, rest, free := a.split(t)
	v := front.initial()
	factors := slices.Clone(rest.factors())
	switch {
	case !free && a.shared:
		return a.pull(t)
	case !free:
		if sum := a.intoSum(v, factors, true); sum != nil && v != 1 {
			return sum
		}
		return t
	}
	for i, f := range factors {
		var by float64
		if factors[i], by = a.takeOut(f); by == 1 && a.shared {
			factors[i], by, _ = a.inner(f, true)
		}
		v *= by
	}
	if sum := a.intoSum(v, factors, false); sum != nil {
		return sum
	}
	c := a.constant(v, front)
	if c == nil {
		return t
	}
	if a.shared && len(factors) == 1 {
		if sum := a.distribute(c, factors[0]); sum != nil {
			return sum
		}
	}
	return a.z.product(append(factors, c)...)
}

// intoSum returns the product of v and the factors, with v inside one of the factors. That factor
// is a sum that can absorb v, or the inverse of such a sum. If anyPower is true and v is positive,
// it may also be another power of such a sum. If there is no such factor, intoSum returns nil.
func (a *absorber) intoSum(v float64, factors []*term, anyPower bool) *term {
	for i, f := range factors {
		n := f.exponent()
		if !n.isNumber() || v == 0 || !n.coef.abs().is(1) && !(anyPower && v > 0) {
			continue
		}
		if sum := a.scaleSum(f.base(), math.Pow(v, 1/n.coef.float())); sum != nil {
			scaled := slices.Clone(factors)
			scaled[i] = a.z.power(sum, n)
			return a.z.product(scaled...)
		}
	}
	return nil
}

// takeOut returns f/by, where by is a constant factor of f that a free constant in front of f can
// absorb. If f is an exponential, by is the exponential of the fixed terms of the exponent. If f is
// a root, by is the root of a free constant. If f is a sum in which all terms but one can absorb a
// factor, such as 1.8*x + c1, by is the number in that term. MergeParams leaves numbers in sums and
// in products of exponents as they are.
func (a *absorber) takeOut(f *term) (rest *term, by float64) {
	if n := f.exponent(); !a.shared && f.base().kind == kindSum && n.isNumber() {
		sum, by := a.unscaled(f.base())
		if by > 0 || n.coef.isInt() {
			return a.z.power(sum, n), math.Pow(by, n.coef.float())
		}
		return f, 1
	}
	if f.kind != kindPower {
		return f, 1
	}
	b, n := f.args[0], f.args[1]
	if b == termE || b.kind == kindLeaf && b.op == Euler {
		if n.kind != kindSum {
			if a.shared {
				return f, 1
			}
			rest, constant := a.takeOff(n)
			if by = math.Exp(constant); by > 0 && !math.IsInf(by, 0) {
				return a.z.power(b, rest), by
			}
			return f, 1
		}
		by = 1
		var terms []*term
		for _, t := range n.args {
			if fixed, _ := a.isFixed(t); fixed {
				by *= math.Exp(t.initial())
			} else {
				terms = append(terms, t)
			}
		}
		if by > 0 && !math.IsInf(by, 0) {
			return a.z.power(b, a.z.sum(terms...)), by
		}
		return f, 1
	}
	if b.kind == kindProduct && n.isNumber() && !n.coef.isInt() {
		front, inner, free := a.split(b)
		if v := front.initial(); free && v > 0 {
			return a.z.power(inner, n), math.Pow(v, n.coef.float())
		}
	}
	return f, 1
}

// unscaled returns sum and by with t = by·sum, where by is the number in front of the only term of
// the sum t without a free constant that could absorb a factor. If there is no such term, or
// several, it returns t and 1.
func (a *absorber) unscaled(t *term) (sum *term, by float64) {
	var number coef
	fixed := 0
	for _, s := range t.args {
		if _, _, free := a.split(s); !free {
			number = s.numFactor()
			fixed++
		}
	}
	if fixed != 1 || number.is(1) {
		return t, 1
	}
	by = number.float()
	terms := make([]*term, len(t.args))
	for i, s := range t.args {
		front, rest, free := a.split(s)
		if !free {
			terms[i] = a.z.scale(number.inv(), s)
			continue
		}
		c := a.constant(front.initial()/by, front)
		if c == nil {
			return t, 1
		}
		terms[i] = a.z.product(c, rest)
	}
	return a.z.sum(terms...), by
}

// scaleSum returns by·t for a sum t in which every term has a free constant that can absorb the
// factor. For any other t it returns nil.
func (a *absorber) scaleSum(t *term, by float64) *term {
	if t.kind != kindSum {
		return nil
	}
	terms := make([]*term, len(t.args))
	for i, s := range t.args {
		front, rest, free := a.split(s)
		if !free {
			return nil
		}
		c := a.constant(front.initial()*by, front)
		if c == nil {
			return nil
		}
		terms[i] = a.z.product(c, rest)
	}
	return a.z.sum(terms...)
}

// sum merges terms that differ only in a constant factor, if one of these factors is a free
// constant. A term that is a free constant absorbs the constant parts of other terms.
func (a *absorber) sum(t *term) *term {
	type group struct {
		rest   *term
		fronts []*term
		free   bool
	}
	var groups []*group
	for _, s := range t.args {
		front, rest, free := a.split(s)
		var g *group
		for _, known := range groups {
			if compare(known.rest, rest) == 0 {
				g = known
			}
		}
		if g == nil {
			g = &group{rest: rest}
			groups = append(groups, g)
		}
		g.fronts = append(g.fronts, front)
		g.free = g.free || free
	}
	terms := make([]*term, 0, len(groups))
	var constant *term
	for _, g := range groups {
		front := a.z.sum(g.fronts...)
		if g.free {
			if c := a.constant(front.initial(), g.fronts...); c != nil {
				front = c
			}
		}
		if g.rest == termOne && a.isFree(front) {
			constant = front
			continue
		}
		terms = append(terms, a.z.product(front, g.rest))
	}
	if constant == nil {
		return a.z.sum(terms...)
	}
	v := constant.start
	for i := range terms {
		rest, by := a.takeOff(terms[i])
		terms[i] = rest
		v += by
	}
	if c := a.constant(v, constant); c != nil {
		return a.z.sum(append(terms, c)...)
	}
	return t
}

// takeOff returns rest = t - by, where by is a constant part of t. Examples: c·log(c1·x) = c·log(x)
// + c·log(c1), and c·(x + c1) = c·x + c·c1.
func (a *absorber) takeOff(t *term) (rest *term, by float64) {
	front, inner, _ := a.split(t)
	k := front.initial()
	switch {
	case inner.kind == kindCall && inner.op == Log && inner.args[0].kind == kindProduct:
		scale, arg, free := a.split(inner.args[0])
		if v := k * math.Log(scale.initial()); (free || scale != termOne) && !math.IsNaN(v) && !math.IsInf(v, 0) {
			return a.z.product(front, a.z.call(Log, arg)), v
		}
	case inner.kind == kindSum:
		var terms []*term
		for _, s := range inner.args {
			if fixed, _ := a.isFixed(s); fixed {
				by += k * s.initial()
			} else {
				terms = append(terms, s)
			}
		}
		if len(terms) < len(inner.args) && !math.IsNaN(by) && !math.IsInf(by, 0) {
			return a.z.product(front, a.z.sum(terms...)), by
		}
	}
	return t, 0
}
