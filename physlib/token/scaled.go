package token

import "math"

// scaled is the positive number m·2**e with 1 ≤ m < 2, or 0 if m is 0. It is used for sums over all
// expressions of a length. Logits may differ so much that products of their exponentials overflow
// or underflow in float64.
type scaled struct {
	m float64
	e int
}

// exp2 returns 2**x as a scaled number.
func exp2(x float64) scaled {
	whole := math.Floor(max(x, -1e12)) // the limit keeps e from overflowing
	return normal(math.Exp2(x-whole), int(whole))
}

// normal returns m·2**e for m ≥ 0.
func normal(m float64, e int) scaled {
	if m == 0 {
		return scaled{}
	}
	const mask, bias = 0x7ff, 1023
	bits := math.Float64bits(m)
	return scaled{math.Float64frombits(bits&^(mask<<52) | bias<<52), e + int(bits>>52) - bias}
}

// times returns a·b.
func (a scaled) times(b scaled) scaled { return normal(a.m*b.m, a.e+b.e) }

// plus returns a + b.
func (a scaled) plus(b scaled) scaled {
	switch {
	case a.m == 0:
		return b
	case b.m == 0:
		return a
	case a.e < b.e:
		a, b = b, a
	}
	shift := a.e - b.e
	if shift > 60 {
		return a
	}
	return normal(a.m+b.m*math.Float64frombits(uint64(1023-shift)<<52), a.e)
}

// over returns a/b as a float64. It is the probability of a among b, so a ≤ b up to rounding.
func (a scaled) over(b scaled) float64 {
	shift := a.e - b.e
	if a.m == 0 || shift < -1000 {
		return 0
	}
	return a.m / b.m * math.Float64frombits(uint64(1023+shift)<<52)
}
