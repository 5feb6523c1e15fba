//go:build amd64 && goexperiment.simd

package pair

import (
	"simd/archsimd"
	"time"
)

// peakGFLOPs returns the peak speed of one core in GFLOP/s: the best of 20 short runs of fused
// multiply-adds whose operands stay in registers. There are twelve independent chains of them. Two
// units with a latency of 4 cycles need at least eight. peakGFLOPs returns 0 if the instruction set
// has no vectors.
func peakGFLOPs(set string) float64 {
	chains := map[string]func(int, []float32) float64{"avx512": chains512, "avx2": chains256}[set]
	if chains == nil {
		return 0
	}
	var best float64
	out := make([]float32, 16)
	for range 20 {
		start := time.Now()
		operations := chains(100_000, out)
		best = max(best, operations/time.Since(start).Seconds()/1e9)
	}
	return best
}

func chains512(n int, out []float32) float64 {
	x, y := archsimd.BroadcastFloat32x16(0.5), archsimd.BroadcastFloat32x16(0.25)
	c0, c1, c2 := archsimd.BroadcastFloat32x16(0), archsimd.BroadcastFloat32x16(1), archsimd.BroadcastFloat32x16(2)
	c3, c4, c5 := archsimd.BroadcastFloat32x16(3), archsimd.BroadcastFloat32x16(4), archsimd.BroadcastFloat32x16(5)
	c6, c7, c8 := archsimd.BroadcastFloat32x16(6), archsimd.BroadcastFloat32x16(7), archsimd.BroadcastFloat32x16(8)
	c9, c10, c11 := archsimd.BroadcastFloat32x16(9), archsimd.BroadcastFloat32x16(10), archsimd.BroadcastFloat32x16(11)
	for range n {
		c0, c1, c2 = c0.MulAdd(x, y), c1.MulAdd(x, y), c2.MulAdd(x, y)
		c3, c4, c5 = c3.MulAdd(x, y), c4.MulAdd(x, y), c5.MulAdd(x, y)
		c6, c7, c8 = c6.MulAdd(x, y), c7.MulAdd(x, y), c8.MulAdd(x, y)
		c9, c10, c11 = c9.MulAdd(x, y), c10.MulAdd(x, y), c11.MulAdd(x, y)
	}
	c0.Add(c1).Add(c2).Add(c3).Add(c4).Add(c5).Add(c6).Add(c7).Add(c8).Add(c9).Add(c10).Add(c11).Store(out)
	archsimd.ClearAVXUpperBits()
	return float64(n) * 12 * 16 * 2
}

func chains256(n int, out []float32) float64 {
	x, y := archsimd.BroadcastFloat32x8(0.5), archsimd.BroadcastFloat32x8(0.25)
	c0, c1, c2 := archsimd.BroadcastFloat32x8(0), archsimd.BroadcastFloat32x8(1), archsimd.BroadcastFloat32x8(2)
	c3, c4, c5 := archsimd.BroadcastFloat32x8(3), archsimd.BroadcastFloat32x8(4), archsimd.BroadcastFloat32x8(5)
	c6, c7, c8 := archsimd.BroadcastFloat32x8(6), archsimd.BroadcastFloat32x8(7), archsimd.BroadcastFloat32x8(8)
	c9, c10, c11 := archsimd.BroadcastFloat32x8(9), archsimd.BroadcastFloat32x8(10), archsimd.BroadcastFloat32x8(11)
	for range n {
		c0, c1, c2 = c0.MulAdd(x, y), c1.MulAdd(x, y), c2.MulAdd(x, y)
		c3, c4, c5 = c3.MulAdd(x, y), c4.MulAdd(x, y), c5.MulAdd(x, y)
		c6, c7, c8 = c6.MulAdd(x, y), c7.MulAdd(x, y), c8.MulAdd(x, y)
		c9, c10, c11 = c9.MulAdd(x, y), c10.MulAdd(x, y), c11.MulAdd(x, y)
	}
	c0.Add(c1).Add(c2).Add(c3).Add(c4).Add(c5).Add(c6).Add(c7).Add(c8).Add(c9).Add(c10).Add(c11).Store(out)
	archsimd.ClearAVXUpperBits()
	return float64(n) * 12 * 8 * 2
}
