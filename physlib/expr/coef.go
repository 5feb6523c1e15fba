package expr

import "math"

// A coef is a number in canonical form. It is a fraction p/q in lowest terms if 1 ≤ q ≤ maxDen and
// |p| ≤ maxNum, so that 1/3 + 1/6 is exactly 1/2. Otherwise it is the float64 f, and q is 0.
type coef struct {
	p, q int64
	f    float64
}

const (
	maxDen = 1000
	maxNum = 1_000_000_000
)

var (
	coefZero = coef{p: 0, q: 1}
	coefOne  = coef{p: 1, q: 1}
)

// newCoef returns the coef of a finite v.
func newCoef(v float64) coef {
	if p, q, ok := fraction(v, maxDen); ok {
		return coef{p: p, q: q}
	}
	return coef{f: v}
}

// ratio returns p/q, rounded to a float64 if p or q is too large.
func ratio(p, q int64) coef {
	if q < 0 {
		p, q = -p, -q
	}
	if d := gcd(p, q); d > 1 {
		p, q = p/d, q/d
	}
	if q > maxDen || p > maxNum || p < -maxNum {
		return newCoef(float64(p) / float64(q))
	}
	return coef{p: p, q: q}
}

// gcd returns the greatest common divisor, not negative.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		return -a
	}
	return a
}

func (a coef) float() float64 {
	if a.q == 0 {
		return a.f
	}
	return float64(a.p) / float64(a.q)
}

func (a coef) isInt() bool { return a.q == 1 }

// is reports whether a is the integer n.
func (a coef) is(n int64) bool { return a.q == 1 && a.p == n }

func (a coef) sign() int {
	switch v := a.float(); {
	case v < 0:
		return -1
	case v > 0:
		return 1
	}
	return 0
}

func (a coef) add(b coef) coef {
	if a.q > 0 && b.q > 0 {
		return ratio(a.p*b.q+b.p*a.q, a.q*b.q) // the numerator is below 2e12
	}
	return newCoef(a.float() + b.float())
}

func (a coef) mul(b coef) coef {
	if a.q > 0 && b.q > 0 {
		return ratio(a.p*b.p, a.q*b.q) // numerator and denominator are below 1e18
	}
	return newCoef(a.float() * b.float())
}

func (a coef) neg() coef { return coef{-a.p, a.q, -a.f} }

func (a coef) abs() coef {
	if a.sign() < 0 {
		return a.neg()
	}
	return a
}

// inv returns 1/a for a ≠ 0.
func (a coef) inv() coef {
	if a.q > 0 {
		return ratio(a.q, a.p)
	}
	return newCoef(1 / a.f)
}

// div returns a/b for b ≠ 0.
func (a coef) div(b coef) coef {
	if a.q > 0 && b.q > 0 {
		return ratio(a.p*b.q, a.q*b.p)
	}
	return newCoef(a.float() / b.float())
}

// pow returns aⁿ for a ≠ 0. It may overflow to Inf.
func (a coef) pow(n int64) coef {
	if n < 0 {
		return a.inv().pow(-n)
	}
	if n > 64 || a.q == 0 {
		return newCoef(math.Pow(a.float(), float64(n)))
	}
	r := coefOne
	for range n {
		r = r.mul(a)
	}
	return r
}

func (a coef) cmp(b coef) int {
	switch x, y := a.float(), b.float(); {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

func (a coef) finite() bool { return a.q > 0 || !math.IsInf(a.f, 0) && !math.IsNaN(a.f) }
