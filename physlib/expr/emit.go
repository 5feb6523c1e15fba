package expr

// emitter converts terms to trees. It writes quotients, square roots and differences instead of
// negative powers, powers of 1/2 and negative coefficients.
type emitter struct{ nodes []Node }

func (t *term) tree() Tree {
	e := emitter{make([]Node, 0, 32)}
	e.term(t)
	return Tree(e)
}

func (e *emitter) op(op Op)        { e.nodes = append(e.nodes, Node{Op: op}) }
func (e *emitter) number(c coef)   { e.nodes = append(e.nodes, Node{Op: Number, Value: c.float()}) }
func (e *emitter) integer(n int64) { e.number(coef{p: n, q: 1}) }

func (e *emitter) term(t *term) {
	switch t.kind {
	case kindNumber:
		e.number(t.coef)
	case kindLeaf:
		e.nodes = append(e.nodes, Node{Op: t.op, Index: t.index, Value: t.start})
	case kindCall:
		for _, arg := range t.args {
			e.term(arg)
		}
		e.op(t.op)
	case kindSum:
		e.sum(t)
	case kindPower:
		if n := t.args[1]; n.isNumber() && n.coef.sign() < 0 {
			e.product(coefOne, []*term{t})
			return
		}
		e.power(t.args[0], t.args[1])
	case kindProduct:
		e.product(t.coef, t.args)
	}
}

// sum starts with a term that needs no minus, if there is one: 1 - x rather than -x + 1.
func (e *emitter) sum(t *term) {
	first := 0
	for i, a := range t.args {
		if a.numFactor().sign() > 0 {
			first = i
			break
		}
	}
	e.term(t.args[first])
	for i, a := range t.args {
		switch {
		case i == first:
		case a.numFactor().sign() < 0:
			e.term(plain.scale(coef{p: -1, q: 1}, a))
			e.op(Sub)
		default:
			e.term(a)
			e.op(Add)
		}
	}
}

// power writes b to the n, where n is not a negative number.
func (e *emitter) power(b, n *term) {
	if b.kind == kindLeaf && b.op == Euler && n != termOne {
		e.term(n)
		e.op(Exp)
		return
	}
	e.term(b)
	switch {
	case n == termOne:
	case n.isNumber() && n.coef == coef{p: 1, q: 2}:
		e.op(Sqrt)
	default:
		e.term(n)
		e.op(Pow)
	}
}

// product writes the factors with negative powers below a fraction bar. A number comes first, then
// free constants.
func (e *emitter) product(c coef, factors []*term) {
	var above, below []*term
	for _, f := range factors {
		if n := f.exponent(); n.isNumber() && n.coef.sign() < 0 {
			below = append(below, f)
		} else {
			above = append(above, f)
		}
	}
	divisor := int64(1)
	if len(below) > 0 && c.q > 1 && (c.p == 1 || c.p == -1) {
		divisor, c.q = c.q, 1
	}
	count := 0
	times := func() {
		if count++; count > 1 {
			e.op(Mul)
		}
	}
	negate := c.is(-1) && len(above) > 0
	if !negate && (!c.is(1) || len(above) == 0) {
		e.number(c)
		times()
	}
	write := func(f *term) {
		e.power(f.base(), f.exponent())
		if negate {
			e.op(Neg)
			negate = false
		}
		times()
	}
	for _, f := range above {
		if f.base().isParam() {
			write(f)
		}
	}
	for _, f := range above {
		if !f.base().isParam() {
			write(f)
		}
	}
	if len(below) == 0 {
		return
	}
	count = 0
	if divisor > 1 {
		e.integer(divisor)
		times()
	}
	for _, f := range below {
		e.power(f.base(), numberTerm(f.args[1].coef.neg()))
		times()
	}
	e.op(Div)
}
