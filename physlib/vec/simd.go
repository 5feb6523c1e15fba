//go:build goexperiment.simd && amd64

package vec

//go:generate go run ./internal/gen

import (
	"math"
	"simd/archsimd"
)

// Lanes of the vector types, and the bits of a mask with all of them.
const (
	lanes32x16, all32x16 = 16, 0xffff
	lanes32x8, all32x8   = 8, 0xff
	lanes64x8, all64x8   = 8, 0xff
	lanes64x4, all64x4   = 4, 0xf
)

const (
	// magic32 + x is x rounded to a whole number, in the low bits of the sum, for |x| < 2²².
	magic32 = 0x1.8p23
	magic64 = 0x1.8p52

	// ln(1+f) ≈ f - f²/2 + f³(logA + logB·f + …) in float32, for |f| ≤ 1/3.
	logA, logB, logC, logD = 0.3333321511745453, -0.24999797344207764, 0.20010405778884888, -0.16680489480495453
	logE, logF, logG, logH = 0.1400587409734726, -0.12184233218431473, 0.1398441344499588, -0.12891817092895508

	// Beyond these limits the sine, cosine and tangent go through package math.
	trigLimit32 = 48000
	trigLimit64 = 1e5
)

func init() {
	if archsimd.X86.AVX2() && archsimd.X86.FMA() {
		sets32 = append(sets32, avx2Set32())
		sets64 = append(sets64, avx2Set64())
	}
	if archsimd.X86.AVX512() {
		sets32 = append(sets32, avx512Set32())
		sets64 = append(sets64, avx512Set64())
	}
}

func avx512Set32() *Set[float32] {
	s := scalar32()
	s.Name = "avx512"
	arith32x16(s)
	s.Unary[Exp], s.Unary[Log], s.Unary[Sin], s.Unary[Cos] = exp32x16, log32x16, sin32x16, cos32x16
	return s
}

func avx2Set32() *Set[float32] {
	s := scalar32()
	s.Name = "avx2"
	arith32x8(s)
	s.Unary[Exp], s.Unary[Log], s.Unary[Sin], s.Unary[Cos] = exp32x8, log32x8, sin32x8, cos32x8
	return s
}

func avx512Set64() *Set[float64] {
	s := scalar64()
	s.Name = "avx512"
	arith64x8(s)
	return s
}

func avx2Set64() *Set[float64] {
	s := scalar64()
	s.Name = "avx2"
	arith64x4(s)
	return s
}

// scale32x16 is x·2ᵏ.
func scale32x16(x, k archsimd.Float32x16) archsimd.Float32x16 { return x.Scale(k) }

// scale32x8 is x·2ᵏ in two steps, of which the second may round to a subnormal number or infinity.
func scale32x8(x, k archsimd.Float32x8) archsimd.Float32x8 {
	n, bias := k.ConvertToInt32(), archsimd.BroadcastInt32x8(127)
	n1 := n.ShiftAllRight(1)
	n2 := n.Sub(n1)
	return x.Mul(n1.Add(bias).ShiftAllLeft(23).AsFloat32x8()).Mul(n2.Add(bias).ShiftAllLeft(23).AsFloat32x8())
}

// farSin32 fills in the lanes in far, but for infinities, whose result is NaN already.
func farSin32(dst, a []float32, far uint16) {
	for i, x := range a {
		if far>>i&1 != 0 && x-x == 0 {
			dst[i] = float32(math.Sin(float64(x)))
		}
	}
}

func farCos32(dst, a []float32, far uint16) {
	for i, x := range a {
		if far>>i&1 != 0 && x-x == 0 {
			dst[i] = float32(math.Cos(float64(x)))
		}
	}
}

// smallLog32 fills in the lanes in small, which hold zero or subnormal numbers.
func smallLog32(dst, a []float32, small uint16) {
	for i, x := range a {
		if small>>i&1 != 0 {
			dst[i] = float32(math.Log(float64(x)))
		}
	}
}
