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

// indexBits is the room for each index in the packed key of a triple; the Gram matrix of that many rows would fill 16 TB.
const indexBits = 21

// Triples finds the best triples i < j < k of a small set (1500 rows are 5.6·10⁸ triples) on its Gram matrix G = F Fᵀ. Taking feature i and then
// feature j out of all others (two steps of a Schur complement),
//
//	h_k = g_jk - g_ij g_ik,  d_k = 1 - g_ik² - h_k²/d_j,  s_k = r_k - r_i g_ik - s_j h_k/d_j,
//	R² = r_i² + s_j²/d_j + s_k²/d_k,
//
// leaves about 12 operations for each k. Options.MinDen is the least d_j and d_k. Order, ties, cancellation and NaN are as in [Kernel].
func Triples(ctx context.Context, f Rows, r []float32, o Options) []Triple {
	return triples(ctx, fastest, f, r, o)
}

func triples(ctx context.Context, l loops, f Rows, r []float32, o Options) []Triple {
	f.check(r)
	o = o.withDefaults()
	g := newGram(ctx, l, f, r)
	var next atomic.Int64
	best := parallel(o, max(0, f.N-2), func(best *top) {
		s := &schur{gram: g, minDen: o.MinDen, d: make([]float32, g.stride), s: make([]float32, g.stride)}
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

// gram holds G, and the r of its rows. Rows are padded by at least one block of the scan, with r NaN there so that nothing is found.
type gram struct {
	n, stride int
	g         []float32 // [n, stride]
	r         []float32 // [stride]
}

// newGram returns what it has when ctx ends.
func newGram(ctx context.Context, l loops, f Rows, r []float32) *gram {
	x := newOperand(f, r)
	stride := len(x.r)
	g := &gram{n: f.N, stride: stride, g: make([]float32, f.N*stride), r: x.r}
	t := &tile{p: f.P, panel: make([]float32, tileCols*f.P)}
	for j := 0; j < f.N && ctx.Err() == nil; j += tileCols {
		x.pack(t.panel, j)
		for i := 0; i < f.N; i += tileRows {
			t.rows = x.rowsAt(i)
			l.dot(t)
			for row := range min(tileRows, f.N-i) {
				copy(g.row(i + row)[j:], t.c[row*tileCols:(row+1)*tileCols])
			}
		}
	}
	return g
}

func (g *gram) row(i int) []float32 { return g.g[i*g.stride : (i+1)*g.stride] }

// scanLanes is the block of the scan.
const scanLanes = 8

// schur is the state of one worker: what is left of all features once i is taken out, and the pair (i, j) whose third is looked for.
type schur struct {
	*gram
	minDen float32
	d, s   []float32 // [stride]: d_k and s_k after the first step

	gi, gj       []float32 // rows of G
	gij, inv, sj float32   // inv = 1/d_j
	gap          float32   // a hit has s_k² ≥ gap·d_k, after the second step

	found    uint8 // bits of the hits in the block, and its s_k and d_k after the second step
	num, den [scanLanes]float32
}

func (s *schur) takeOut(i int) {
	s.gi = s.row(i)
	ri := s.r[i]
	for k, c := range s.gi {
		s.d[k] = 1 - c*c
		s.s[k] = s.r[k] - ri*c
	}
}

// pair looks for the third feature k > j of (i, j).
func (s *schur) pair(l loops, i, j int, best *top) {
	if !(s.d[j] >= s.minDen) {
		return
	}
	s.gj, s.gij, s.inv, s.sj = s.row(j), s.gi[j], 1/s.d[j], s.s[j]
	ri, sj := float64(s.r[i]), float64(s.sj)
	base := ri*ri + sj*sj/float64(s.d[j])
	s.gap = float32(float64(best.thr) - base - margin)
	for k := l.scan(s, j+1); k < s.n; k = l.scan(s, k+scanLanes) {
		for b := range s.num {
			if s.found>>b&1 != 0 {
				num, den := float64(s.num[b]), float64(s.den[b])
				best.add(scored{r2: float32(base + num*num/den), key: uint64(i)<<(2*indexBits) | uint64(j)<<indexBits | uint64(k+b)})
			}
		}
		s.gap = float32(float64(best.thr) - base - margin)
	}
}

// scanPlain looks for the first block at or after k, in steps of 8, that has a hit, and returns where it starts.
func scanPlain(s *schur, k int) int {
	s.found = 0
	for ; k < s.n; k += scanLanes {
		for b, gi := range s.gi[k : k+scanLanes] {
			h := s.gj[k+b] - s.gij*gi
			e := h * s.inv
			den, num := s.d[k+b]-h*e, s.s[k+b]-s.sj*e
			s.den[b], s.num[b] = den, num
			if num*num >= s.gap*den && den >= s.minDen {
				s.found |= 1 << b
			}
		}
		if s.found != 0 {
			break
		}
	}
	return k
}
