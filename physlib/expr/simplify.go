package expr

import (
	"cmp"
	"slices"
)

// Simplify returns t in a short form, as a person would write it. It starts from the Canonical
// form. Common factors move in front of sums, and products of roots become one root. It writes a*(y
// - x) for -a*(x - y) and log(x/y) for log(x) - log(y). As with Canonical, the result may be
// defined at more points than t, and its free constants are renumbered.
func (t Tree) Simplify() Tree {
	if len(t.nodes) == 0 {
		return t
	}
	return simplify(canonicalTerm(t)).tree().renumber()
}

// Complexity returns the number of nodes of the simplified tree. Each number, constant, column,
// function and operator counts 1.
func (t Tree) Complexity() int { return t.Simplify().Len() }

// simplify makes terms for printing, which are no longer canonical.
func simplify(t *term) *term {
	if t.kind == kindNumber || t.kind == kindLeaf {
		return t
	}
	args := make([]*term, len(t.args))
	for i, a := range t.args {
		args[i] = simplify(a)
	}
	whole := t
	t = &term{kind: t.kind, op: t.op, coef: t.coef, args: args}
	switch t.kind {
	case kindSum:
		return shortest(t, joinLogs(t), factored(t), factored(joinLogs(t)))
	case kindProduct:
		if t = flipSign(openProducts(t)); t.kind == kindProduct {
			t = shortest(append([]*term{t, joinPowers(t)}, joinRoots(t)...)...)
		}
		for _, other := range []*term{distributed(whole), conjugates(whole)} {
			if other != nil {
				t = shortest(t, simplify(other))
			}
		}
		return t
	case kindPower:
		if b, n := args[0], args[1]; b.kind == kindProduct && n.isNumber() && b.coef.sign() < 0 && n.coef.isInt() {
			return &term{kind: kindPower, args: []*term{flipSign(b), n}}
		}
	}
	return t
}

// shortest returns the form with the fewest nodes as a tree, and of these the one that names
// columns least often. If several are equal in both, it returns the first of these.
func shortest(forms ...*term) *term {
	best, tree := forms[0], forms[0].tree()
	for _, f := range forms[1:] {
		t := f.tree()
		if c := cmp.Compare(t.Len(), tree.Len()); c < 0 || c == 0 && t.columns() < tree.columns() {
			best, tree = f, t
		}
	}
	return best
}

// columns returns how often t names a column.
func (t Tree) columns() (n int) {
	for _, node := range t.nodes {
		if node.Op == Var {
			n++
		}
	}
	return n
}

// openProducts flattens products inside the product t. It multiplies numbers and merges powers of
// equal bases.
func openProducts(t *term) *term {
	c := t.coef
	var args []*term
	add := func(f *term) {
		if f.kind == kindNumber {
			c = c.mul(f.coef)
			return
		}
		for i, g := range args {
			if e, n := g.exponent(), f.exponent(); e.isNumber() && n.isNumber() && compareBases(g.base(), f.base()) == 0 {
				args[i] = raised(f.base(), numberTerm(e.coef.add(n.coef)))
				return
			}
		}
		args = append(args, f)
	}
	for _, f := range t.args {
		if f.kind != kindProduct {
			add(f)
			continue
		}
		c = c.mul(f.coef)
		for _, g := range f.args {
			add(g)
		}
	}
	args = slices.DeleteFunc(args, func(f *term) bool { n := f.exponent(); return n.isNumber() && n.coef.is(0) })
	return product(c, args...)
}

// distributed returns the canonical product t with one of its factors multiplied into a sum, where
// it cancels denominators: (y/x + 1)·x becomes y + x. If several factors can, it returns the
// shortest result, and nil if none can. Factors with free constants stay in front.
func distributed(t *term) *term {
	var forms []*term
	for i, sum := range t.args {
		if sum.kind != kindSum {
			continue
		}
		for k, f := range t.args {
			if k == i || f.containsParam() || !slices.ContainsFunc(sum.args, func(a *term) bool { return cancels(f, a) }) {
				continue
			}
			args := make([]*term, len(sum.args))
			for n, a := range sum.args {
				args[n] = plain.product(f, a)
			}
			forms = append(forms, replaced(t, i, k, plain.sum(args...)))
		}
	}
	if len(forms) == 0 {
		return nil
	}
	return shortest(forms...)
}

// cancels reports whether f and a factor of the term a are powers of one base with exponents of
// opposite signs.
func cancels(f, a *term) bool {
	n := f.exponent()
	return !a.isNumber() && n.isNumber() && slices.ContainsFunc(a.factors(), func(g *term) bool {
		e := g.exponent()
		return e.isNumber() && e.coef.sign() == -n.coef.sign() && compareBases(g.base(), f.base()) == 0
	})
}

// conjugates returns the canonical product t with (a² - b²)ⁿ for two factors (a + b)ⁿ and (a - b)ⁿ,
// or nil if there are none.
func conjugates(t *term) *term {
	isPair := func(f *term) bool { return f.base().kind == kindSum && len(f.base().args) == 2 }
	for i, f := range t.args {
		for k, g := range t.args[:i] {
			if !isPair(f) || !isPair(g) || compare(f.exponent(), g.exponent()) != 0 {
				continue
			}
			a, b, c, d := f.base().args[0], f.base().args[1], g.base().args[0], g.base().args[1]
			if plain.sum(plain.product(a, d), plain.product(b, c)) != termZero {
				continue
			}
			return replaced(t, i, k, plain.power(plain.sum(plain.product(a, c), plain.product(b, d)), f.exponent()))
		}
	}
	return nil
}

// replaced returns the canonical product t with by in place of the factors i and k.
func replaced(t *term, i, k int, by *term) *term {
	factors := []*term{numberTerm(t.coef), by}
	for n, f := range t.args {
		if n != i && n != k {
			factors = append(factors, f)
		}
	}
	return plain.product(factors...)
}

// containsParam reports whether a free constant is in t.
func (t *term) containsParam() bool {
	return t.isParam() || slices.ContainsFunc(t.args, (*term).containsParam)
}

// flipSign removes a minus sign in front of a product that has a difference as a factor: -(x - y)·z
// becomes (y - x)·z.
func flipSign(t *term) *term {
	if t.kind != kindProduct || t.coef.sign() >= 0 {
		return t
	}
	for i, f := range t.args {
		n := f.exponent()
		isNegative := func(t *term) bool { return t.numFactor().sign() < 0 }
		if !slices.ContainsFunc(f.base().args, isNegative) || f.base().kind != kindSum || !n.isNumber() || !n.coef.isInt() || n.coef.p%2 == 0 {
			continue
		}
		args := slices.Clone(t.args)
		args[i] = raised(negated(f.base()), n)
		return product(t.coef.neg(), args...)
	}
	return t
}

// raised returns b to the power n, product a product, and negated the negative of a term. Unlike a
// normalizer, these functions do not rewrite the result.
func raised(b, n *term) *term {
	if n.isNumber() && n.coef.is(1) {
		return b
	}
	return &term{kind: kindPower, args: []*term{b, n}}
}

func product(c coef, factors ...*term) *term {
	if len(factors) == 0 {
		return numberTerm(c)
	}
	if len(factors) == 1 && c.is(1) {
		return factors[0]
	}
	return &term{kind: kindProduct, coef: c, args: factors}
}

func negated(sum *term) *term {
	args := make([]*term, len(sum.args))
	for i, a := range sum.args {
		if a.isNumber() {
			args[i] = numberTerm(a.coef.neg())
		} else {
			args[i] = product(a.numFactor().neg(), a.factors()...)
		}
	}
	return &term{kind: kindSum, args: args}
}

// factored returns the sum t with the common factors of its terms in front.
func factored(t *term) *term {
	if t.kind != kindSum {
		return t
	}
	content, rest := coefOne, t
	if _, ok := fractions(t); ok {
		content, rest = plain.primitive(t)
	}
	var common []*term
	for _, f := range rest.args[0].factors() {
		if n, ok := shared(f, rest.args); ok {
			common = append(common, raised(f.base(), numberTerm(n)))
		}
	}
	if len(common) > 0 {
		args := make([]*term, len(rest.args))
		for i, a := range rest.args {
			args[i] = without(a, common)
		}
		rest = &term{kind: kindSum, args: args}
	}
	if content.is(1) && len(common) == 0 {
		return t
	}
	return flipSign(product(content, append(common, rest)...))
}

// shared returns the exponent n for which the base of f to the power n is a factor of all terms. If
// the terms contain different powers of this base, n is the exponent nearest to 0. ok reports
// whether the exponents in all terms have the same sign.
func shared(f *term, terms []*term) (n coef, ok bool) {
	if !f.exponent().isNumber() || f.isNumber() {
		return coefZero, false
	}
	n = f.exponent().coef
	for _, t := range terms {
		found := false
		for _, g := range t.factors() {
			if e := g.exponent(); !t.isNumber() && e.isNumber() && compareBases(g.base(), f.base()) == 0 && e.coef.sign() == n.sign() {
				found = true
				if e.coef.abs().cmp(n.abs()) < 0 {
					n = e.coef
				}
			}
		}
		if !found {
			return coefZero, false
		}
	}
	return n, true
}

// without returns the term t divided by the factors common.
func without(t *term, common []*term) *term {
	var factors []*term
	for _, f := range t.factors() {
		n := f.exponent()
		for _, c := range common {
			if n.isNumber() && compareBases(f.base(), c.base()) == 0 {
				n = numberTerm(n.coef.add(c.exponent().coef.neg()))
			}
		}
		if !n.isNumber() || !n.coef.is(0) {
			factors = append(factors, raised(f.base(), n))
		}
	}
	return product(t.numFactor(), factors...)
}

// joinPowers returns the product t with factors of the same whole power under one exponent, if
// there are at least three such factors: x²·y²·z² becomes (x·y·z)².
func joinPowers(t *term) *term {
	for _, f := range t.args {
		n := f.exponent()
		if !n.isNumber() || !n.coef.isInt() || n.coef.p < 2 {
			continue
		}
		var joined, others []*term
		for _, g := range t.args {
			switch e := g.exponent(); {
			case !e.isNumber() || e.coef.abs() != n.coef:
				others = append(others, g)
			case e.coef.sign() > 0:
				joined = append(joined, g.base())
			default:
				joined = append(joined, raised(g.base(), integer(-1)))
			}
		}
		if len(joined) > 2 {
			return product(t.coef, append(others, raised(product(coefOne, joined...), n))...)
		}
	}
	return t
}

// joinRoots returns other forms of the product t in which its square roots, including those of
// numbers, are under one or two root signs.
func joinRoots(t *term) []*term {
	half := coef{p: 1, q: 2}
	var above, below, others []*term
	number := coefOne // the product of the numbers under roots
	for _, f := range t.args {
		n := f.exponent()
		switch {
		case !n.isNumber() || n.coef.abs() != half:
			others = append(others, f)
		case f.base().isNumber() && n.coef.sign() > 0:
			number = number.mul(f.base().coef)
		case f.base().isNumber():
			number = number.mul(f.base().coef.inv())
		case n.coef.sign() > 0:
			above = append(above, f.base())
		default:
			below = append(below, f.base())
		}
	}
	if len(above)+len(below) == 0 {
		return nil
	}
	root := func(n coef, bases []*term) *term { return raised(product(n, bases...), numberTerm(half)) }
	inverse := func(b *term) *term { return raised(b, integer(-1)) }
	forms := []*term{}
	add := func(c coef, roots ...*term) {
		forms = append(forms, product(c, append(slices.Clone(others), roots...)...))
	}
	join := func(c, n coef) {
		if n.q == 0 {
			return
		}
		if len(below) == 0 {
			add(c, root(n, above))
			if len(above) == 1 && above[0].kind == kindSum {
				add(c, root(coefOne, []*term{plain.scale(n, above[0])}))
			}
			return
		}
		if len(above) == 0 {
			add(c, inverse2(root(n.inv(), below)))
		}
		quotient := slices.Clone(above)
		for _, b := range below {
			quotient = append(quotient, inverse(b))
		}
		add(c, root(n, quotient))
	}
	sign := coef{p: int64(t.coef.sign()), q: 1}
	// 2*sqrt(x) rather than sqrt(4*x), and 1/sqrt(2*pi) rather than sqrt(1/2)/sqrt(pi)
	whole := number.mul(t.coef).mul(t.coef)
	if number.is(1) {
		join(t.coef, number)
		join(sign, whole)
	} else {
		join(sign, whole)
		join(t.coef, number)
	}
	return forms
}

// inverse2 returns 1/t for a power t.
func inverse2(t *term) *term {
	return raised(t.base(), numberTerm(t.exponent().coef.neg()))
}

// joinLogs returns the sum t with logarithms of equal or opposite coefficients joined: log(x) -
// log(y) becomes log(x/y).
func joinLogs(t *term) *term {
	args := slices.Clone(t.args)
	for i := 0; i < len(args); i++ {
		if !isLog(args[i]) {
			continue
		}
		c := args[i].numFactor()
		inside := []*term{args[i].factors()[0].args[0]}
		for j := i + 1; j < len(args); j++ {
			if !isLog(args[j]) || args[j].numFactor().abs() != c.abs() {
				continue
			}
			n := integer(int64(args[j].numFactor().sign() * c.sign()))
			inside = append(inside, raised(args[j].factors()[0].args[0], n))
			args = slices.Delete(args, j, j+1)
			j--
		}
		if len(inside) > 1 {
			log := &term{kind: kindCall, op: Log, args: []*term{openProducts(product(coefOne, inside...))}}
			args[i] = product(c, log)
		}
	}
	if len(args) == 1 {
		return args[0]
	}
	return &term{kind: kindSum, args: args}
}

// isLog reports whether t is a logarithm times a number.
func isLog(t *term) bool {
	f := t.factors()
	return len(f) == 1 && f[0].kind == kindCall && f[0].op == Log
}
