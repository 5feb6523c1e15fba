package stream

import (
	"math"
	"math/rand/v2"

	"github.com/physlib/lab/physlib/expr"
)

// A maker draws laws as forms. It numbers variables in the order in which it uses them.
type maker struct {
	algebra
	emitter
	source rand.PCG
	rng    *rand.Rand
	vars   int            // number of variables used so far
	max    int            // largest number of variables
	order  [maxVars]int32 // number that each variable has in the form
}

// usedVariable returns the i-th of the variables used so far.
func (m *maker) usedVariable(i int) form { return m.variable(m.order[i]) }

func (m *maker) chance(p float64) bool { return m.rng.Float64() < p }

// pick returns a random index with probability proportional to its weight.
func (m *maker) pick(weights ...float64) int {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	u := m.rng.Float64() * total
	for i, w := range weights {
		if u -= w; u < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// fresh returns a new variable, or a used one if there are no more.
func (m *maker) fresh() form {
	if m.vars >= m.max {
		return m.usedVariable(m.rng.IntN(m.vars))
	}
	m.vars++
	return m.usedVariable(m.vars - 1)
}

// old returns a used variable with probability chance, otherwise a new one.
func (m *maker) old(chance float64) form {
	if m.vars > 0 && m.chance(chance) {
		return m.usedVariable(m.rng.IntN(m.vars))
	}
	return m.fresh()
}

// number returns a number that is typical of physics: a small fraction, a multiple of π, or any
// number from 1/8 to 8.
func (m *maker) number() form {
	if m.chance(0.5) {
		known := [...]float64{2, 3, 4, 0.5, 1.5, 0.25, 1. / 3, 2. / 3, math.Pi, 2 * math.Pi, 4 * math.Pi, 0.75, 5, 0.1}
		return constant(number(known[m.rng.IntN(len(known))]))
	}
	return constant(number(math.Exp((2*m.rng.Float64() - 1) * math.Log(8))))
}

// exponent returns a random exponent, in quarters. Each is drawn as often as it occurs in physics.
func (m *maker) exponent() int8 {
	return [...]int8{4, -4, 8, -8, 2, -2, 12, -12, 16, -16, 6, -6, 20, 24}[m.pick(46, 22, 14, 5, 3, 2, 3, 2, 1, 0.8, 1, 0.8, 0.2, 0.2)]
}

// monomial returns a product of n powers. Each base is a used variable with probability chance,
// otherwise a new one.
func (m *maker) monomial(n int, chance float64) form {
	p := constant(one)
	for range n {
		p = m.times(p, m.power(m.old(chance), m.exponent()))
	}
	return p
}

// oneToThree returns 1, 2 or 3 with falling probability.
func (m *maker) oneToThree() int { return 1 + m.pick(50, 35, 15) }

// group returns a small product, for use as an argument.
func (m *maker) group(chance float64) form {
	switch m.pick(30, 30, 25, 15) {
	case 0:
		return m.old(chance)
	case 1:
		return m.times(m.old(chance), m.power(m.old(chance), -quarters))
	case 2:
		return m.times(m.old(chance), m.old(chance))
	}
	return m.monomial(m.oneToThree(), chance)
}

// coefficient returns p times a number with probability chance, otherwise p.
func (m *maker) coefficient(p form, chance float64) form {
	if m.chance(chance) {
		return m.times(m.number(), p)
	}
	return p
}

func (m *maker) minus(p form) form { return m.times(constant(number(-1)), p) }

// sign returns p or -p at random.
func (m *maker) sign(p form) form {
	if m.chance(0.45) {
		return m.minus(p)
	}
	return p
}

// prefactor returns p, or p times a product of powers, at random.
func (m *maker) prefactor(p form) form {
	switch m.pick(25, 40, 25, 10) {
	case 1:
		return m.times(p, m.power(m.old(0.15), m.exponent()))
	case 2:
		return m.times(p, m.monomial(2, 0.15))
	case 3:
		return m.times(p, m.monomial(3, 0.15))
	}
	return p
}

// outer returns p to a power that is typical of laws.
func (m *maker) outer(p form) form {
	return m.power(p, [...]int8{4, -4, 2, -2, 8, -8, 6, -6, 12}[m.pick(62, 14, 9, 4, 6, 2, 0.7, 1.5, 0.8)])
}

// angle returns the argument of a trigonometric function.
func (m *maker) angle() form {
	switch m.pick(40, 20, 12, 12, 8, 8) {
	case 0:
		return m.old(0.1)
	case 1:
		return m.times(m.old(0.1), m.old(0.1))
	case 2:
		return m.coefficient(m.old(0.1), 1)
	case 3:
		return m.plus(m.old(0.1), m.sign(m.old(0.1)))
	case 4:
		return m.plus(m.times(m.old(0.1), m.old(0.1)), m.sign(m.old(0.1)))
	}
	return m.coefficient(m.group(0.1), 0.5)
}

var functions = [...]expr.Op{expr.Sin, expr.Cos, expr.Exp, expr.Log, expr.Tan, expr.Tanh, expr.Sinh, expr.Cosh, expr.Asin, expr.Acos, expr.Atan}

// freePower returns a power whose exponent is a number or a variable.
func (m *maker) freePower() form {
	exponent := m.number()
	switch m.pick(50, 25, 25) {
	case 1:
		exponent = m.old(0.1)
	case 2:
		exponent = m.minus(exponent)
	}
	return m.call(expr.Exp, m.times(exponent, m.call(expr.Log, m.group(0.2))))
}

// function returns a function of a small expression.
func (m *maker) function() form {
	if m.chance(0.05) {
		return m.freePower()
	}
	op := functions[m.pick(24, 24, 26, 12, 2.5, 3, 1, 1.2, 1, 0.6, 1.5)]
	switch op {
	case expr.Sin, expr.Cos, expr.Tan:
		p := m.call(op, m.angle())
		if m.chance(0.25) {
			return m.power(p, 2*quarters)
		}
		return p
	case expr.Log:
		if m.chance(0.4) {
			return m.call(op, m.plus(constant(one), m.coefficient(m.group(0.2), 0.25)))
		}
		return m.call(op, m.group(0.2))
	case expr.Exp:
		p := m.coefficient(m.group(0.2), 0.3)
		if m.chance(0.15) {
			p = m.power(p, 2*quarters)
		}
		if m.chance(0.7) {
			p = m.minus(p)
		}
		return m.call(op, p)
	}
	return m.call(op, m.coefficient(m.group(0.2), 0.25))
}

// structure returns a law with one of the structures of formulas in physics.
func (m *maker) structure() form {
	p := m.outer(m.shape(m.pick(20, 13, 12, 6, 8, 5, 7, 2, 5, 7, 6, 6, 4)))
	if m.chance(0.07) { // another term
		p = m.plus(p, m.sign(m.coefficient(m.old(0.3), 0.3)))
	}
	if m.chance(0.06) {
		p = m.times(p, m.power(m.plus(constant(one), m.sign(m.group(0.5))), [...]int8{4, -4, 2, -2}[m.pick(40, 40, 10, 10)]))
	}
	return m.prefactor(p)
}

// shape returns an expression with the structure of the given kind.
func (m *maker) shape(kind int) (p form) {
	switch kind {
	case 0: // a sum of two or three products
		p = m.sum(2+m.pick(70, 30), 0.25, 0.2)
	case 1: // 1 ± P
		p = m.plus(constant(one), m.sign(m.coefficient(m.monomial(m.oneToThree(), 0.2), 0.2)))
		if m.chance(0.2) {
			p = m.plus(p, m.sign(m.coefficient(m.group(0.5), 0.3)))
		}
	case 2: // f(P)
		p = m.function()
	case 3: // exp(P) ± 1
		p = m.plus(m.call(expr.Exp, m.coefficient(m.group(0.2), 0.2)), m.sign(constant(one)))
		if m.chance(0.6) {
			p = m.power(p, -quarters)
		}
	case 4: // a sum of squares
		p = m.squares()
	case 5: // differences of inverses
		q := [...]int8{-4, -8, -2, -12}[m.pick(55, 35, 5, 5)]
		p = m.plus(m.power(m.fresh(), q), m.sign(m.coefficient(m.power(m.fresh(), q), 0.1)))
		if m.chance(0.2) {
			p = m.plus(p, m.power(m.fresh(), q))
		}
	case 6: // a ratio of sums
		p = m.times(m.sum(2, 0.2, 0.15), m.power(m.sum(2+m.pick(85, 15), 0.75, 0.15), -quarters))
	case 7: // the law of cosines
		x, y := m.old(0.2), m.old(0.2)
		p = m.plus(m.power(x, 8), m.power(y, 8), m.sign(m.coefficient(m.times(x, y, m.call(expr.Cos, m.angle())), 0.8)))
		p = m.power(p, [...]int8{2, 4, -2, -4}[m.pick(50, 20, 20, 10)])
	case 8: // 1 ± e·cos θ
		p = m.plus(constant(one), m.sign(m.times(m.group(0.2), m.function())))
	case 9: // a product plus a product with a function
		p = m.plus(m.monomial(m.oneToThree(), 0.3), m.sign(m.coefficient(m.times(m.monomial(m.oneToThree(), 0.4), m.function()), 0.15)))
	case 10: // a product of two functions
		p = m.times(m.function(), m.function())
		if m.chance(0.4) {
			p = m.plus(m.function(), m.sign(m.coefficient(m.function(), 0.2)))
		}
	case 11: // a root within a sum
		inner := m.plus(constant(one), m.sign(m.monomial(2, 0.2)))
		if m.chance(0.4) {
			inner = m.sum(2, 0.3, 0.2)
		}
		p = m.plus(m.power(inner, [...]int8{2, -2, -4, 8}[m.pick(50, 20, 20, 10)]), m.sign(m.old(0.5)))
		if m.chance(0.3) {
			p = m.plus(m.power(inner, 2), m.sign(constant(one)))
		}
	case 12: // a function of a sum
		op := functions[m.pick(20, 20, 22, 22, 1, 5, 1, 1, 2, 1, 4)]
		p = m.call(op, m.sum(2, 0.2, 0.25))
	}
	return p
}

// sum returns a sum of n products. Each product except the first has a coefficient with probability
// numbers. old is the probability of used variables.
func (m *maker) sum(n int, old, numbers float64) form {
	p := m.monomial(m.oneToThree(), old/2)
	if m.chance(0.12) {
		p = m.number()
	}
	for range n - 1 {
		k := m.oneToThree()
		if m.chance(0.5) {
			k = 1
		}
		p = m.plus(p, m.sign(m.coefficient(m.monomial(k, old), numbers)))
	}
	return p
}

// squares returns a power of a sum of squares, such as √(x² + y²).
func (m *maker) squares() form {
	n := 2 + m.pick(75, 25)
	p := constant(coef{})
	for range n {
		x := m.old(0.1)
		switch m.pick(60, 20, 20) {
		case 1:
			x = m.plus(x, m.minus(m.old(0.05)))
		case 2:
			x = m.times(x, m.old(0.2))
		}
		x = m.power(x, 8)
		if m.chance(0.12) {
			x = m.minus(x)
		}
		p = m.plus(p, m.coefficient(x, 0.08))
	}
	return m.power(p, [...]int8{2, 4, -2, -4, -6}[m.pick(45, 25, 12, 12, 6)])
}

// powers returns a product of powers.
func (m *maker) powers() form {
	return m.monomial(2+m.pick(25, 30, 25, 15, 5), 0.05)
}
