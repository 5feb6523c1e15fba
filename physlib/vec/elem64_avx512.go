//go:build goexperiment.simd && amd64

package vec

import (
	"math"
	"simd/archsimd"
	"unsafe"
)

// The AVX-512 float64 functions. The method is that of the float32 functions. Most constants of
// polynomials are broadcast where they are used. If they were kept in registers through the loop,
// variables would be moved to the stack. Words of 512 bits that cross cache lines are slow to load
// from the stack.

func at64x8(p unsafe.Pointer, i int) *[8]float64 { return (*[8]float64)(unsafe.Add(p, i*8)) }

// exponent64x8 returns k for the integer e = k·2⁵².
func exponent64x8(e archsimd.Int64x8) archsimd.Float64x8 {
	// Adding 2¹¹ to k makes it non-negative. This is needed because AVX2 has only a logical shift.
	biased := e.Add(archsimd.BroadcastInt64x8(math.MinInt64)).AsUint64x8().ShiftAllRight(52).AsInt64x8()
	return biased.Add(archsimd.BroadcastInt64x8(0x4338000000000000)).AsFloat64x8().Sub(splat64x8(magic64 + 2048))
}

func splat64x8(v float64) archsimd.Float64x8 { return archsimd.BroadcastFloat64x8(v) }

// exp64x8 is eᵃ = 2ⁿ·exp(r) with n = round(a/ln 2).
func exp64x8(dst, a []float64) {
	n, sa := len(dst), step(len(dst), len(a))
	pd, pa := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	low, high := splat64x8(-746), splat64x8(710) // beyond these limits, the result is 0 or +Inf
	magic, log2e := splat64x8(magic64), splat64x8(math.Log2E)
	ln2a, ln2b := splat64x8(-0.6931471805599453), splat64x8(-2.3190468138462996e-17)
	one := splat64x8(1)
	for i, j := 0, 0; i < n; i, j = i+lanes64x8, j+lanes64x8*sa/Block {
		x := archsimd.LoadFloat64x8Array(at64x8(pa, j))
		x = low.Max(high.Min(x)) // NaN is not changed
		k := x.MulAdd(log2e, magic).Sub(magic)
		r := k.MulAdd(ln2b, k.MulAdd(ln2a, x))
		q := splat64x8(2.5000041259882955e-08).MulAdd(r, splat64x8(2.7630268840925584e-07)).MulAdd(r, splat64x8(2.75575865434609e-06)).MulAdd(r, splat64x8(2.480149304630282e-05))
		q = q.MulAdd(r, splat64x8(0.00019841269506275727)).MulAdd(r, splat64x8(0.0013888888943675705)).MulAdd(r, splat64x8(0.00833333333349465)).MulAdd(r, splat64x8(0.04166666666653001))
		q = q.MulAdd(r, splat64x8(0.16666666666666413)).MulAdd(r, splat64x8(0.5000000000000011))
		y := q.MulAdd(r.Mul(r), r).Add(one)
		scale64x8(y, k).StoreArray(at64x8(pd, i))
	}
	archsimd.ClearAVXUpperBits()
}

// log64x8 is ln a = e·ln 2 + ln(1+f) with 1+f in [2/3, 4/3].
func log64x8(dst, a []float64) {
	n, sa := len(dst), step(len(dst), len(a))
	pd, pa := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	twoThirds, exponent := archsimd.BroadcastInt64x8(0x3fe5555555555555), archsimd.BroadcastInt64x8(-1<<52)
	least, greatest := splat64x8(0x1p-1022), splat64x8(math.MaxFloat64)
	nan := archsimd.BroadcastInt64x8(0x7ff8000000000001).AsFloat64x8()
	ln2a, ln2b := splat64x8(0.6931471805599453), splat64x8(2.3190468138462996e-17)
	one, half := splat64x8(1), splat64x8(-0.5)
	var args [lanes64x8]float64
	c0, c1 := splat64x8(0.3333333333333323), splat64x8(-0.25000000000013334)
	c2, c3 := splat64x8(0.20000000000054693), splat64x8(-0.16666666662931887)
	c4, c5 := splat64x8(0.14285714276535263), splat64x8(-0.12500000388860957)
	c6, c7 := splat64x8(0.1111111184031606), splat64x8(-0.09999979302811927)
	c8, c9 := splat64x8(0.09090876597588987), splat64x8(-0.08333971924300279)
	c10, c11 := splat64x8(0.0769318882833073), splat64x8(-0.07130796713144041)
	c12, c13 := splat64x8(0.0665160244059239), splat64x8(-0.06390852676164034)
	c14, c15 := splat64x8(0.06044749410246142), splat64x8(-0.045737846787278366)
	c16, c17 := splat64x8(0.042043204188368655), splat64x8(-0.08624283087197875)
	c18 := splat64x8(0.08448912769474796)
	for i, j := 0, 0; i < n; i, j = i+lanes64x8, j+lanes64x8*sa/Block {
		x := archsimd.LoadFloat64x8Array(at64x8(pa, j))
		e := x.AsInt64x8().Sub(twoThirds).And(exponent)
		f := x.AsInt64x8().Sub(e).AsFloat64x8().Sub(one)
		q := c18.MulAdd(f, c17).MulAdd(f, c16).MulAdd(f, c15).MulAdd(f, c14).MulAdd(f, c13).MulAdd(f, c12).MulAdd(f, c11).MulAdd(f, c10).MulAdd(f, c9).MulAdd(f, c8).MulAdd(f, c7).MulAdd(f, c6).MulAdd(f, c5).MulAdd(f, c4).MulAdd(f, c3).MulAdd(f, c2).MulAdd(f, c1).MulAdd(f, c0)
		y := q.MulAdd(f, half).MulAdd(f.Mul(f), f)
		n := exponent64x8(e)
		y = n.MulAdd(ln2a, n.MulAdd(ln2b, y))
		if x.GreaterEqual(least).And(x.LessEqual(greatest)).ToBits() != all64x8 {
			y = x.IfElse(x.Greater(greatest), y) // +Inf is the result for +Inf
			y = y.IfElse(x.GreaterEqual(least), nan)
			if small := x.Abs().Less(least).ToBits(); small != 0 {
				x.StoreArray(&args)
				y.StoreArray(at64x8(pd, i))
				archsimd.ClearAVXUpperBits()
				patch64(at64x8(pd, i)[:], args[:], small, smallLog)
				continue
			}
		}
		y.StoreArray(at64x8(pd, i))
	}
	archsimd.ClearAVXUpperBits()
}

// sin64x8 is sin a = (-1)ᵏ·sin(r) with k = round(a/π).
func sin64x8(dst, a []float64) {
	n, sa := len(dst), step(len(dst), len(a))
	pd, pa := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	limit, magic, perPi := splat64x8(trigLimit64), splat64x8(magic64), splat64x8(1/math.Pi)
	pi1, pi2, pi3 := splat64x8(-3.141592653589793), splat64x8(-1.2246467991473532e-16), splat64x8(2.9947698097183397e-33)
	var args [lanes64x8]float64
	least, greatest := splat64x8(-1), splat64x8(1)
	zero := archsimd.BroadcastInt64x8(0).AsFloat64x8()
	for i, j := 0, 0; i < n; i, j = i+lanes64x8, j+lanes64x8*sa/Block {
		x := archsimd.LoadFloat64x8Array(at64x8(pa, j))
		m := x.MulAdd(perPi, magic)
		k := m.Sub(magic)
		r := k.MulAdd(pi3, k.MulAdd(pi2, k.MulAdd(pi1, x)))
		r = r.AsInt64x8().Xor(m.AsInt64x8().ShiftAllLeft(63)).AsFloat64x8()
		s := r.Mul(r)
		q := splat64x8(2.721174911296006e-15).MulAdd(s, splat64x8(-7.642991487438765e-13)).MulAdd(s, splat64x8(1.6058939705947813e-10)).MulAdd(s, splat64x8(-2.5052106872805777e-08))
		q = q.MulAdd(s, splat64x8(2.755731921113734e-06)).MulAdd(s, splat64x8(-0.0001984126984120922)).MulAdd(s, splat64x8(0.008333333333333194)).MulAdd(s, splat64x8(-0.16666666666666666))
		y := least.Max(greatest.Min(q.MulAdd(s.Mul(r), r))) // rounding may give a value beyond ±1
		y = x.IfElse(x.Equal(zero), y)                      // the result for -0 is -0
		if far := x.Abs().Greater(limit).ToBits(); far != 0 {
			x.StoreArray(&args)
			y.StoreArray(at64x8(pd, i))
			archsimd.ClearAVXUpperBits()
			patch64(at64x8(pd, i)[:], args[:], far, farSin)
			continue
		}
		y.StoreArray(at64x8(pd, i))
	}
	archsimd.ClearAVXUpperBits()
}

// cos64x8 is cos a = (-1)ᵏ·sin(r) with a + π/2 = kπ + r.
func cos64x8(dst, a []float64) {
	n, sa := len(dst), step(len(dst), len(a))
	pd, pa := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	limit, magic, perPi := splat64x8(trigLimit64), splat64x8(magic64), splat64x8(1/math.Pi)
	pi1, pi2, pi3 := splat64x8(-3.141592653589793), splat64x8(-1.2246467991473532e-16), splat64x8(2.9947698097183397e-33)
	var args [lanes64x8]float64
	least, greatest := splat64x8(-1), splat64x8(1)
	half := splat64x8(0.5)
	for i, j := 0, 0; i < n; i, j = i+lanes64x8, j+lanes64x8*sa/Block {
		x := archsimd.LoadFloat64x8Array(at64x8(pa, j))
		m := x.MulAdd(perPi, half).Add(magic)
		k := m.Sub(magic).Sub(half)
		r := k.MulAdd(pi3, k.MulAdd(pi2, k.MulAdd(pi1, x)))
		r = r.AsInt64x8().Xor(m.AsInt64x8().ShiftAllLeft(63)).AsFloat64x8()
		s := r.Mul(r)
		q := splat64x8(2.721174911296006e-15).MulAdd(s, splat64x8(-7.642991487438765e-13)).MulAdd(s, splat64x8(1.6058939705947813e-10)).MulAdd(s, splat64x8(-2.5052106872805777e-08))
		q = q.MulAdd(s, splat64x8(2.755731921113734e-06)).MulAdd(s, splat64x8(-0.0001984126984120922)).MulAdd(s, splat64x8(0.008333333333333194)).MulAdd(s, splat64x8(-0.16666666666666666))
		y := least.Max(greatest.Min(q.MulAdd(s.Mul(r), r))) // rounding may give a value beyond ±1
		if far := x.Abs().Greater(limit).ToBits(); far != 0 {
			x.StoreArray(&args)
			y.StoreArray(at64x8(pd, i))
			archsimd.ClearAVXUpperBits()
			patch64(at64x8(pd, i)[:], args[:], far, farCos)
			continue
		}
		y.StoreArray(at64x8(pd, i))
	}
	archsimd.ClearAVXUpperBits()
}

// tan64x8 is tan a = sin(r)/cos(r), or -cos(r)/sin(r) for odd k, with k = round(2a/π).
func tan64x8(dst, a []float64) {
	n, sa := len(dst), step(len(dst), len(a))
	pd, pa := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	limit, magic, perPi := splat64x8(trigLimit64), splat64x8(magic64), splat64x8(2/math.Pi)
	pi1, pi2, pi3 := splat64x8(-1.5707963267948966), splat64x8(-6.123233995736766e-17), splat64x8(1.4973849048591698e-33)
	one, half, zero := splat64x8(1), splat64x8(-0.5), archsimd.BroadcastInt64x8(0)
	var args [lanes64x8]float64
	for i, j := 0, 0; i < n; i, j = i+lanes64x8, j+lanes64x8*sa/Block {
		x := archsimd.LoadFloat64x8Array(at64x8(pa, j))
		m := x.MulAdd(perPi, magic)
		k := m.Sub(magic)
		r := k.MulAdd(pi3, k.MulAdd(pi2, k.MulAdd(pi1, x)))
		z := r.Mul(r)
		sin := splat64x8(1.5896230000175083e-10).MulAdd(z, splat64x8(-2.5050747761635915e-08)).MulAdd(z, splat64x8(2.7557313621392617e-06)).MulAdd(z, splat64x8(-0.00019841269829589628))
		sin = sin.MulAdd(z, splat64x8(0.008333333333322118)).MulAdd(z, splat64x8(-0.1666666666666663)).MulAdd(z.Mul(r), r)
		cos := splat64x8(-1.1358536271311696e-11).MulAdd(z, splat64x8(2.0875700836543388e-09)).MulAdd(z, splat64x8(-2.7557314179250354e-07)).MulAdd(z, splat64x8(2.480158728885151e-05))
		cos = cos.MulAdd(z, splat64x8(-0.0013888888888873056)).MulAdd(z, splat64x8(0.041666666666666595)).MulAdd(z, half).MulAdd(z, one)
		swap := m.AsInt64x8().ShiftAllLeft(63)
		odd := zero.Greater(swap)
		y := cos.IfElse(odd, sin).Div(sin.IfElse(odd, cos)).AsInt64x8().Xor(swap).AsFloat64x8()
		y = x.IfElse(x.Equal(zero.AsFloat64x8()), y) // the result for -0 is -0
		if far := x.Abs().Greater(limit).ToBits(); far != 0 {
			x.StoreArray(&args)
			y.StoreArray(at64x8(pd, i))
			archsimd.ClearAVXUpperBits()
			patch64(at64x8(pd, i)[:], args[:], far, farTan)
			continue
		}
		y.StoreArray(at64x8(pd, i))
	}
	archsimd.ClearAVXUpperBits()
}

// asin64x8 is arcsin a. For a above 1/2, it is calculated as π/2 - 2·arcsin √((1-a)/2).
func asin64x8(dst, a []float64) {
	n, sa := len(dst), step(len(dst), len(a))
	pd, pa := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	one, half, two := splat64x8(1), splat64x8(0.5), splat64x8(-2)
	sign := archsimd.BroadcastInt64x8(math.MinInt64)
	pi1, pi2 := splat64x8(1.5707963267948966), splat64x8(6.123233995736766e-17)
	for i, j := 0, 0; i < n; i, j = i+lanes64x8, j+lanes64x8*sa/Block {
		x := archsimd.LoadFloat64x8Array(at64x8(pa, j))
		t := x.Abs()
		big := t.Greater(half)
		z := one.Sub(t).Mul(half).IfElse(big, t.Mul(t))
		t = z.Sqrt().IfElse(big, t)
		p := splat64x8(0.0319122949310956).MulAdd(z, splat64x8(-0.016224286793696918)).MulAdd(z, splat64x8(0.019528285191078153)).MulAdd(z, splat64x8(0.006527968588347158))
		p = p.MulAdd(z, splat64x8(0.012169213023477225)).MulAdd(z, splat64x8(0.013885235290277697)).MulAdd(z, splat64x8(0.01735970477539316)).MulAdd(z, splat64x8(0.02237175805020379))
		p = p.MulAdd(z, splat64x8(0.030381959136947398)).MulAdd(z, splat64x8(0.0446428568283294)).MulAdd(z, splat64x8(0.07500000000337013)).MulAdd(z, splat64x8(0.16666666666665408)).MulAdd(z.Mul(t), t)
		p = p.MulAdd(two, pi1).Add(pi2).IfElse(big, p)
		p.AsInt64x8().Xor(x.AsInt64x8().And(sign)).AsFloat64x8().StoreArray(at64x8(pd, i))
	}
	archsimd.ClearAVXUpperBits()
}

// acos64x8 is arccos a. For |a| up to 1/2, it is π/2 - arcsin a. For a above 1/2, it is 2·arcsin
// √((1-a)/2). For a below -1/2, it is π - arccos |a|.
func acos64x8(dst, a []float64) {
	n, sa := len(dst), step(len(dst), len(a))
	pd, pa := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	one, half, two := splat64x8(1), splat64x8(0.5), splat64x8(-2)
	sign := archsimd.BroadcastInt64x8(math.MinInt64)
	pi1, pi2 := splat64x8(1.5707963267948966), splat64x8(6.123233995736766e-17)
	zero := archsimd.BroadcastInt64x8(0).AsFloat64x8()
	c0, c1 := splat64x8(0.16666666666665408), splat64x8(0.07500000000337013)
	c2, c3 := splat64x8(0.0446428568283294), splat64x8(0.030381959136947398)
	c4, c5 := splat64x8(0.02237175805020379), splat64x8(0.01735970477539316)
	c6, c7 := splat64x8(0.013885235290277697), splat64x8(0.012169213023477225)
	c8, c9 := splat64x8(0.006527968588347158), splat64x8(0.019528285191078153)
	c10, c11 := splat64x8(-0.016224286793696918), splat64x8(0.0319122949310956)
	for i, j := 0, 0; i < n; i, j = i+lanes64x8, j+lanes64x8*sa/Block {
		x := archsimd.LoadFloat64x8Array(at64x8(pa, j))
		t := x.Abs()
		big := t.Greater(half)
		z := one.Sub(t).Mul(half).IfElse(big, t.Mul(t))
		t = z.Sqrt().IfElse(big, t)
		p := c11.MulAdd(z, c10).MulAdd(z, c9).MulAdd(z, c8).MulAdd(z, c7).MulAdd(z, c6).MulAdd(z, c5).MulAdd(z, c4).MulAdd(z, c3).MulAdd(z, c2).MulAdd(z, c1).MulAdd(z, c0).MulAdd(z.Mul(t), t)
		p = p.AsInt64x8().Xor(x.AsInt64x8().And(sign)).AsFloat64x8()
		y := pi1.Sub(p).Add(pi2)
		outer := p.Mul(two).Sub(pi2).Sub(pi2).Sub(pi1).Sub(pi1).Neg()
		outer = outer.IfElse(x.Less(zero), p.Mul(two).Neg())
		outer.IfElse(big, y).StoreArray(at64x8(pd, i))
	}
	archsimd.ClearAVXUpperBits()
}

// atan64x8 is arctan a. For a above 1+√2, it is arctan(-1/a) + π/2. For other a above √2-1, it is
// arctan((a-1)/(a+1)) + π/4.
func atan64x8(dst, a []float64) {
	n, sa := len(dst), step(len(dst), len(a))
	pd, pa := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	one, zero := splat64x8(1), archsimd.BroadcastInt64x8(0).AsFloat64x8()
	sign := archsimd.BroadcastInt64x8(math.MinInt64)
	middle, high := splat64x8(math.Sqrt2-1), splat64x8(math.Sqrt2+1)
	pi1, pi2 := splat64x8(1.5707963267948966), splat64x8(6.123233995736766e-17)
	half := splat64x8(0.5)
	for i, j := 0, 0; i < n; i, j = i+lanes64x8, j+lanes64x8*sa/Block {
		x := archsimd.LoadFloat64x8Array(at64x8(pa, j))
		t := x.Abs()
		mid, big := t.Greater(middle), t.Greater(high)
		top := one.Neg().IfElse(big, t.Sub(one).IfElse(mid, t))
		bottom := t.IfElse(big, t.Add(one).IfElse(mid, one))
		base := one.IfElse(big, half.IfElse(mid, zero))
		t = top.Div(bottom)
		z := t.Mul(t)
		p := splat64x8(-0.017905024383123528).MulAdd(z, splat64x8(0.03806212588921106)).MulAdd(z, splat64x8(-0.05039189857853353)).MulAdd(z, splat64x8(0.05847859140501639))
		p = p.MulAdd(z, splat64x8(-0.06663099183948643)).MulAdd(z, splat64x8(0.07692059715461252)).MulAdd(z, splat64x8(-0.09090897725120728)).MulAdd(z, splat64x8(0.11111110782149317))
		p = p.MulAdd(z, splat64x8(-0.1428571428016641)).MulAdd(z, splat64x8(0.19999999999953244)).MulAdd(z, splat64x8(-0.333333333333332)).MulAdd(z.Mul(t), t)
		y := base.MulAdd(pi1, base.MulAdd(pi2, p))
		y.AsInt64x8().Xor(x.AsInt64x8().And(sign)).AsFloat64x8().StoreArray(at64x8(pd, i))
	}
	archsimd.ClearAVXUpperBits()
}

// sinh64x8 is sinh a = (u + u/(u+1))/2 with u = eᵃ - 1. The calculation uses u/4, which does not
// overflow.
func sinh64x8(dst, a []float64) {
	n, sa := len(dst), step(len(dst), len(a))
	pd, pa := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	magic, log2e := splat64x8(magic64), splat64x8(math.Log2E)
	ln2a, ln2b := splat64x8(-0.6931471805599453), splat64x8(-2.3190468138462996e-17)
	high := splat64x8(710.5) // beyond this limit, the result is ±Inf
	for i, j := 0, 0; i < n; i, j = i+lanes64x8, j+lanes64x8*sa/Block {
		x := archsimd.LoadFloat64x8Array(at64x8(pa, j))
		in := x
		x = high.Min(x.Abs())
		m := x.MulAdd(log2e, magic)
		k := m.Sub(magic)
		r := k.MulAdd(ln2b, k.MulAdd(ln2a, x))
		q := splat64x8(2.5000041259882955e-08).MulAdd(r, splat64x8(2.7630268840925584e-07)).MulAdd(r, splat64x8(2.75575865434609e-06)).MulAdd(r, splat64x8(2.480149304630282e-05))
		q = q.MulAdd(r, splat64x8(0.00019841269506275727)).MulAdd(r, splat64x8(0.0013888888943675705)).MulAdd(r, splat64x8(0.00833333333349465)).MulAdd(r, splat64x8(0.04166666666653001))
		q = q.MulAdd(r, splat64x8(0.16666666666666413)).MulAdd(r, splat64x8(0.5000000000000011))
		p := q.MulAdd(r.Mul(r), r)
		bias := archsimd.BroadcastInt64x8(1023 - 2)
		h := m.AsInt64x8().Add(bias).ShiftAllLeft(52).AsFloat64x8() // 2ᵏ/4
		u := h.MulAdd(p, h.Sub(splat64x8(0.25)))                    // (eᵃ-1)/4
		y := u.Add(u.Div(u.MulAdd(splat64x8(4), splat64x8(1)))).Mul(splat64x8(2))
		y = y.AsInt64x8().Xor(in.AsInt64x8().And(archsimd.BroadcastInt64x8(math.MinInt64))).AsFloat64x8()
		in.IfElse(x.Less(splat64x8(0x1p-28)), y).StoreArray(at64x8(pd, i))
	}
	archsimd.ClearAVXUpperBits()
}

// cosh64x8 is cosh a = (v + 1/v)/2 with v = eᵃ. The calculation uses v/4, which does not overflow.
func cosh64x8(dst, a []float64) {
	n, sa := len(dst), step(len(dst), len(a))
	pd, pa := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	magic, log2e := splat64x8(magic64), splat64x8(math.Log2E)
	ln2a, ln2b := splat64x8(-0.6931471805599453), splat64x8(-2.3190468138462996e-17)
	sixteenth, two := splat64x8(0.0625), splat64x8(2)
	// Beyond high, the result is +Inf.
	bias, high := archsimd.BroadcastInt64x8(1023-2), splat64x8(710.5)
	for i, j := 0, 0; i < n; i, j = i+lanes64x8, j+lanes64x8*sa/Block {
		x := archsimd.LoadFloat64x8Array(at64x8(pa, j))
		x = high.Min(x.Abs())
		m := x.MulAdd(log2e, magic)
		k := m.Sub(magic)
		r := k.MulAdd(ln2b, k.MulAdd(ln2a, x))
		q := splat64x8(2.5000041259882955e-08).MulAdd(r, splat64x8(2.7630268840925584e-07)).MulAdd(r, splat64x8(2.75575865434609e-06)).MulAdd(r, splat64x8(2.480149304630282e-05))
		q = q.MulAdd(r, splat64x8(0.00019841269506275727)).MulAdd(r, splat64x8(0.0013888888943675705)).MulAdd(r, splat64x8(0.00833333333349465)).MulAdd(r, splat64x8(0.04166666666653001))
		q = q.MulAdd(r, splat64x8(0.16666666666666413)).MulAdd(r, splat64x8(0.5000000000000011))
		p := q.MulAdd(r.Mul(r), r)
		h := m.AsInt64x8().Add(bias).ShiftAllLeft(52).AsFloat64x8() // 2ᵏ/4
		v := h.MulAdd(p, h)                                         // eᵃ/4
		v.Add(sixteenth.Div(v)).Mul(two).StoreArray(at64x8(pd, i))
	}
	archsimd.ClearAVXUpperBits()
}

// tanh64x8 is tanh a = u/(u+2) with u = e²ᵃ - 1.
func tanh64x8(dst, a []float64) {
	n, sa := len(dst), step(len(dst), len(a))
	pd, pa := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a))
	magic, log2e := splat64x8(magic64), splat64x8(math.Log2E)
	ln2a, ln2b := splat64x8(-0.6931471805599453), splat64x8(-2.3190468138462996e-17)
	one, two := splat64x8(1), splat64x8(2)
	bias, high := archsimd.BroadcastInt64x8(1023), splat64x8(44) // beyond high, the result is ±1
	sign := archsimd.BroadcastInt64x8(math.MinInt64)
	for i, j := 0, 0; i < n; i, j = i+lanes64x8, j+lanes64x8*sa/Block {
		x := archsimd.LoadFloat64x8Array(at64x8(pa, j))
		in := x
		x = high.Min(x.Abs().Mul(two))
		m := x.MulAdd(log2e, magic)
		k := m.Sub(magic)
		r := k.MulAdd(ln2b, k.MulAdd(ln2a, x))
		q := splat64x8(2.5000041259882955e-08).MulAdd(r, splat64x8(2.7630268840925584e-07)).MulAdd(r, splat64x8(2.75575865434609e-06)).MulAdd(r, splat64x8(2.480149304630282e-05))
		q = q.MulAdd(r, splat64x8(0.00019841269506275727)).MulAdd(r, splat64x8(0.0013888888943675705)).MulAdd(r, splat64x8(0.00833333333349465)).MulAdd(r, splat64x8(0.04166666666653001))
		q = q.MulAdd(r, splat64x8(0.16666666666666413)).MulAdd(r, splat64x8(0.5000000000000011))
		p := q.MulAdd(r.Mul(r), r)
		h := m.AsInt64x8().Add(bias).ShiftAllLeft(52).AsFloat64x8()
		u := h.MulAdd(p, h.Sub(one))
		y := u.Div(u.Add(two))
		y.AsInt64x8().Xor(in.AsInt64x8().And(sign)).AsFloat64x8().StoreArray(at64x8(pd, i))
	}
	archsimd.ClearAVXUpperBits()
}

// pow64x8 is a ** b = exp(b·ln |a|). If b is odd, the result has the sign of a. ln |a| is
// represented by the sum of two float64 numbers. math.Pow calculates the lanes in which an operand
// is zero or not finite, and those in which the result would be a root of a negative number.
func pow64x8(dst, a, b []float64) {
	n, sa, sb := len(dst), step(len(dst), len(a)), step(len(dst), len(b))
	pd, pa, pb := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(a)), unsafe.Pointer(unsafe.SliceData(b))
	least, greatest, huge := splat64x8(0x1p-1022), splat64x8(math.MaxFloat64), splat64x8(1000)
	rootHalf, exponent := archsimd.BroadcastInt64x8(0x3fe6a09e667f3bcd), archsimd.BroadcastInt64x8(-1<<52)
	one, two := splat64x8(1), splat64x8(2)
	zero, magic := archsimd.BroadcastInt64x8(0).AsFloat64x8(), splat64x8(magic64)
	var argsA, argsB [lanes64x8]float64
	for i, ja, jb := 0, 0, 0; i < n; i, ja, jb = i+lanes64x8, ja+lanes64x8*sa/Block, jb+lanes64x8*sb/Block {
		in, power := archsimd.LoadFloat64x8Array(at64x8(pa, ja)), archsimd.LoadFloat64x8Array(at64x8(pb, jb))
		x, sign, shift := in, zero, zero
		ordinary := in.LessEqual(greatest).And(power.Abs().LessEqual(greatest))
		if in.GreaterEqual(least).ToBits() != all64x8 {
			x = in.Abs()
			half := power.Mul(splat64x8(0.5))
			whole := power.Add(magic).Sub(magic).Equal(power).And(power.Abs().Less(splat64x8(0x1p50)))
			even := half.Add(magic).Sub(magic).Equal(half)
			root := one.IfElse(whole, in) // negative where the root does not exist
			ordinary = x.Greater(zero).And(x.LessEqual(greatest)).And(power.Abs().LessEqual(greatest)).And(root.Greater(zero))
			sign = zero.IfElse(even, in)
			small := x.Less(least) // subnormal numbers, which are multiplied by 2⁵⁴
			x = x.Mul(splat64x8(0x1p54)).IfElse(small, x)
			shift = splat64x8(54).IfElse(small, zero)
		}
		// x = 2ᵏ·m with m in [√½, √2); ln m = 2·artanh s = 2(s + s·w) with s = (m-1)/(m+1), w =
		// s²/3 + s⁴/5 + …
		e := x.AsInt64x8().Sub(rootHalf).And(exponent)
		m := x.AsInt64x8().Sub(e).AsFloat64x8()
		f, d := m.Sub(one), m.Add(one)
		dLow := m.Sub(d.Sub(one)) // d + dLow = m + 1
		s := f.Div(d)
		minus := s.Neg()
		sLow := minus.MulAdd(dLow, minus.MulAdd(d, f)).Div(d)
		z := s.Mul(s)
		zLow := s.Add(s).MulAdd(sLow, s.MulAdd(s, z.Neg()))
		q := splat64x8(0.05994428568741242).MulAdd(z, splat64x8(0.058374186143588774)).MulAdd(z, splat64x8(0.06668158248868014))
		q = q.MulAdd(z, splat64x8(0.07692278447451303)).MulAdd(z, splat64x8(0.09090909434982655)).MulAdd(z, splat64x8(0.11111111108769649))
		q = q.MulAdd(z, splat64x8(0.1428571428572255)).MulAdd(z, splat64x8(0.1999999999999999)).Mul(z)
		third := splat64x8(0.3333333333333333)
		c := third.Add(q)
		cLow := third.Sub(c).Add(q).Add(splat64x8(1.850371707708594e-17))
		w := z.Mul(c)
		wLow := z.MulAdd(cLow, zLow.MulAdd(c, z.MulAdd(c, w.Neg())))
		t := s.Mul(w)
		tLow := s.MulAdd(wLow, sLow.MulAdd(w, s.MulAdd(w, t.Neg())))
		log := s.Add(t)
		logLow := s.Sub(log).Add(t).Add(tLow.Add(sLow))
		log, logLow = log.Mul(two), logLow.Mul(two)
		// Add k·ln 2. The first part of ln 2 has 40 bits, so that its product with k is exact.
		k := exponent64x8(e).Sub(shift)
		first := k.Mul(splat64x8(0.6931471805592082))
		sum := first.Add(log)
		part := sum.Sub(first) // two-sum algorithm: either number may be the greater one
		sumLow := first.Sub(sum.Sub(part)).Add(log.Sub(part))
		sumLow = k.MulAdd(splat64x8(7.371002565161996e-13), logLow).Add(sumLow)
		// y + yLow = b·ln a
		y := sum.Mul(power)
		yLow := sumLow.MulAdd(power, sum.MulAdd(power, y.Neg()))
		yLow = yLow.IfElse(y.Abs().Less(huge), zero)
		y = splat64x8(-746).Max(splat64x8(710).Min(y))
		n := y.MulAdd(splat64x8(math.Log2E), magic).Sub(magic)
		r := n.MulAdd(splat64x8(-2.3190468138462996e-17), n.MulAdd(splat64x8(-0.6931471805599453), y)).Add(yLow)
		p := splat64x8(2.5000041259882955e-08).MulAdd(r, splat64x8(2.7630268840925584e-07)).MulAdd(r, splat64x8(2.75575865434609e-06))
		p = p.MulAdd(r, splat64x8(2.480149304630282e-05)).MulAdd(r, splat64x8(0.00019841269506275727)).MulAdd(r, splat64x8(0.0013888888943675705))
		p = p.MulAdd(r, splat64x8(0.00833333333349465)).MulAdd(r, splat64x8(0.04166666666653001)).MulAdd(r, splat64x8(0.16666666666666413))
		p = p.MulAdd(r, splat64x8(0.5000000000000011)).MulAdd(r.Mul(r), r).Add(one)
		result := scale64x8(p, n).AsInt64x8().Xor(sign.AsInt64x8().And(archsimd.BroadcastInt64x8(math.MinInt64))).AsFloat64x8()
		if usual := ordinary.ToBits(); usual != all64x8 {
			in.StoreArray(&argsA)
			power.StoreArray(&argsB)
			result.StoreArray(at64x8(pd, i))
			archsimd.ClearAVXUpperBits()
			patchPow64(at64x8(pd, i)[:], argsA[:], argsB[:], ^usual)
			continue
		}
		result.StoreArray(at64x8(pd, i))
	}
	archsimd.ClearAVXUpperBits()
}
