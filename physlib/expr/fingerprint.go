package expr

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// A fingerprint evaluates a term in a finite field, with random values for columns and free
// constants. Equal rational expressions have equal values in the field. Other expressions have
// equal values only by chance (Schwartz 1980, Zippel 1979). So (x+1)² and x²+2x+1, or x/(1+x) and
// 1/(1+1/x), get equal values, at the cost of one evaluation each.
//
// The fields are GF(p₀), GF(p₁) and GF(p₂) with pᵢ = 2·pᵢ₊₁ + 1. So the exponents of squares in one
// field are elements of the next field. In each field, e is represented by 4, and eᵘ by 4 to the
// value of u in the next field. So e^(a+b) = eᵃ·eᵇ holds as well, and so do the rules for roots and
// powers.
//
// In such a field -1 is not a square. So squares play the role of positive numbers, and |u| is u if
// u is a square, and -u otherwise. Other functions are represented by random functions of the value
// of their operand. These are odd or even if the function is.
type fingerprint struct {
	seed uint64
	// If true, the values of columns and free constants are negatives of squares. If false, they
	// are squares.
	negative bool
	// opaqueAbs makes |u| a random even function. Otherwise |a-b|+b may equal a, which confuses
	// rankParams.
	opaqueAbs bool
	// Identity of the constant in a slot; constants with equal identities get equal values.
	id func(slot int32) uint64
}

// prime is a modulus with the constants for Montgomery multiplication. Elements are in Montgomery
// form.
type prime struct{ p, inverse, r2 uint64 }

// primes are p₂ = 576460752303400949, 2·p₂+1 and 2·(2·p₂+1)+1, the largest first. Such primes are a
// Cunningham chain of the first kind.
var primes = [3]prime{newPrime(2305843009213603799), newPrime(1152921504606801899), newPrime(576460752303400949)}

func newPrime(p uint64) prime {
	inverse := uint64(1)
	for range 6 { // Newton's method: each step doubles the number of correct bits
		inverse *= 2 - p*inverse
	}
	_, r := bits.Div64(1, 0, p) // 2⁶⁴ mod p
	hi, lo := bits.Mul64(r, r)
	_, r2 := bits.Div64(hi%p, lo, p)
	return prime{p, -inverse, r2}
}

func (f *prime) mul(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	m, _ := bits.Mul64(lo*f.inverse, f.p)
	if lo != 0 {
		hi++
	}
	if hi += m; hi >= f.p {
		hi -= f.p
	}
	return hi
}

func (f *prime) add(a, b uint64) uint64 {
	if a += b; a >= f.p {
		a -= f.p
	}
	return a
}

func (f *prime) neg(a uint64) uint64 {
	if a == 0 {
		return 0
	}
	return f.p - a
}

func (f *prime) enter(n uint64) uint64 { return f.mul(n%f.p, f.r2) }
func (f *prime) leave(a uint64) uint64 { return f.mul(a, 1) }

func (f *prime) pow(a, n uint64) uint64 {
	r := f.enter(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			r = f.mul(r, a)
		}
		a = f.mul(a, a)
	}
	return r
}

func (f *prime) isSquare(a uint64) bool { return f.pow(a, (f.p-1)/2) == f.enter(1) }

// mix hashes a sequence of words with the finalizer of SplitMix64.
func mix(words ...uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range words {
		h = (h ^ w) + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// Words that are hashed with a value so that different kinds of terms get independent random
// values.
const (
	tagVar = iota + 100
	tagParam
	tagPi
	tagFloat
	tagUndefined
	tagPower
	tagSign
)

func (z *fingerprint) random(level int, words ...uint64) uint64 {
	return mix(z.seed, uint64(level), mix(words...)) % primes[level].p
}

// signed returns a random square, or the negative of a random square if z.negative is set.
func (z *fingerprint) signed(level int, words ...uint64) uint64 {
	f := &primes[level]
	a := z.random(level, words...)
	a = f.mul(a, a)
	if z.negative {
		a = f.neg(a)
	}
	return a
}

// value returns the value of t in the finite field GF(p), where p is primes[level].
func (z *fingerprint) value(t *term, level int) uint64 {
	f := &primes[level]
	switch t.kind {
	case kindNumber:
		return z.number(t.coef, level)
	case kindLeaf:
		return z.leaf(t, level)
	case kindSum:
		s := uint64(0)
		for _, a := range t.args {
			s = f.add(s, z.value(a, level))
		}
		return s
	case kindProduct:
		r := z.number(t.coef, level)
		for _, a := range t.args {
			r = f.mul(r, z.value(a, level))
		}
		return r
	case kindPower:
		return z.power(t.args[0], t.args[1], level)
	}
	if len(t.args) == 2 {
		return z.call2(t.op, z.value(t.args[0], level), z.value(t.args[1], level), level)
	}
	return z.call(t.op, z.value(t.args[0], level), level)
}

func (z *fingerprint) leaf(t *term, level int) uint64 {
	switch t.op {
	case Var:
		return z.signed(level, tagVar, uint64(t.index))
	case Param:
		return z.signed(level, tagParam, z.id(t.index))
	case Pi:
		a := z.random(level, tagPi)
		return primes[level].mul(a, a)
	case Euler:
		return primes[level].enter(4)
	}
	return z.random(level, tagUndefined)
}

// number returns the value of c. A fraction has its exact value. Any other number has a
// pseudorandom value that depends on its sign, its exponent and its first 40 bits, which are about
// twelve digits.
func (z *fingerprint) number(c coef, level int) uint64 {
	f := &primes[level]
	var a uint64
	switch abs := c.abs(); {
	case abs.q == 1:
		a = f.enter(uint64(abs.p))
	case abs.q > 1:
		a = f.mul(f.enter(uint64(abs.p)), z.inverse(f.enter(uint64(abs.q)), level))
	default:
		mantissa, exponent := math.Frexp(abs.f)
		a = z.random(level, tagFloat, uint64(math.Round(mantissa*(1<<40))), uint64(exponent))
	}
	if c.sign() < 0 {
		a = f.neg(a)
	}
	return a
}

// inverse returns 1/a, or 0 for a = 0.
func (z *fingerprint) inverse(a uint64, level int) uint64 {
	return primes[level].pow(a, primes[level].p-2)
}

// power returns b to the power n. If n is a number, the whole part of n is applied by repeated
// squaring. The rest of n, or all of n if it is not a number, is replaced by its value in the field
// of level+1.
func (z *fingerprint) power(b, n *term, level int) uint64 {
	f, base, front := &primes[level], z.value(b, level), uint64(0)
	fraction := n
	if n.isNumber() && n.coef.q > 0 {
		whole := int64(math.Floor(n.coef.float()))
		if whole < 0 {
			front = z.inverse(f.pow(base, uint64(-whole)), level)
		} else {
			front = f.pow(base, uint64(whole))
		}
		rest := n.coef.add(coef{p: -whole, q: 1})
		if rest.is(0) {
			return front
		}
		fraction = numberTerm(rest)
	} else {
		front = f.enter(1)
	}
	if level == len(primes)-1 {
		return f.mul(front, z.random(level, tagPower, base, z.value(fraction, level)))
	}
	exponent := z.value(fraction, level+1)
	if !f.isSquare(base) {
		base = f.neg(base)
		if !z.negative { // for a base of either sign, a root of u does not give a root of -u
			front = f.mul(front, z.random(level, tagSign, exponent))
		}
	}
	return f.mul(front, f.pow(base, primes[level+1].leave(exponent)))
}

// call returns the value of function op where its operand has the value a.
func (z *fingerprint) call(op Op, a uint64, level int) uint64 {
	f := &primes[level]
	opposite := f.neg(a)
	if op == Abs {
		if z.opaqueAbs {
			return z.random(level, uint64(op), min(a, opposite))
		}
		if f.isSquare(a) {
			return a
		}
		return opposite
	}
	switch operators[op].Parity {
	case Even:
		return z.random(level, uint64(op), min(a, opposite))
	case Odd:
		r := z.random(level, uint64(op), min(a, opposite))
		if opposite < a {
			r = f.neg(r)
		}
		return r
	}
	return z.random(level, uint64(op), a)
}

// call2 returns the value of the function op where its operands have the values a and b.
func (z *fingerprint) call2(op Op, a, b uint64, level int) uint64 {
	if operators[op].Commutes {
		a, b = min(a, b), max(a, b)
	}
	return z.random(level, uint64(op), a, b)
}

// rankParams returns the rank of each slot in t by the role of its constant (see [RankByRole]): the
// value of t when constants have the values that id gives. Of two constants with the same role, as
// in c0*exp(c1*x) + c2*exp(c3*x), the one with the lower slot comes first. It then counts as
// ranked, so that c3 follows c2 as c1 follows c0.
func rankParams(t *term, slots []int32) []int {
	return RankByRole(len(slots), func(id func(item int) int) uint64 {
		z := fingerprint{seed: 3, opaqueAbs: true, id: func(s int32) uint64 { return uint64(id(slices.Index(slots, s))) }}
		return z.value(t, 0)
	})
}

// RankByRole returns the rank of each of n items. Items are ranked by their role, a hash of the
// whole in which the item is marked. role calculates the role of one item. It must use number(i) in
// place of each item i: 1 for the item itself, 0 for other items without a rank, and rank+2 for
// items with one. If several items have the same role, the first of them gets the next rank, and
// the roles of the others are calculated again.
func RankByRole(n int, role func(number func(item int) int) uint64) []int {
	type part struct {
		item  int
		value uint64
	}
	ranks, parts := make([]int, n), make([]part, n)
	if n == 1 {
		return ranks
	}
	for i := range parts {
		parts[i].item, ranks[i] = i, -1
	}
	this := 0
	number := func(item int) int {
		switch {
		case item == this:
			return 1
		case ranks[item] >= 0:
			return ranks[item] + 2
		}
		return 0
	}
	for done := 0; done < n; {
		rest := parts[done:]
		for i, p := range rest {
			this = p.item
			rest[i].value = role(number)
		}
		slices.SortStableFunc(rest, func(a, b part) int { return cmp.Compare(a.value, b.value) })
		// Rank all items whose roles come before the first tie, and one item of that tie.
		for k := range rest {
			ranks[rest[k].item] = done
			done++
			if k+1 < len(rest) && rest[k].value == rest[k+1].value {
				break
			}
		}
	}
	return ranks
}

// hash combines fingerprints of t with positive and with negative columns. If t contains an
// absolute value or a root, it uses several of each, since |u| equals u in about every second
// fingerprint.
func (t *term) hash(id func(slot int32) uint64) uint64 {
	n := uint64(2)
	if t.takesSigns() {
		n = signPrints
	}
	var prints [signPrints]uint64
	for i := range n {
		z := fingerprint{seed: i + 1, id: id, negative: i%2 == 1}
		prints[i] = z.value(t, 0)
	}
	return mix(prints[:n]...)
}

// signPrints is the number of fingerprints that distinguish |u| from u. The probability that all of
// them agree by chance is 2⁻¹⁶.
const signPrints = 16

// takesSigns reports whether t contains an absolute value or a root.
func (t *term) takesSigns() bool {
	switch {
	case t.kind == kindCall && t.op == Abs, t.kind == kindPower && t.args[0].op != Euler && !t.args[1].coef.isInt():
		return true
	}
	return slices.ContainsFunc(t.args, (*term).takesSigns)
}
