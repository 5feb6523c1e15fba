package rewrite

import (
	"math"

	"github.com/physlib/lab/physlib/expr"
)

// Tidy returns t as people write it:
//
//   - a - 2*b for a + -2*b, numbers before variables, and one fraction bar for each product
//   - roots and quotients for the powers 1/2 and -1, and x**2 for square(x)
//   - no factors 1, no terms 0, no exp(0)
//
// Whole numbers are added and multiplied. Other numbers change at most their sign, so that the
// constants of a fit stay visible, unlike in expr.Tree.Canonical.
func Tidy(t expr.Tree) expr.Tree {
	if t.Len() == 0 {
		return t
	}
	return signed(unsigned(t))
}

// signed returns -t if negative is true, otherwise t. The sign of a product goes to its first
// factor.
func signed(t expr.Tree, negative bool) expr.Tree {
	if !negative {
		return t
	}
	switch op := t.Root(); op {
	case expr.Number:
		return expr.Num(-t.Nodes()[0].Value)
	case expr.Mul, expr.Div:
		args := t.Args()
		return expr.Apply(op, signed(args[0], true), args[1])
	}
	return expr.Apply(expr.Neg, t)
}

// unsigned returns Tidy(t) without its leading minus sign. negative reports whether there was one.
func unsigned(t expr.Tree) (abs expr.Tree, negative bool) {
	args := t.Args()
	switch op := t.Root(); op {
	case expr.Number:
		v := t.Nodes()[0].Value
		return expr.Num(math.Abs(v)), v < 0
	case expr.Neg:
		abs, negative = unsigned(args[0])
		return abs, !negative
	case expr.Add, expr.Sub:
		return sum(args[0], args[1], op == expr.Sub)
	case expr.Mul, expr.Div, expr.Inv, expr.Square, expr.Cube, expr.Sqrt, expr.Pow:
		return fraction(t)
	}
	for i := range args {
		args[i] = Tidy(args[i])
	}
	if len(args) == 0 {
		return t, false
	}
	if t.Root() == expr.Exp && valueOf(args[0]) == 0 {
		return expr.Num(1), false
	}
	return expr.Apply(t.Root(), args...), false
}

// power returns the tidy base and exponent of the power t. negative is true if t is the negative of
// that power. Square roots and inverses in the base are merged into an exponent that is a number.
// Powers in the base are merged if both exponents are whole, or if t is a square root and the
// exponent in the base is odd. A minus sign of the base disappears for an even exponent, and comes
// to the front for an odd one.
func power(t expr.Tree) (base, e expr.Tree, negative bool) {
	args := t.Args()
	base, negative = unsigned(args[0])
	switch t.Root() {
	case expr.Square:
		e = expr.Num(2)
	case expr.Cube:
		e = expr.Num(3)
	case expr.Sqrt:
		e = expr.Num(0.5)
	default:
		e = Tidy(args[1])
	}
	v := valueOf(e)
	switch {
	case negative && math.Mod(v, 2) == 0:
		negative = false
	case negative && math.Abs(math.Mod(v, 2)) != 1:
		return signed(base, true), e, false
	}
	switch args = base.Args(); base.Root() {
	case expr.Sqrt:
		if !math.IsNaN(v) {
			return args[0], expr.Num(v / 2), negative
		}
	case expr.Pow:
		n := valueOf(args[1])
		if v == 0.5 && math.Mod(math.Abs(n), 2) == 1 || v == math.Trunc(v) && n == math.Trunc(n) {
			return args[0], expr.Num(n * v), negative
		}
	case expr.Div:
		if valueOf(args[0]) == 1 && !math.IsNaN(v) {
			return args[1], expr.Num(-v), negative
		}
	}
	return base, e, negative
}

// valueOf returns the value of t if t is a number, NaN otherwise.
func valueOf(t expr.Tree) float64 {
	if t.Root() == expr.Number {
		return t.Nodes()[0].Value
	}
	return math.NaN()
}

// sum returns a + b, or a - b if minus is true. negative is true if a minus sign was taken out of
// the result. This happens only if one term is zero or both are whole numbers.
func sum(a, b expr.Tree, minus bool) (abs expr.Tree, negative bool) {
	a, negA := unsigned(a)
	b, negB := unsigned(b)
	negB = negB != minus
	switch {
	case valueOf(b) == 0:
		return a, negA
	case valueOf(a) == 0:
		return b, negB
	case whole(a) && whole(b):
		return unsigned(expr.Num(valueOf(signed(a, negA)) + valueOf(signed(b, negB))))
	case !negB:
		if negA {
			return expr.Apply(expr.Sub, b, a), false
		}
		return expr.Apply(expr.Add, a, b), false
	}
	return expr.Apply(expr.Sub, signed(a, negA), b), false
}

// whole reports whether t is a whole number below 10⁶ in absolute value.
func whole(t expr.Tree) bool { v := valueOf(t); return v == math.Trunc(v) && math.Abs(v) < 1e6 }

// quotient is a fraction with its factors above and below the bar.
type quotient struct {
	// numbers holds the factors without variables and free constants, factors the others. Element 0
	// is above the bar and element 1 below it. An empty tree means 1.
	numbers, factors [2]expr.Tree
	negative         bool
	zero             bool // a factor above is 0
}

// fraction returns a product or quotient with all its factors over one bar.
func fraction(t expr.Tree) (abs expr.Tree, negative bool) {
	var p quotient
	p.collect(t, 0)
	p.partOfPi()
	above := times(p.numbers[0], p.factors[0])
	below := times(p.numbers[1], p.factors[1])
	switch {
	case p.zero && !undefined(p.numbers[1]):
		return expr.Num(0), false
	case p.zero:
		above = times(expr.Num(0), above)
	}
	switch {
	case above.Len() == 0 && below.Len() == 0:
		return expr.Num(1), p.negative
	case above.Len() == 0:
		above = expr.Num(1)
		fallthrough
	case below.Len() > 0:
		above = expr.Apply(expr.Div, above, below)
	}
	return above, p.negative
}

// partOfPi writes the number 1/q times π as a quotient: pi*x/90 instead of 1/90*pi*x.
func (p *quotient) partOfPi() {
	args := p.numbers[0].Args()
	if p.numbers[0].Root() != expr.Mul || args[1].Root() != expr.Pi {
		return
	}
	if q := math.Round(1 / valueOf(args[0])); q > 1 && q <= 3600 && 1/q == valueOf(args[0]) {
		p.numbers[0], p.numbers[1] = args[1], times(p.numbers[1], expr.Num(q))
	}
}

// collect adds t as a factor: above the bar if side is 0, below it if side is 1.
func (p *quotient) collect(t expr.Tree, side int) {
	args := t.Args()
	switch t.Root() {
	case expr.Mul:
		p.collect(args[0], side)
		p.collect(args[1], side)
		return
	case expr.Div:
		p.collect(args[0], side)
		p.collect(args[1], 1-side)
		return
	case expr.Inv:
		p.collect(args[0], 1-side)
		return
	case expr.Square, expr.Cube, expr.Sqrt, expr.Pow:
		base, e, negative := power(t)
		p.negative = p.negative != negative
		if v := valueOf(e); v < 0 {
			e, side = expr.Num(-v), 1-side
		}
		switch valueOf(e) {
		case 0:
		case 1:
			p.collect(base, side)
		case 0.5:
			p.take(expr.Apply(expr.Sqrt, base), side)
		default:
			p.take(expr.Apply(expr.Pow, base, e), side)
		}
		return
	}
	f, negative := unsigned(t)
	p.negative = p.negative != negative
	p.take(f, side)
}

// take adds the tidy factor f, which must not be a product or quotient.
func (p *quotient) take(f expr.Tree, side int) {
	switch {
	case valueOf(f) == 1:
	case valueOf(f) == 0 && side == 0:
		p.zero = true
	case free(f):
		p.factors[side] = times(p.factors[side], f)
	default:
		p.numbers[side] = times(p.numbers[side], f)
	}
}

// undefined reports whether the product of numbers t contains 0, NaN or an infinity.
func undefined(t expr.Tree) bool {
	for _, n := range t.Nodes() {
		if n.Op == expr.Number && (n.Value == 0 || math.IsNaN(n.Value) || math.IsInf(n.Value, 0)) {
			return true
		}
	}
	return false
}

// free reports whether t has a variable or a free constant.
func free(t expr.Tree) bool {
	for _, n := range t.Nodes() {
		if n.Op == expr.Var || n.Op == expr.Param {
			return true
		}
	}
	return false
}

// times returns a·b by appending each factor of b to the product a. An empty tree means 1.
func times(a, b expr.Tree) expr.Tree {
	switch {
	case a.Len() == 0:
		return b
	case b.Len() == 0:
		return a
	}
	if b.Root() == expr.Mul {
		args := b.Args()
		return times(times(a, args[0]), args[1])
	}
	if whole(b) { // b is multiplied into a whole number among the factors of a, if there is one
		switch args := a.Args(); {
		case whole(a):
			return expr.Num(valueOf(a) * valueOf(b))
		case a.Root() == expr.Mul && whole(args[0]):
			return expr.Apply(expr.Mul, times(args[0], b), args[1])
		}
	}
	return expr.Apply(expr.Mul, a, b)
}
