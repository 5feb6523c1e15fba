package pair

import (
	"context"
	"sync/atomic"
)

// Triple is three features and the share R2 of the target that they explain together.
type Triple struct {
	I, J, K int32
	R2      float32
}

// indexBits is the room for each index in the packed key of a triple; the Gram matrix of that many
// rows would fill 16 TB.
const indexBits = 21

// Triples finds the best triples i < j < k of a small set (1500 rows are 5.6·10⁸ triples) on its
// Gram matrix G = F Fᵀ. Taking feature i and then feature j out of all others (two steps of a Schur
// complement),
//
//	h_k = g_jk - g_ij g_ik,  d_k = 1 - g_ik² - h_k²/d_j,  s_k = r_k - r_i g_ik - s_j h_k/d_j,
//	R² = r_i² + s_j²/d_j + s_k²/d_k,
//
// leaves about 12 operations for each k. Options.MinDen is the least d_j and d_k. Order, ties,
// cancellation and NaN are as in [Kernel].
func Triples(ctx context.Context, f Rows, r []float32, o Options) []Triple {
	return triples(ctx, fastest, f, r, o)
}

func triples(ctx context.Context, l loops, f Rows, r []float32, o Options) []Triple {
	f.check(r)
	o = o.withDefaults()
	g := newGram(ctx, l, f, r)
	var next atomic.Int64
	best := parallel(o, max(0, f.N-2), func(best *top) {
		s := &schur{gram: g, minDen: o.MinDen, d: make([]block, g.blocks), s: make([]block, g.blocks)}
		for i := int(next.Add(1)) - 1; i < f.N-2; i = int(next.Add(1)) - 1 {
			s.takeOut(i)
			for j := i + 1; j < f.N-1; j++ {
				if ctx.Err() != nil {
					return
				}
				s.pair(l, i, j, best)
			}
		}
	})
	out := make([]Triple, len(best))
	for n, c := range best {
		const mask = 1<<indexBits - 1
		out[n] = Triple{I: int32(c.key >> (2 * indexBits)), J: int32(c.key >> indexBits & mask), K: int32(c.key & mask), R2: c.r2}
	}
	return out
}

const blockLen = 8

// block is 8 neighbouring features: what the scan looks at together.
type block [blockLen]float32

// gram holds G, and the r of its rows, in blocks. The last one is padded, with r NaN there so that
// nothing is found.
type gram struct {
	n, blocks int     // rows, and blocks of a row
	g         []block // [n, blocks]
	r         []block // [blocks]
}

// newGram returns an incomplete matrix when ctx ends.
func newGram(ctx context.Context, l loops, f Rows, r []float32) *gram {
	x := newOperand(f, r)
	g := &gram{n: f.N, blocks: (f.N + blockLen - 1) / blockLen}
	g.g = make([]block, g.n*g.blocks)
	for b := range g.blocks {
		g.r = append(g.r, block(x.r[b*blockLen:]))
	}
	t := newTile(f.P)
	t.panel = make([]float32, tileCols*f.P)
	for j := 0; j < f.N; j += tileCols {
		x.pack(t.panel, j)
		for i := 0; i < f.N && ctx.Err() == nil; i += tileRows {
			t.rows = x.rowsAt(i)
			l.dot(t)
			for row := range min(tileRows, f.N-i) {
				to := g.row(i + row)[j/blockLen:]
				for b := range min(tileCols/blockLen, len(to)) {
					to[b] = block(t.c[row*tileCols+b*blockLen:])
				}
			}
		}
	}
	return g
}

func (g *gram) row(i int) []block { return g.g[i*g.blocks : (i+1)*g.blocks] }

// schur is the state of one worker. It has the residuals of all features once i is projected out,
// and the pair (i, j) whose third is searched for.
type schur struct {
	*gram
	minDen float32
	d, s   []block // d_k and s_k after the first step

	gi, gj       []block // rows of G
	gij, inv, sj float32 // inv = 1/d_j
	gap          float32 // a hit has s_k² ≥ gap·d_k, after the second step

	hits     uint8 // bits of the hits in a block, and its s_k and d_k after the second step
	num, den block
}

func (s *schur) takeOut(i int) {
	s.gi = s.row(i)
	ri := at(s.r, i)
	for b, g := range s.gi {
		for k, c := range g {
			s.d[b][k] = 1 - c*c
			s.s[b][k] = s.r[b][k] - ri*c
		}
	}
}

func at(x []block, i int) float32 { return x[i/blockLen][i%blockLen] }

// pair looks for the third feature k > j of (i, j).
func (s *schur) pair(l loops, i, j int, best *top) {
	dj := at(s.d, j)
	if !(dj >= s.minDen) {
		return
	}
	s.gj, s.gij, s.inv, s.sj = s.row(j), at(s.gi, j), 1/dj, at(s.s, j)
	ri, sj := float64(at(s.r, i)), float64(s.sj)
	base := ri*ri + sj*sj/float64(dj)
	s.gap = float32(float64(best.thr) - base - margin)
	for b := l.scan(s, (j+1)/blockLen); b < s.blocks; b = l.scan(s, b+1) {
		for n := range blockLen {
			k := b*blockLen + n
			if s.hits>>n&1 != 0 && k > j { // the first block may reach below j+1
				num, den := float64(s.num[n]), float64(s.den[n])
				best.add(scored{r2: float32(base + num*num/den), key: uint64(i)<<(2*indexBits) | uint64(j)<<indexBits | uint64(k)})
			}
		}
		s.gap = float32(float64(best.thr) - base - margin)
	}
}

// scanPlain looks for the first block from b on that has a hit and returns its number.
func scanPlain(s *schur, b int) int {
	s.hits = 0
	for ; b < s.blocks && s.hits == 0; b++ {
		for n, gi := range s.gi[b] {
			h := s.gj[b][n] - s.gij*gi
			e := h * s.inv
			den, num := s.d[b][n]-h*e, s.s[b][n]-s.sj*e
			s.den[n], s.num[n] = den, num
			if num*num >= s.gap*den && den >= s.minDen {
				s.hits |= 1 << n
			}
		}
	}
	if s.hits != 0 {
		b--
	}
	return b
}
