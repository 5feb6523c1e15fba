//go:build amd64 && goexperiment.simd

package pair

import "simd/archsimd"

// fastest has the loops for [Default].
var fastest = simdLoops()[0]

// simdLoops returns the loops that this processor can run, the fastest first.
//
// The products of a tile are calculated in assembly (dot_amd64.s). A loop in Go 1.27 is slower: the
// compiler keeps at most 15 vectors in registers across a loop, and broadcasts values through the
// port that the multiplications need. On a Sapphire Rapids core, Go reaches 94 GFLOP/s, and
// assembly 212. With AVX-512 the first test of a tile is in assembly as well, while the products
// are still in registers. The tests of a tile in find256 and where8 use archsimd on 8 lanes.
//
// Each function ends with ClearAVXUpperBits, since SSE code is slow while the upper halves of the
// registers are in use.
func simdLoops() []loops {
	var l []loops
	if archsimd.X86.AVX512() {
		l = append(l, loops{name: "avx512", dot: dotTile512, find: find512})
	}
	if archsimd.X86.AVX2() && archsimd.X86.FMA() {
		l = append(l, loops{name: "avx2", dot: dotTile256, find: find256})
	}
	return append(l, plain)
}

//go:noescape
func dot8x32(t *tile)

// candidate8x32 reports whether num - thr·den is not negative for any pair of the tile. Only then
// does it write the products to t.c, so most tiles stay in registers.
//
//go:noescape
func candidate8x32(t *tile) bool

//go:noescape
func dot4x16(c, rows, panel *float32, p int)

func dotTile512(t *tile) {
	t.bounds()
	dot8x32(t)
}

func dotTile256(t *tile) {
	t.bounds()
	for i := 0; i < tileRows; i += 4 {
		for j := 0; j < tileCols; j += 16 {
			dot4x16(&t.c[i*tileCols+j], &t.rows[i*t.p], &t.panel[j], t.p)
		}
	}
}

// bounds panics if rows or panel is too short for a tile, since the assembly does not check this.
func (t *tile) bounds() { _, _ = t.rows[:tileRows*t.p], t.panel[:tileCols*t.p] }

// find512 is findTile with AVX-512.
func find512(t *tile) bool {
	t.bounds()
	if !candidate8x32(t) {
		return false
	}
	found := where8(t)
	archsimd.ClearAVXUpperBits()
	return found
}

// find256 is findTile with AVX2.
func find256(t *tile) bool {
	dotTile256(t)
	found := where8(t)
	archsimd.ClearAVXUpperBits()
	return found
}

// where8 sets the bits in t.hits of the pairs that reach the threshold. It reports whether at least
// one pair does.
func where8(t *tile) bool {
	var seen uint32
	var zero archsimd.Float32x8
	thr, maxSq := archsimd.BroadcastFloat32x8(t.thr), archsimd.BroadcastFloat32x8(t.maxSq)
	for i := range tileRows {
		lin, sq := archsimd.BroadcastFloat32x8(t.rowLin[i]), archsimd.BroadcastFloat32x8(t.rowSq[i])
		t.hits[i] = 0
		for j := 0; j < tileCols; j += 8 {
			c := archsimd.LoadFloat32x8(t.c[i*tileCols+j:])
			gain := c.MulAdd(thr, lin.Mul(archsimd.LoadFloat32x8(t.colLin[j:]))).
				MulAdd(c, sq.Add(archsimd.LoadFloat32x8(t.colSq[j:]).Sub(thr)))
			t.hits[i] |= uint32(gain.GreaterEqual(zero).And(c.Mul(c).LessEqual(maxSq)).ToBits()) << j
		}
		seen |= t.hits[i]
	}
	return seen != 0
}
