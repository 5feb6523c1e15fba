package vec

import (
	"math"
	"math/big"
)

// The exact functions, calculated with math/big to about 150 bits. The argument is reduced first.
// Then series and identities are used.

const refBits = 200

func bigOf(x float64) *big.Float { return new(big.Float).SetPrec(refBits).SetFloat64(x) }
func bigNew() *big.Float         { return new(big.Float).SetPrec(refBits) }

// bigPi returns π to the given number of bits, by Machin's formula 16 arctan(1/5) - 4
// arctan(1/239).
func bigPi(bits uint) *big.Float {
	if p := piCache[bits]; p != nil {
		return p
	}
	arctanInv := func(n int64) *big.Float {
		x := new(big.Float).SetPrec(bits+32).Quo(big.NewFloat(1).SetPrec(bits+32), new(big.Float).SetInt64(n))
		sum, power := new(big.Float).Set(x), new(big.Float).Set(x)
		square := new(big.Float).SetInt64(n * n)
		for k := int64(1); power.MantExp(nil) > -int(bits)-32; k++ {
			power.Quo(power, square)
			term := new(big.Float).SetPrec(bits+32).Quo(power, new(big.Float).SetInt64(2*k+1))
			if k%2 == 1 {
				term.Neg(term)
			}
			sum.Add(sum, term)
		}
		return sum
	}
	a, b := arctanInv(5), arctanInv(239)
	a.Mul(a, big.NewFloat(16))
	b.Mul(b, big.NewFloat(4))
	piCache[bits] = a.Sub(a, b)
	return piCache[bits]
}

var piCache = map[uint]*big.Float{}

// bigExp returns eˣ for |x| < 1e5. It sums the series for x/2ᵏ, and squares the result k times.
func bigExp(x *big.Float) *big.Float {
	const halvings = 30
	r := bigNew().SetPrec(refBits+64).SetMantExp(x, -halvings)
	sum, term := big.NewFloat(1).SetPrec(refBits+64), big.NewFloat(1).SetPrec(refBits+64)
	for k := int64(1); k < 40 && term.Sign() != 0 && term.MantExp(nil) > -refBits-64; k++ {
		term.Mul(term, r)
		term.Quo(term, new(big.Float).SetInt64(k))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return bigNew().Set(sum)
}

// bigLog returns ln x. It starts from math.Log and makes two of Halley's iterations with exp. Each
// iteration triples the number of digits.
func bigLog(x *big.Float) *big.Float {
	m := bigNew()
	e := x.MantExp(m)
	f, _ := m.Float64()
	y := bigOf(math.Log(f))
	for range 2 {
		v := bigExp(y)
		d := bigNew().Quo(bigNew().Sub(m, v), bigNew().Add(m, v))
		y.Add(y, d.Mul(d, big.NewFloat(2)))
	}
	return y.Add(y, bigNew().Mul(bigLn2(), big.NewFloat(float64(e))))
}

var ln2Cache *big.Float

func bigLn2() *big.Float {
	if ln2Cache == nil {
		y := bigOf(math.Ln2)
		for range 3 {
			v := bigExp(y)
			d := bigNew().Quo(bigNew().Sub(big.NewFloat(2), v), bigNew().Add(big.NewFloat(2), v))
			y.Add(y, d.Mul(d, big.NewFloat(2)))
		}
		ln2Cache = y
	}
	return ln2Cache
}

// bigSinCos returns the sine and cosine of x, reduced by π with enough bits.
func bigSinCos(x *big.Float) (sin, cos *big.Float) {
	bits := uint(refBits + max(0, x.MantExp(nil)) + 64)
	pi := bigPi(bits)
	half := new(big.Float).SetPrec(bits).SetMantExp(pi, -1)
	q := new(big.Float).SetPrec(bits).Quo(x, half)
	if q.Sign() >= 0 {
		q.Add(q, big.NewFloat(0.5))
	} else {
		q.Sub(q, big.NewFloat(0.5))
	}
	k, _ := q.Int(nil)
	r := new(big.Float).SetPrec(bits).Sub(x, new(big.Float).SetPrec(bits).Mul(new(big.Float).SetPrec(bits).SetInt(k), half))
	r.SetPrec(refBits)
	square := bigNew().Mul(r, r)
	series := func(first *big.Float, n int64) *big.Float {
		sum, term := bigNew().Set(first), bigNew().Set(first)
		for ; n < 80; n += 2 {
			term.Mul(term, square)
			term.Quo(term, new(big.Float).SetInt64(-n*(n+1)))
			sum.Add(sum, term)
		}
		return sum
	}
	s, c := series(r, 2), series(big.NewFloat(1), 1)
	switch new(big.Int).And(k, big.NewInt(3)).Int64() {
	case 1:
		s, c = c, s.Neg(s)
	case 2:
		s, c = s.Neg(s), c.Neg(c)
	case 3:
		s, c = c.Neg(c), s
	}
	return s, c
}

// bigAtan returns arctan x. It corrects a = math.Atan(x) by the remaining angle, whose tangent is
// (x cos a - sin a)/(cos a + x sin a).
func bigAtan(x *big.Float) *big.Float {
	f, _ := x.Float64()
	y := bigOf(math.Atan(f))
	for range 2 {
		s, c := bigSinCos(y)
		d := bigNew().Sub(bigNew().Mul(x, c), s)
		d.Quo(d, bigNew().Add(c, bigNew().Mul(x, s)))
		cube := bigNew().Mul(d, d)
		cube.Mul(cube, d)
		y.Add(y, d.Sub(d, cube.Quo(cube, big.NewFloat(3))))
	}
	return y
}

// exact returns f(v) for a finite v. ok is false outside of the domain of f, and at zeros and
// poles.
func exact(f Unary, v float64) (y *big.Float, ok bool) {
	if v == 0 || math.IsNaN(v-v) {
		return nil, false
	}
	x, one := bigOf(v), big.NewFloat(1)
	switch f {
	case Neg:
		return x.Neg(x), true
	case Abs:
		return x.Abs(x), true
	case Inv:
		return x.Quo(one, x), true
	case Square:
		return x.Mul(x, x), true
	case Cube:
		return x.Mul(x, bigNew().Mul(x, x)), true
	case Sqrt:
		if v > 0 {
			return x.Sqrt(x), true
		}
	case Exp:
		if math.Abs(v) < 1000 {
			return bigExp(x), true
		}
	case Log:
		if v > 0 && v != 1 {
			return bigLog(x), true
		}
	case Sin:
		s, _ := bigSinCos(x)
		return s, true
	case Cos:
		_, c := bigSinCos(x)
		return c, true
	case Tan:
		s, c := bigSinCos(x)
		return s.Quo(s, c), true
	case Atan:
		return bigAtan(x), true
	case Asin: // arctan(x/√((1-x)(1+x)))
		if math.Abs(v) < 1 {
			d := bigNew().Mul(bigNew().Sub(one, x), bigNew().Add(one, x))
			return bigAtan(x.Quo(x, d.Sqrt(d))), true
		}
	case Acos: // 2 arctan √((1-x)/(1+x))
		if math.Abs(v) < 1 {
			d := bigNew().Quo(bigNew().Sub(one, x), bigNew().Add(one, x))
			a := bigAtan(d.Sqrt(d))
			return a.Mul(a, big.NewFloat(2)), true
		}
	case Sinh, Cosh, Tanh:
		if math.Abs(v) < 1e-30 && f == Cosh {
			return bigOf(1), true
		}
		if math.Abs(v) < 1e-30 {
			return x, true
		}
		if math.Abs(v) < 1000 {
			return hyperbolic(f, x), true
		}
	}
	return nil, false
}

func hyperbolic(f Unary, x *big.Float) *big.Float {
	up, one := bigExp(x), big.NewFloat(1)
	down := bigNew().Quo(one, up)
	s, c := bigNew().Sub(up, down), bigNew().Add(up, down)
	switch f {
	case Sinh:
		return s.Quo(s, big.NewFloat(2))
	case Cosh:
		return c.Quo(c, big.NewFloat(2))
	}
	return s.Quo(s, c)
}

// exactPow returns a ** b for a > 0; ok is false if it overflows.
func exactPow(a, b float64) (*big.Float, bool) {
	if !(a > 0) || math.IsInf(a, 0) || math.IsNaN(b-b) || math.Abs(b*math.Log(a)) > 1000 {
		return nil, false
	}
	y := bigLog(bigOf(a))
	return bigExp(y.Mul(y, bigOf(b))), true
}

// ulps returns the distance of got from want, in units in the last place of want in float32 (if
// single is true) or float64.
func ulps(got float64, want *big.Float, single bool) float64 {
	digits, least, most := 53, -1074, math.MaxFloat64
	if single {
		digits, least, most = 24, -149, math.MaxFloat32
	}
	unit := math.Ldexp(1, max(want.MantExp(nil)-digits, least))
	if math.IsInf(got, 0) { // infinity counts as the number after the largest finite one
		got = math.Copysign(most, got)
		over := bigNew().Sub(want, bigOf(got))
		if over.Sign() == want.Sign() {
			return 0
		}
		gap, _ := over.Abs(over).Float64()
		return 1 + gap/unit
	}
	if math.IsNaN(got) {
		return math.Inf(1)
	}
	d, _ := bigNew().Sub(bigOf(got), want).Float64()
	return math.Abs(d) / unit
}
