//go:build goexperiment.simd && amd64

package step

import (
	"simd/archsimd"
)

func init() {
	if !archsimd.X86.AVX512() {
		return
	}
	bounds["memory"] = func(s []float32) {
		f := archsimd.BroadcastFloat32x16(0.999)
		for len(s) >= 64 {
			p0, p1, p2, p3 := (*[16]float32)(s), (*[16]float32)(s[16:]), (*[16]float32)(s[32:]), (*[16]float32)(s[48:])
			archsimd.LoadFloat32x16Array(p0).Mul(f).StoreArray(p0)
			archsimd.LoadFloat32x16Array(p1).Mul(f).StoreArray(p1)
			archsimd.LoadFloat32x16Array(p2).Mul(f).StoreArray(p2)
			archsimd.LoadFloat32x16Array(p3).Mul(f).StoreArray(p3)
			s = s[64:]
		}
		archsimd.ClearAVXUpperBits()
	}
	// This bound makes three operations per vector of the state, in twelve independent chains.
	bounds["arithmetic"] = func(s []float32) {
		f := archsimd.BroadcastFloat32x16(0.999)
		var x [12]archsimd.Float32x16
		a, b, c, d, e, g, h, i, j, k, l, m := x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11]
		for n := len(s) / 64; n > 0; n-- {
			a, b, c, d = a.MulAdd(f, f), b.MulAdd(f, f), c.MulAdd(f, f), d.MulAdd(f, f)
			e, g, h, i = e.MulAdd(f, f), g.MulAdd(f, f), h.MulAdd(f, f), i.MulAdd(f, f)
			j, k, l, m = j.MulAdd(f, f), k.MulAdd(f, f), l.MulAdd(f, f), m.MulAdd(f, f)
		}
		a.Add(b).Add(c).Add(d).Add(e).Add(g).Add(h).Add(i).Add(j).Add(k).Add(l).Add(m).StoreArray((*[16]float32)(s))
		archsimd.ClearAVXUpperBits()
	}
}
