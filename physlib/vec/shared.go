package vec

import (
	"math"

	"github.com/physlib/lab/physlib/vec/internal/lane"
)

// The number of lanes of each vector type, and the bit mask of all lanes.
const (
	lanes32x16, all32x16 = 16, 0xffff
	lanes32x8, all32x8   = 8, 0xff
	lanes64x8, all64x8   = 8, 0xff
	lanes64x4, all64x4   = 4, 0xf
	lanes64x1, all64x1   = 1, 1
)

const (
	// For |x| < 2²², the low bits of magic32 + x hold x rounded to a whole number.
	magic32 = 0x1.8p23
	magic64 = 0x1.8p52

	// ln(1+f) ≈ f - f²/2 + f³(logA + logB·f + …) in float32, for |f| ≤ 1/3.
	logA, logB, logC, logD = 0.3333321511745453, -0.24999797344207764, 0.20010405778884888, -0.16680489480495453
	logE, logF, logG, logH = 0.1400587409734726, -0.12184233218431473, 0.1398441344499588, -0.12891817092895508

	// For arguments with a larger absolute value, the sine, cosine and tangent are calculated by
	// package math or reduceFar.
	trigLimit32 = 48000
	trigLimit64 = 1e9
)

// scale64x1 returns x·2ᵏ. It multiplies in two steps. Only the second step may round to a subnormal
// number or overflow to infinity.
func scale64x1(x, k lane.Float64x1) lane.Float64x1 {
	magic, bias := lane.BroadcastFloat64x1(magic64), lane.BroadcastInt64x1(1023)
	m := k.MulAdd(lane.BroadcastFloat64x1(0.5), magic)
	rest := k.Sub(m.Sub(magic)).Add(magic)
	x = x.Mul(m.AsInt64x1().Add(bias).ShiftAllLeft(52).AsFloat64x1())
	return x.Mul(rest.AsInt64x1().Add(bias).ShiftAllLeft(52).AsFloat64x1())
}

// patch64 sets dst[i] to f(a[i]) for each lane i whose bit in which is set.
func patch64(dst, a []float64, which uint8, f func(float64) float64) {
	for i, x := range a {
		if which>>i&1 != 0 {
			dst[i] = f(x)
		}
	}
}

func patchPow64(dst, a, b []float64, which uint8) {
	for i, x := range a {
		if which>>i&1 != 0 {
			dst[i] = math.Pow(x, b[i])
		}
	}
}

// repeat fills x by repeating its first n numbers.
func repeat[T Float](x []T, n int) {
	for n < len(x) {
		n += copy(x[n:], x[:n])
	}
}
