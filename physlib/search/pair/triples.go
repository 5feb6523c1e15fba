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

// maxTriples is how many rows the packed key of a triple has room for; their Gram matrix would already fill 16 TB.
const maxTriples = 1 << 21

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
	g := newGram(l, f, r)
	var next atomic.Int64
	best := parallel(o, max(0, f.N-2), func(best *top) {
		s := newSchur(g, o.MinDen)
		for i := int(next.Add(1)) - 1; i < f.N-2; i = int(next.Add(1)) - 1 {
			s.takeOut(i)
			for j := i + 1; j < f.N-1; j++ {
				if ctx.Err() != nil {
					return
				}
				s.scan(l, i, j, best)
			}
		}
	})
	out := make([]Triple, len(best))
	for n, c := range best {
		out[n] = Triple{I: int32(c.key >> 42), J: int32(c.key >> 21 & (maxTriples - 1)), K: int32(c.key & (maxTriples - 1)), R2: c.r2}
	}
	return out
}

// gram holds G row by row, padded with zeros to whole registers, and r padded with NaN.
type gram struct {
	n, stride int
	g, r      []float32
}

func newGram(l loops, f Rows, r []float32) *gram {
	x := newOperand(f, r)
	stride := len(x.r)
	g := &gram{n: f.N, stride: stride, g: make([]float32, f.N*stride), r: x.r}
	t := &tile{p: f.P}
	t.panel = make([]float32, tileCols*f.P)
	for j := 0; j < f.N; j += tileCols {
		x.pack(t.panel, j)
		for i := 0; i < f.N; i += tileRows {
			t.rows = x.rowsAt(i)
			l.dot(t)
			for row := range min(tileRows, f.N-i) {
				copy(g.g[(i+row)*stride+j:], t.c[row*tileCols:(row+1)*tileCols])
			}
		}
	}
	return g
}

func (g *gram) row(i int) []float32 { return g.g[i*g.stride : (i+1)*g.stride] }

// schur is what is left of the other features and of their r when feature i is taken out.
type schur struct {
	*gram
	minDen float32
	d, s   []float32
}

func newSchur(g *gram, minDen float32) *schur {
	return &schur{gram: g, minDen: minDen, d: make([]float32, g.stride), s: make([]float32, g.stride)}
}

func (s *schur) takeOut(i int) {
	gi, ri := s.row(i), s.r[i]
	for k, c := range gi {
		s.d[k] = 1 - c*c
		s.s[k] = s.r[k] - ri*c
	}
}

func (s *schur) scan(l loops, i, j int, best *top) {
	dj := s.d[j]
	if !(dj >= s.minDen) {
		return
	}
	ri, sj := float64(s.r[i]), float64(s.s[j])
	base := float32(ri*ri + sj*sj/float64(dj))
	if base != base {
		return
	}
	for k := j + 1; k < s.n; k++ {
		h := s.row(j)[k] - s.row(i)[j]*s.row(i)[k]
		e := h / dj
		den := s.d[k] - h*e
		num := s.s[k] - s.s[j]*e
		if den >= s.minDen {
			best.add(scored{r2: base + num*num/den, key: uint64(i)<<42 | uint64(j)<<21 | uint64(k)})
		}
	}
}
