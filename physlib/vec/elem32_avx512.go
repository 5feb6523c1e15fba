//go:build goexperiment.simd && amd64

package vec

import (
	"math"
	"simd/archsimd"
	"unsafe"
)

// The AVX-512 float32 functions. Each is a polynomial with the least maximum error in its interval
// (Remez). The argument is first reduced in steps of exactly rounded fused multiply-adds (Cody and
// Waite, 1980). Blocks that contain special arguments are handled separately.

// exp32x16 is eᵃ = 2ⁿ·exp(r) with n = round(a/ln 2).
func exp32x16(dst, a []float32) {
	n, sa := len(dst), step(len(dst), len(a))
	pd, pa := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	// Beyond these limits, the result is 0 or +Inf.
	low, high := archsimd.BroadcastFloat32x16(-104), archsimd.BroadcastFloat32x16(89)
	magic, log2e := archsimd.BroadcastFloat32x16(magic32), archsimd.BroadcastFloat32x16(math.Log2E)
	ln2a, ln2b := archsimd.BroadcastFloat32x16(-0.6931471824645996), archsimd.BroadcastFloat32x16(1.9046542121259336e-09)
	one := archsimd.BroadcastFloat32x16(1)
	c0, c1 := archsimd.BroadcastFloat32x16(0.4999999403953552), archsimd.BroadcastFloat32x16(0.1666652113199234)
	c2, c3 := archsimd.BroadcastFloat32x16(0.04166838899254799), archsimd.BroadcastFloat32x16(0.008368726819753647)
	c4 := archsimd.BroadcastFloat32x16(0.0013814581325277686)
	for i, j := 0, 0; i < n; i, j = i+lanes32x16, j+lanes32x16*sa/Block {
		x := archsimd.LoadFloat32x16Array((*[16]float32)(unsafe.Add(pa, j*4)))
		x = low.Max(high.Min(x)) // NaN is not changed
		k := x.MulAdd(log2e, magic).Sub(magic)
		r := k.MulAdd(ln2b, k.MulAdd(ln2a, x))
		q := c4.MulAdd(r, c3).MulAdd(r, c2).MulAdd(r, c1).MulAdd(r, c0)
		y := q.MulAdd(r.Mul(r), r).Add(one)
		scale32x16(y, k).StoreArray((*[16]float32)(unsafe.Add(pd, i*4)))
	}
	archsimd.ClearAVXUpperBits()
}

// log32x16 is ln a = e·ln 2 + ln(1+f) with 1+f in [2/3, 4/3].
func log32x16(dst, a []float32) { withRare32(dst, a, lanes32x16, logNormal32x16, smallLog32) }

// logNormal32x16 is the part of log32x16 that withRare32 calls. It ends at a block with
// an argument that is subnormal or zero.
func logNormal32x16(dst, a []float32, from int) (row int, rare uint16, args rareBlock) {
	n, sa := len(dst), step(len(dst), len(a))
	pd, pa := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	twoThirds, exponent := archsimd.BroadcastInt32x16(0x3f2aaaab), archsimd.BroadcastInt32x16(-0x800000)
	least, greatest := archsimd.BroadcastFloat32x16(0x1p-126), archsimd.BroadcastFloat32x16(math.MaxFloat32)
	leastBits, normals := archsimd.BroadcastInt32x16(0x00800000), archsimd.BroadcastUint32x16(0x7f000000)
	nan := archsimd.BroadcastInt32x16(0x7fc00000).AsFloat32x16()
	ln2 := archsimd.BroadcastFloat32x16(math.Ln2 * 0x1p-23)
	one, half := archsimd.BroadcastFloat32x16(1), archsimd.BroadcastFloat32x16(-0.5)
	c0, c1 := archsimd.BroadcastFloat32x16(logA), archsimd.BroadcastFloat32x16(logB)
	c2, c3 := archsimd.BroadcastFloat32x16(logC), archsimd.BroadcastFloat32x16(logD)
	c4, c5 := archsimd.BroadcastFloat32x16(logE), archsimd.BroadcastFloat32x16(logF)
	c6, c7 := archsimd.BroadcastFloat32x16(logG), archsimd.BroadcastFloat32x16(logH)
	for i, j := from, from*sa/Block; i < n; i, j = i+lanes32x16, j+lanes32x16*sa/Block {
		x := archsimd.LoadFloat32x16Array((*[16]float32)(unsafe.Add(pa, j*4)))
		e := x.AsInt32x16().Sub(twoThirds).And(exponent)
		f := x.AsInt32x16().Sub(e).AsFloat32x16().Sub(one)
		q := c7.MulAdd(f, c6).MulAdd(f, c5).MulAdd(f, c4).MulAdd(f, c3).MulAdd(f, c2).MulAdd(f, c1).MulAdd(f, c0)
		y := e.ConvertToFloat32().MulAdd(ln2, q.MulAdd(f, half).MulAdd(f.Mul(f), f))
		if x.AsInt32x16().Sub(leastBits).AsUint32x16().Less(normals).ToBits() != all32x16 {
			y = x.IfElse(x.Greater(greatest), y) // +Inf is the result for +Inf
			y = y.IfElse(x.GreaterEqual(least), nan)
			if small := x.Abs().Less(least).ToBits(); small != 0 {
				x.StoreArray((*[16]float32)(args[:lanes32x16]))
				y.StoreArray((*[16]float32)(unsafe.Add(pd, i*4)))
				archsimd.ClearAVXUpperBits()
				return i, uint16(small), args
			}
		}
		y.StoreArray((*[16]float32)(unsafe.Add(pd, i*4)))
	}
	archsimd.ClearAVXUpperBits()
	return n, 0, args
}

// sin32x16 is sin a = (-1)ᵏ·sin(r) with k = round(a/π).
func sin32x16(dst, a []float32) { withRare32(dst, a, lanes32x16, sinNear32x16, farSin32) }

// sinNear32x16 is the part of sin32x16 that withRare32 calls. It ends at a block with
// an argument beyond trigLimit32.
func sinNear32x16(dst, a []float32, from int) (row int, rare uint16, args rareBlock) {
	n, sa := len(dst), step(len(dst), len(a))
	pd, pa := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	least, greatest := archsimd.BroadcastFloat32x16(-1), archsimd.BroadcastFloat32x16(1)
	limit := archsimd.BroadcastFloat32x16(trigLimit32 * trigLimit32)
	magic, perPi := archsimd.BroadcastFloat32x16(magic32), archsimd.BroadcastFloat32x16(1/math.Pi)
	zero := archsimd.BroadcastInt32x16(0).AsFloat32x16()
	pi1, pi2 := archsimd.BroadcastFloat32x16(-3.1415927410125732), archsimd.BroadcastFloat32x16(8.742277657347586e-08)
	pi3 := archsimd.BroadcastFloat32x16(3.4302490200117637e-15)
	c0, c1 := archsimd.BroadcastFloat32x16(-0.16666659712791443), archsimd.BroadcastFloat32x16(0.00833306647837162)
	c2, c3 := archsimd.BroadcastFloat32x16(-0.00019809602235909551), archsimd.BroadcastFloat32x16(2.6057787181343883e-06)
	for i, j := from, from*sa/Block; i < n; i, j = i+lanes32x16, j+lanes32x16*sa/Block {
		x := archsimd.LoadFloat32x16Array((*[16]float32)(unsafe.Add(pa, j*4)))
		m := x.MulAdd(perPi, magic)
		k := m.Sub(magic)
		r := k.MulAdd(pi3, k.MulAdd(pi2, k.MulAdd(pi1, x)))
		r = r.AsInt32x16().Xor(m.AsInt32x16().ShiftAllLeft(31)).AsFloat32x16()
		s := r.Mul(r)
		q := c3.MulAdd(s, c2).MulAdd(s, c1).MulAdd(s, c0)
		y := least.Max(greatest.Min(q.MulAdd(s.Mul(r), r))) // rounding may give a value beyond ±1
		y = x.IfElse(x.Equal(zero), y)                      // the result for -0 is -0
		far := x.Mul(x).Greater(limit).ToBits()
		if far != 0 {
			x.StoreArray((*[16]float32)(args[:lanes32x16]))
			y.StoreArray((*[16]float32)(unsafe.Add(pd, i*4)))
			archsimd.ClearAVXUpperBits()
			return i, uint16(far), args
		}
		y.StoreArray((*[16]float32)(unsafe.Add(pd, i*4)))
	}
	archsimd.ClearAVXUpperBits()
	return n, 0, args
}

// cos32x16 is cos a = (-1)ᵏ·sin(r) with a + π/2 = kπ + r.
func cos32x16(dst, a []float32) { withRare32(dst, a, lanes32x16, cosNear32x16, farCos32) }

// cosNear32x16 is the part of cos32x16 that withRare32 calls. It ends at a block with
// an argument beyond trigLimit32.
func cosNear32x16(dst, a []float32, from int) (row int, rare uint16, args rareBlock) {
	n, sa := len(dst), step(len(dst), len(a))
	pd, pa := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	least, greatest := archsimd.BroadcastFloat32x16(-1), archsimd.BroadcastFloat32x16(1)
	limit := archsimd.BroadcastFloat32x16(trigLimit32 * trigLimit32)
	magic, perPi := archsimd.BroadcastFloat32x16(magic32), archsimd.BroadcastFloat32x16(1/math.Pi)
	half := archsimd.BroadcastFloat32x16(0.5)
	pi1, pi2 := archsimd.BroadcastFloat32x16(-3.1415927410125732), archsimd.BroadcastFloat32x16(8.742277657347586e-08)
	pi3 := archsimd.BroadcastFloat32x16(3.4302490200117637e-15)
	c0, c1 := archsimd.BroadcastFloat32x16(-0.16666659712791443), archsimd.BroadcastFloat32x16(0.00833306647837162)
	c2, c3 := archsimd.BroadcastFloat32x16(-0.00019809602235909551), archsimd.BroadcastFloat32x16(2.6057787181343883e-06)
	for i, j := from, from*sa/Block; i < n; i, j = i+lanes32x16, j+lanes32x16*sa/Block {
		x := archsimd.LoadFloat32x16Array((*[16]float32)(unsafe.Add(pa, j*4)))
		m := x.MulAdd(perPi, half).Add(magic)
		k := m.Sub(magic).Sub(half)
		r := k.MulAdd(pi3, k.MulAdd(pi2, k.MulAdd(pi1, x)))
		r = r.AsInt32x16().Xor(m.AsInt32x16().ShiftAllLeft(31)).AsFloat32x16()
		s := r.Mul(r)
		q := c3.MulAdd(s, c2).MulAdd(s, c1).MulAdd(s, c0)
		y := least.Max(greatest.Min(q.MulAdd(s.Mul(r), r))) // rounding may give a value beyond ±1
		far := x.Mul(x).Greater(limit).ToBits()
		if far != 0 {
			x.StoreArray((*[16]float32)(args[:lanes32x16]))
			y.StoreArray((*[16]float32)(unsafe.Add(pd, i*4)))
			archsimd.ClearAVXUpperBits()
			return i, uint16(far), args
		}
		y.StoreArray((*[16]float32)(unsafe.Add(pd, i*4)))
	}
	archsimd.ClearAVXUpperBits()
	return n, 0, args
}
