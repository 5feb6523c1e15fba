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
	trigLimit64 = 1e9
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
	for op := Tan; op <= Tanh; op++ {
		s.Unary[op] = wide32x16(op)
	}
	s.Binary[Pow] = func(dst, a, b []float32) { power32(dst, a, b, s, pow32x16) }
	return s
}

func avx2Set32() *Set[float32] {
	s := scalar32()
	s.Name = "avx2"
	arith32x8(s)
	s.Unary[Exp], s.Unary[Log], s.Unary[Sin], s.Unary[Cos] = exp32x8, log32x8, sin32x8, cos32x8
	for op := Tan; op <= Tanh; op++ {
		s.Unary[op] = wide32x8(op)
	}
	s.Binary[Pow] = func(dst, a, b []float32) { power32(dst, a, b, s, pow32x8) }
	return s
}

func avx512Set64() *Set[float64] {
	s := scalar64()
	s.Name = "avx512"
	arith64x8(s)
	s.Unary[Exp], s.Unary[Log], s.Unary[Sin], s.Unary[Cos], s.Unary[Tan] = exp64x8, log64x8, sin64x8, cos64x8, tan64x8
	s.Unary[Asin], s.Unary[Acos], s.Unary[Atan] = asin64x8, acos64x8, atan64x8
	s.Unary[Sinh], s.Unary[Cosh], s.Unary[Tanh] = sinh64x8, cosh64x8, tanh64x8
	s.Binary[Pow] = func(dst, a, b []float64) { power64(dst, a, b, s, pow64x8) }
	return s
}

func avx2Set64() *Set[float64] {
	s := scalar64()
	s.Name = "avx2"
	arith64x4(s)
	s.Unary[Exp], s.Unary[Log], s.Unary[Sin], s.Unary[Cos], s.Unary[Tan] = exp64x4, log64x4, sin64x4, cos64x4, tan64x4
	s.Unary[Asin], s.Unary[Acos], s.Unary[Atan] = asin64x4, acos64x4, atan64x4
	s.Unary[Sinh], s.Unary[Cosh], s.Unary[Tanh] = sinh64x4, cosh64x4, tanh64x4
	s.Binary[Pow] = func(dst, a, b []float64) { power64(dst, a, b, s, pow64x4) }
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

// scale64x8 is x·2ᵏ.
func scale64x8(x, k archsimd.Float64x8) archsimd.Float64x8 { return x.Scale(k) }

// scale64x4 is x·2ᵏ in two steps, of which the second may round to a subnormal number or infinity.
func scale64x4(x, k archsimd.Float64x4) archsimd.Float64x4 {
	magic, bias := archsimd.BroadcastFloat64x4(magic64), archsimd.BroadcastInt64x4(1023)
	m := k.MulAdd(archsimd.BroadcastFloat64x4(0.5), magic)
	rest := k.Sub(m.Sub(magic)).Add(magic)
	x = x.Mul(m.AsInt64x4().Add(bias).ShiftAllLeft(52).AsFloat64x4())
	return x.Mul(rest.AsInt64x4().Add(bias).ShiftAllLeft(52).AsFloat64x4())
}

// patch64 sets the lanes in which to f.
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

// repeat fills x with its first n numbers.
func repeat[T Float](x []T, n int) {
	for n < len(x) {
		n += copy(x[n:], x[:n])
	}
}
