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

// avx512 is the kernel with 4 vectors of 16 numbers in registers.
func avx512(s, o, gate, v *[panel]float32, k, q []float32) {
	g0, g1, g2, g3 := archsimd.LoadFloat32x16Array(lane16(gate, 0)), archsimd.LoadFloat32x16Array(lane16(gate, 1)), archsimd.LoadFloat32x16Array(lane16(gate, 2)), archsimd.LoadFloat32x16Array(lane16(gate, 3))
	v0, v1, v2, v3 := archsimd.LoadFloat32x16Array(lane16(v, 0)), archsimd.LoadFloat32x16Array(lane16(v, 1)), archsimd.LoadFloat32x16Array(lane16(v, 2)), archsimd.LoadFloat32x16Array(lane16(v, 3))
	var o0, o1, o2, o3 archsimd.Float32x16
	q = q[:len(k)]
	p := unsafe.Pointer(s)
	for j := range k {
		row := (*[panel]float32)(p)
		kj, qj := archsimd.BroadcastFloat32x16(k[j]), archsimd.BroadcastFloat32x16(q[j])
		s0 := g0.MulAdd(archsimd.LoadFloat32x16Array(lane16(row, 0)), v0.Mul(kj))
		s1 := g1.MulAdd(archsimd.LoadFloat32x16Array(lane16(row, 1)), v1.Mul(kj))
		s2 := g2.MulAdd(archsimd.LoadFloat32x16Array(lane16(row, 2)), v2.Mul(kj))
		s3 := g3.MulAdd(archsimd.LoadFloat32x16Array(lane16(row, 3)), v3.Mul(kj))
		s0.StoreArray(lane16(row, 0))
		s1.StoreArray(lane16(row, 1))
		s2.StoreArray(lane16(row, 2))
		s3.StoreArray(lane16(row, 3))
		o0, o1, o2, o3 = s0.MulAdd(qj, o0), s1.MulAdd(qj, o1), s2.MulAdd(qj, o2), s3.MulAdd(qj, o3)
		if j+1 < len(k) {
			p = unsafe.Add(p, 4*panel)
		}
	}
	o0.StoreArray(lane16(o, 0))
	o1.StoreArray(lane16(o, 1))
	o2.StoreArray(lane16(o, 2))
	o3.StoreArray(lane16(o, 3))
	archsimd.ClearAVXUpperBits()
}

// avx2 is the kernel with vectors of 8 numbers. It processes a panel in two halves of 4 vectors,
// because there are only 16 registers.
func avx2(s, o, gate, v *[panel]float32, k, q []float32) {
	q = q[:len(k)]
	for i := 0; i < 8; i += 4 {
		g0, g1, g2, g3 := archsimd.LoadFloat32x8Array(lane8(gate, i)), archsimd.LoadFloat32x8Array(lane8(gate, i+1)), archsimd.LoadFloat32x8Array(lane8(gate, i+2)), archsimd.LoadFloat32x8Array(lane8(gate, i+3))
		v0, v1, v2, v3 := archsimd.LoadFloat32x8Array(lane8(v, i)), archsimd.LoadFloat32x8Array(lane8(v, i+1)), archsimd.LoadFloat32x8Array(lane8(v, i+2)), archsimd.LoadFloat32x8Array(lane8(v, i+3))
		var o0, o1, o2, o3 archsimd.Float32x8
		p := unsafe.Pointer(s)
		for j := range k {
			row := (*[panel]float32)(p)
			kj, qj := archsimd.BroadcastFloat32x8(k[j]), archsimd.BroadcastFloat32x8(q[j])
			s0 := g0.MulAdd(archsimd.LoadFloat32x8Array(lane8(row, i)), v0.Mul(kj))
			s1 := g1.MulAdd(archsimd.LoadFloat32x8Array(lane8(row, i+1)), v1.Mul(kj))
			s2 := g2.MulAdd(archsimd.LoadFloat32x8Array(lane8(row, i+2)), v2.Mul(kj))
			s3 := g3.MulAdd(archsimd.LoadFloat32x8Array(lane8(row, i+3)), v3.Mul(kj))
			s0.StoreArray(lane8(row, i))
			s1.StoreArray(lane8(row, i+1))
			s2.StoreArray(lane8(row, i+2))
			s3.StoreArray(lane8(row, i+3))
			o0, o1, o2, o3 = s0.MulAdd(qj, o0), s1.MulAdd(qj, o1), s2.MulAdd(qj, o2), s3.MulAdd(qj, o3)
			if j+1 < len(k) {
				p = unsafe.Add(p, 4*panel)
			}
		}
		o0.StoreArray(lane8(o, i))
		o1.StoreArray(lane8(o, i+1))
		o2.StoreArray(lane8(o, i+2))
		o3.StoreArray(lane8(o, i+3))
	}
	archsimd.ClearAVXUpperBits()
}

// lane16 returns the i-th vector of 16 numbers of a panel.
func lane16(p *[panel]float32, i int) *[16]float32 {
	return (*[16]float32)(unsafe.Add(unsafe.Pointer(p), i*64))
}

// lane8 returns the i-th vector of 8 numbers of a panel.
func lane8(p *[panel]float32, i int) *[8]float32 {
	return (*[8]float32)(unsafe.Add(unsafe.Pointer(p), i*32))
}
