//go:build goexperiment.simd && amd64

package vec

import (
	"math"
	"simd/archsimd"
	"unsafe"
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

// quotient32x16 returns a/b, correctly rounded. It multiplies by an approximate reciprocal, refined
// by two steps of Newton's iteration and Markstein's correction of the quotient (IBM J. Res. Dev.
// 34, 1990). If something overflowed or underflowed, usual is false and q is invalid. The function
// does not use the processor's division unit, so it can run in parallel with a division of another
// vector.
func quotient32x16(a, b archsimd.Float32x16, c quotientConstants) (q archsimd.Float32x16, usual bool) {
	minus := b.AsInt32x16().Xor(c.sign).AsFloat32x16()
	r := b.Reciprocal()
	r = minus.MulAdd(r, c.one).MulAdd(r, r)
	r = minus.MulAdd(r, c.one).MulAdd(r, r)
	q = a.Mul(r)
	exponents := b.AsInt32x16().Sub(c.least).Or(q.AsInt32x16().Sub(c.least)).And(c.top)
	return minus.MulAdd(q, a).MulAdd(r, q), exponents.Equal(c.top).ToBits() == 0
}

// quotientConstants are constants that stay in registers. quotient32x16 works for usual numbers,
// with magnitudes from 2⁻⁴³ to 2⁸⁵. If the least usual exponent is subtracted from the exponent of
// such a number, the top bit of the difference is 0.
type quotientConstants struct {
	one              archsimd.Float32x16
	sign, least, top archsimd.Int32x16
}

func newQuotientConstants() quotientConstants {
	return quotientConstants{archsimd.BroadcastFloat32x16(1), archsimd.BroadcastInt32x16(math.MinInt32),
		archsimd.BroadcastInt32x16(84 << 23), archsimd.BroadcastInt32x16(1 << 30)}
}

// sqrt32x16 sets dst to √a, correctly rounded. Every other vector uses the division unit of the
// processor. The others use multiply-adds: an approximate 1/√a, a step of Newton's iteration and a
// correction. If this calculation could overflow or underflow, they use the division unit, too.
func sqrt32x16(dst, a []float32) {
	n, sa := len(dst), step(len(dst), len(a))
	pd, pa := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	at := func(p unsafe.Pointer, i int) *[16]float32 { return (*[16]float32)(unsafe.Add(p, i*4)) }
	half, sign := archsimd.BroadcastFloat32x16(0.5), archsimd.BroadcastInt32x16(math.MinInt32)
	least, usual := archsimd.BroadcastInt32x16(32<<23), archsimd.BroadcastUint32x16(200<<23)
	i, j := 0, 0
	for ; i+2*lanes32x16 <= n; i, j = i+2*lanes32x16, j+2*sa {
		x0, x1 := archsimd.LoadFloat32x16Array(at(pa, j)), archsimd.LoadFloat32x16Array(at(pa, j+sa))
		x0.Sqrt().StoreArray(at(pd, i))
		r := x1.ReciprocalSqrt()
		s, h := x1.Mul(r), r.Mul(half) // approximations of √a and 1/(2√a)
		e := s.AsInt32x16().Xor(sign).AsFloat32x16().MulAdd(h, half)
		s, h = s.MulAdd(e, s), h.MulAdd(e, h)
		s = s.AsInt32x16().Xor(sign).AsFloat32x16().MulAdd(s, x1).MulAdd(h, s)
		if x1.AsInt32x16().Sub(least).AsUint32x16().Less(usual).ToBits() != all32x16 {
			s = x1.Sqrt()
		}
		s.StoreArray(at(pd, i+lanes32x16))
	}
	if i < n {
		archsimd.LoadFloat32x16Array(at(pa, j)).Sqrt().StoreArray(at(pd, i))
	}
	archsimd.ClearAVXUpperBits()
}

// scale32x16 returns x·2ᵏ.
func scale32x16(x, k archsimd.Float32x16) archsimd.Float32x16 { return x.Scale(k) }

// scale32x8 returns x·2ᵏ. It multiplies in two steps. Only the second step may round to a subnormal
// number or overflow to infinity.
func scale32x8(x, k archsimd.Float32x8) archsimd.Float32x8 {
	n, bias := k.ConvertToInt32(), archsimd.BroadcastInt32x8(127)
	n1 := n.ShiftAllRight(1)
	n2 := n.Sub(n1)
	return x.Mul(n1.Add(bias).ShiftAllLeft(23).AsFloat32x8()).Mul(n2.Add(bias).ShiftAllLeft(23).AsFloat32x8())
}

// rareBlock holds the arguments of a block that has rare ones, at most 16.
type rareBlock [16]float32

// withRare32 calculates a function whose rare arguments need another way. near calculates whole
// blocks of lanes rows, beginning with row from. It returns at the first block with rare arguments:
// the row of the block, a bit for each such lane, and the arguments of the block. rare then
// replaces the results in these lanes. Without rare arguments, near returns len(dst) and 0.
//
// So the loop in near contains no function call, and all its constants stay in registers.
func withRare32(dst, a []float32, lanes int, near func(dst, a []float32, from int) (int, uint16, rareBlock), rare func(dst []float32, args rareBlock, which uint16)) {
	for i := 0; i < len(dst); i += lanes {
		row, which, args := near(dst, a, i)
		if i = row; which != 0 {
			rare(dst[i:i+lanes], args, which)
		}
	}
}

// farSin32 sets dst to the sine in the lanes whose bit in far is set. It skips infinities, for
// which dst is already NaN.
func farSin32(dst []float32, args rareBlock, far uint16) {
	for i, x := range args[:len(dst)] {
		if far>>i&1 != 0 && x-x == 0 {
			dst[i] = float32(math.Sin(float64(x)))
		}
	}
}

func farCos32(dst []float32, args rareBlock, far uint16) {
	for i, x := range args[:len(dst)] {
		if far>>i&1 != 0 && x-x == 0 {
			dst[i] = float32(math.Cos(float64(x)))
		}
	}
}

// smallLog32 sets dst to the logarithm in the lanes whose bit in small is set. These lanes hold
// zero or subnormal numbers.
func smallLog32(dst []float32, args rareBlock, small uint16) {
	for i, x := range args[:len(dst)] {
		if small>>i&1 != 0 {
			dst[i] = float32(math.Log(float64(x)))
		}
	}
}

// scale64x8 returns x·2ᵏ.
func scale64x8(x, k archsimd.Float64x8) archsimd.Float64x8 { return x.Scale(k) }

// scale64x4 returns x·2ᵏ. It multiplies in two steps. Only the second step may round to a subnormal
// number or overflow to infinity.
func scale64x4(x, k archsimd.Float64x4) archsimd.Float64x4 {
	magic, bias := archsimd.BroadcastFloat64x4(magic64), archsimd.BroadcastInt64x4(1023)
	m := k.MulAdd(archsimd.BroadcastFloat64x4(0.5), magic)
	rest := k.Sub(m.Sub(magic)).Add(magic)
	x = x.Mul(m.AsInt64x4().Add(bias).ShiftAllLeft(52).AsFloat64x4())
	return x.Mul(rest.AsInt64x4().Add(bias).ShiftAllLeft(52).AsFloat64x4())
}
