//go:build goexperiment.simd && amd64

package step

import (
	"simd/archsimd"
	"unsafe"
)

func init() {
	if archsimd.X86.AVX2() && archsimd.X86.FMA() {
		kernels = append(kernels, named{"avx2", avx2})
	}
	if archsimd.X86.AVX512() {
		kernels = append(kernels, named{"avx512", avx512})
	}
}

// avx512 is scalar on 4 vectors of 16.
func avx512(s, o, gate, v *[panel]float32, k, q []float32) {
	at := func(p *[panel]float32, i int) *[16]float32 { return (*[16]float32)(p[16*i:]) }
	load := archsimd.LoadFloat32x16Array
	g0, g1, g2, g3 := load(at(gate, 0)), load(at(gate, 1)), load(at(gate, 2)), load(at(gate, 3))
	v0, v1, v2, v3 := load(at(v, 0)), load(at(v, 1)), load(at(v, 2)), load(at(v, 3))
	var o0, o1, o2, o3 archsimd.Float32x16
	q = q[:len(k)]
	p := unsafe.Pointer(s)
	for j := range k {
		row := (*[panel]float32)(p)
		kj, qj := archsimd.BroadcastFloat32x16(k[j]), archsimd.BroadcastFloat32x16(q[j])
		s0 := g0.MulAdd(load(at(row, 0)), v0.Mul(kj))
		s1 := g1.MulAdd(load(at(row, 1)), v1.Mul(kj))
		s2 := g2.MulAdd(load(at(row, 2)), v2.Mul(kj))
		s3 := g3.MulAdd(load(at(row, 3)), v3.Mul(kj))
		s0.StoreArray(at(row, 0))
		s1.StoreArray(at(row, 1))
		s2.StoreArray(at(row, 2))
		s3.StoreArray(at(row, 3))
		o0, o1, o2, o3 = s0.MulAdd(qj, o0), s1.MulAdd(qj, o1), s2.MulAdd(qj, o2), s3.MulAdd(qj, o3)
		if j+1 < len(k) {
			p = unsafe.Add(p, 4*panel)
		}
	}
	o0.StoreArray(at(o, 0))
	o1.StoreArray(at(o, 1))
	o2.StoreArray(at(o, 2))
	o3.StoreArray(at(o, 3))
	archsimd.ClearAVXUpperBits()
}

// avx2 is scalar on 4 vectors of 8, twice over: 16 registers hold no more.
func avx2(s, o, gate, v *[panel]float32, k, q []float32) {
	at := func(p *[panel]float32, i int) *[8]float32 { return (*[8]float32)(p[8*i:]) }
	load := archsimd.LoadFloat32x8Array
	q = q[:len(k)]
	for i := 0; i < 8; i += 4 {
		g0, g1, g2, g3 := load(at(gate, i)), load(at(gate, i+1)), load(at(gate, i+2)), load(at(gate, i+3))
		v0, v1, v2, v3 := load(at(v, i)), load(at(v, i+1)), load(at(v, i+2)), load(at(v, i+3))
		var o0, o1, o2, o3 archsimd.Float32x8
		p := unsafe.Pointer(s)
		for j := range k {
			row := (*[panel]float32)(p)
			kj, qj := archsimd.BroadcastFloat32x8(k[j]), archsimd.BroadcastFloat32x8(q[j])
			s0 := g0.MulAdd(load(at(row, i)), v0.Mul(kj))
			s1 := g1.MulAdd(load(at(row, i+1)), v1.Mul(kj))
			s2 := g2.MulAdd(load(at(row, i+2)), v2.Mul(kj))
			s3 := g3.MulAdd(load(at(row, i+3)), v3.Mul(kj))
			s0.StoreArray(at(row, i))
			s1.StoreArray(at(row, i+1))
			s2.StoreArray(at(row, i+2))
			s3.StoreArray(at(row, i+3))
			o0, o1, o2, o3 = s0.MulAdd(qj, o0), s1.MulAdd(qj, o1), s2.MulAdd(qj, o2), s3.MulAdd(qj, o3)
			if j+1 < len(k) {
				p = unsafe.Add(p, 4*panel)
			}
		}
		o0.StoreArray(at(o, i))
		o1.StoreArray(at(o, i+1))
		o2.StoreArray(at(o, i+2))
		o3.StoreArray(at(o, i+3))
	}
	archsimd.ClearAVXUpperBits()
}
