package pair

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
)

// Basis is the part explained so far: orthonormal rows Q that span its terms, and the residual of
// the target after them. They have the points of the features and may leave the padding out.
type Basis struct {
	Q     [][]float32
	Resid []float32
}

// Extension is one more feature on top of a basis, and how much it adds to the share of the target
// explained.
type Extension struct {
	Base, I int32
	R2gain  float32
}

// Extend finds the best (basis, feature) pairs by
//
//	gain = <f_i,resid>² / (1 - Σ_q <f_i,q>²),
//
// the share of the target that feature i adds to the basis. Options.MinDen and Options.Floor are
// for that denominator and for the gain. Order, ties, cancellation and NaN are as in [Kernel].
func Extend(ctx context.Context, f Rows, bases []Basis, o Options) []Extension {
	return extend(ctx, fastest, f, bases, o)
}

func extend(ctx context.Context, l loops, f Rows, bases []Basis, o Options) []Extension {
	if f.N == 0 {
		return nil
	}
	x := newOperand(f, make([]float32, f.N))
	all := stacks(f.P, bases)
	o = o.withDefaults()
	var next atomic.Int64
	best := parallel(o, (f.N+tileCols-1)/tileCols, func(best *top) {
		e := &extender{loops: l, minDen: o.MinDen, t: tile{p: f.P, panel: make([]float32, tileCols*f.P)}}
		for j := int(next.Add(1)-1) * tileCols; j < f.N; j = int(next.Add(1)-1) * tileCols {
			x.pack(e.t.panel, j)
			for _, s := range all {
				if ctx.Err() != nil {
					return
				}
				e.try(s, j, min(tileCols, f.N-j), best)
			}
		}
	})
	out := make([]Extension, len(best))
	for n, c := range best {
		out[n] = Extension{Base: int32(c.key >> 32), I: int32(uint32(c.key)), R2gain: c.r2}
	}
	return out
}

// stack is some whole bases, one after another: the residual of each and then its Q.
type stack struct {
	operand
	first int   // number of the first basis
	ends  []int // row where each basis ends
}

// stackRows is about how many rows a stack has: they stay in the L1 cache.
const stackRows = 8 * tileRows

// stacks copies the bases.
func stacks(p int, bases []Basis) []stack {
	var all []stack
	for first := 0; first < len(bases); first += len(all[len(all)-1].ends) {
		end, ends := 0, []int(nil)
		for n := first; n < len(bases) && (n == first || end+1+len(bases[n].Q) <= stackRows); n++ {
			end += 1 + len(bases[n].Q)
			ends = append(ends, end)
		}
		f := Rows{N: end, P: p, Data: make([]float32, 0, end*p)}
		for n := range ends {
			f.append(first+n, bases[first+n].Resid)
			for _, q := range bases[first+n].Q {
				f.append(first+n, q)
			}
		}
		all = append(all, stack{newOperand(f, make([]float32, end)), first, ends})
	}
	return all
}

// append adds a row of a basis, and its padding, to the numbers of f.
func (f *Rows) append(basis int, row []float32) {
	if len(row) > f.P {
		panic(fmt.Errorf("pair: a row of basis %d has %d points, the features have %d", basis, len(row), f.P))
	}
	f.Data = append(append(f.Data, row...), make([]float32, f.P-len(row))...)
}

// gainTest reports whether any of 32 features may be a good extension of one basis. The test is num
// ≥ thr·den and den ≥ minDen, with den starting from one. The margin, in one and in minDen, makes
// up for the rounding of float32.
type gainTest struct {
	c                []float32 // [1+len(Q), 32]: <f,resid>, then <f,q>
	one, thr, minDen float32
	hits             uint8
}

// extender is the state of one worker.
type extender struct {
	loops
	minDen float32
	t      tile
	c      []float32 // [rows of a stack and of its last tile, 32]
	test   gainTest
}

// try puts the features from j to j+width, which the panel holds, on every basis of the stack.
func (e *extender) try(s stack, j, width int, best *top) {
	if n := (s.N + tileRows) * tileCols; len(e.c) < n {
		e.c = make([]float32, n)
	}
	for row := 0; row < s.N; row += tileRows {
		e.t.rows = s.rowsAt(row)
		e.t.c = (*[tileRows * tileCols]float32)(e.c[row*tileCols:])
		e.dot(&e.t)
	}
	row := 0
	for n, end := range s.ends {
		e.test = gainTest{c: e.c[row*tileCols : end*tileCols], one: 1 - margin, thr: best.thr, minDen: e.minDen - 2*margin}
		row = end
		if !e.gains(&e.test) {
			continue
		}
		for i := range width {
			best.add(scored{r2: gain(e.test.c[i:], e.minDen), key: uint64(s.first+n)<<32 | uint64(j+i)})
		}
	}
}

// gain returns the score of one feature, or NaN where it is in the basis already or has no finite
// values. The numbers of the feature are every 32nd in c.
func gain(c []float32, minDen float32) float32 {
	den := 1.0
	for q := tileCols; q < len(c); q += tileCols {
		den -= float64(c[q]) * float64(c[q])
	}
	if !(den >= float64(minDen)) || math.IsInf(float64(c[0]), 0) {
		return float32(math.NaN())
	}
	return float32(float64(c[0]) * float64(c[0]) / den)
}

// gainsPlain makes the test.
func gainsPlain(g *gainTest) bool {
	for j := range tileCols {
		den := g.one
		for q := tileCols + j; q < len(g.c); q += tileCols {
			den -= g.c[q] * g.c[q]
		}
		if g.c[j]*g.c[j] >= g.thr*den && den >= g.minDen {
			return true
		}
	}
	return false
}
