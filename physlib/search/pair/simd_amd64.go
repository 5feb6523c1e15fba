//go:build amd64 && goexperiment.simd

package pair

import "simd/archsimd"

// fastest is what [Default], [Triples] and [Extend] run on.
var fastest = simdLoops()[0]

// simdLoops are the loops that this processor can run, the fastest first.
//
// The product of a tile is assembly (dot_amd64.s), because the compiler of Go 1.27 keeps at most 15 vectors in registers across a loop and
// broadcasts through the port that the multiplications need: 94 GFLOP/s against 212 on a Sapphire Rapids core. What follows a product is
// archsimd on 8 lanes for both instruction sets.
//
// Each function ends with ClearAVXUpperBits, so that the SSE code around it does not pay for the upper halves.
func simdLoops() []loops {
	var l []loops
	if archsimd.X86.AVX512() {
		l = append(l, loops{name: "avx512", dot: dotTile512, mark: mark8, scan: scan8, gains: gains8})
	}
	if archsimd.X86.AVX2() && archsimd.X86.FMA() {
		l = append(l, loops{name: "avx2", dot: dotTile256, mark: mark8, scan: scan8, gains: gains8})
	}
	return append(l, plain)
}

//go:noescape
func dot8x32(c, rows, panel *float32, p int)

//go:noescape
func dot4x16(c, rows, panel *float32, p int)

func dotTile512(t *tile) {
	if t.fits() {
		dot8x32(&t.c[0], &t.rows[0], &t.panel[0], t.p)
	}
}

func dotTile256(t *tile) {
	if !t.fits() {
		return
	}
	for i := 0; i < tileRows; i += 4 {
		for j := 0; j < tileCols; j += 16 {
			dot4x16(&t.c[i*tileCols+j], &t.rows[i*t.p], &t.panel[j], t.p)
		}
	}
}

// fits reports whether there is anything to multiply; the assembly relies on the bounds that it checks.
func (t *tile) fits() bool {
	_, _ = t.rows[:tileRows*t.p], t.panel[:tileCols*t.p]
	return t.p > 0
}

// mark8 is markTile on 8 lanes. A first pass finds whether there is any hit; few tiles need the second, which says where.
func mark8(t *tile) bool {
	var zero archsimd.Float32x8
	thr, maxSq := archsimd.BroadcastFloat32x8(t.thr), archsimd.BroadcastFloat32x8(t.maxSq)
	hits := zero.Less(zero)
	for j := 0; j < tileCols; j += 16 {
		lin0, lin1 := archsimd.LoadFloat32x8(t.colLin[j:]), archsimd.LoadFloat32x8(t.colLin[j+8:])
		sq0, sq1 := archsimd.LoadFloat32x8(t.colSq[j:]).Sub(thr), archsimd.LoadFloat32x8(t.colSq[j+8:]).Sub(thr)
		for i := range tileRows {
			lin, sq := archsimd.BroadcastFloat32x8(t.rowLin[i]), archsimd.BroadcastFloat32x8(t.rowSq[i])
			c := archsimd.LoadFloat32x8(t.c[i*tileCols+j:])
			gain := c.MulAdd(thr, lin.Mul(lin0)).MulAdd(c, sq.Add(sq0))
			hits = hits.Or(gain.GreaterEqual(zero).And(c.Mul(c).LessEqual(maxSq)))
			c = archsimd.LoadFloat32x8(t.c[i*tileCols+j+8:])
			gain = c.MulAdd(thr, lin.Mul(lin1)).MulAdd(c, sq.Add(sq1))
			hits = hits.Or(gain.GreaterEqual(zero).And(c.Mul(c).LessEqual(maxSq)))
		}
	}
	t.hits[0] = uint32(hits.ToBits())
	if t.hits[0] != 0 {
		where8(t)
	}
	archsimd.ClearAVXUpperBits()
	return t.hits != [tileRows]uint32{}
}

// where8 sets the bits of the hits.
func where8(t *tile) {
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
	}
}

// scan8 is scanPlain on 8 lanes.
func scan8(s *schur, k int) int {
	gij, inv, sj := archsimd.BroadcastFloat32x8(-s.gij), archsimd.BroadcastFloat32x8(-s.inv), archsimd.BroadcastFloat32x8(s.sj)
	gap, minDen := archsimd.BroadcastFloat32x8(s.gap), archsimd.BroadcastFloat32x8(s.minDen)
	s.found = 0
	for ; k < s.n; k += scanLanes {
		h := gij.MulAdd(archsimd.LoadFloat32x8(s.gi[k:]), archsimd.LoadFloat32x8(s.gj[k:]))
		e := h.Mul(inv) // -h/d_j
		den := h.MulAdd(e, archsimd.LoadFloat32x8(s.d[k:]))
		num := e.MulAdd(sj, archsimd.LoadFloat32x8(s.s[k:]))
		s.found = num.Mul(num).GreaterEqual(gap.Mul(den)).And(den.GreaterEqual(minDen)).ToBits()
		if s.found != 0 {
			den.StoreArray(&s.den)
			num.StoreArray(&s.num)
			break
		}
	}
	archsimd.ClearAVXUpperBits()
	return k
}

// gains8 is gainsPlain on 8 lanes.
func gains8(g *gainTest) bool {
	one, thr, minDen := archsimd.BroadcastFloat32x8(1-margin), archsimd.BroadcastFloat32x8(g.thr), archsimd.BroadcastFloat32x8(g.minDen-2*margin)
	g.any = 0
	for j := 0; j < tileCols; j += 8 {
		den := one
		for q := tileCols + j; q < len(g.c); q += tileCols {
			c := archsimd.LoadFloat32x8(g.c[q:])
			den = den.Sub(c.Mul(c))
		}
		c := archsimd.LoadFloat32x8(g.c[j:])
		num := c.Mul(c)
		g.any |= num.GreaterEqual(thr.Mul(den)).And(den.GreaterEqual(minDen)).ToBits()
	}
	archsimd.ClearAVXUpperBits()
	return g.any != 0
}
