package pair

import (
	"context"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"
)

const (
	// Number of columns that a worker claims at a time. The packed columns (panels) stay in the L2
	// cache while all rows are multiplied by them.
	stripe = 4 * tileCols
	// Number of rows that are multiplied by all panels of a stripe before the next rows are read.
	group = 8 * tileRows

	// margin is added to num in the test of a tile. It exceeds the rounding errors of that test in
	// float32, in which all terms are at most 4. So every pair that the float64 score would keep
	// passes.
	margin = 2e-6
)

// Square implements Kernel.
func (t tiled) Square(ctx context.Context, f Rows, r []float32, o Options) []Pair {
	f.check(r)
	return (&sweep{loops: t.loops, operand: newOperand(f, r), o: o.withDefaults()}).run(ctx)
}

// operand holds the rows of a sweep. r, lin and sq are padded to whole stripes with NaN, so that
// the padding is never a hit.
type operand struct {
	Rows
	// For each row: its scalar product r with the target; lin = -2r; sq = r² + margin/2.
	r, lin, sq []float32
	tail       []float32 // [8, P]: the rows of the last, incomplete tile
}

func newOperand(f Rows, r []float32) operand {
	n := (f.N + stripe - 1) / stripe * stripe
	x := operand{Rows: f, r: make([]float32, n), lin: make([]float32, n), sq: make([]float32, n), tail: make([]float32, tileRows*f.P)}
	for i := range n {
		v := float32(math.NaN())
		if i < f.N && !math.IsInf(float64(r[i]), 0) {
			v = r[i]
		}
		x.r[i], x.lin[i], x.sq[i] = v, -2*v, v*v+margin/2
	}
	copy(x.tail, f.Data[f.N/tileRows*tileRows*f.P:f.N*f.P])
	return x
}

// rowsAt returns the 8 rows from row i.
func (x operand) rowsAt(i int) []float32 {
	if i+tileRows > x.N {
		return x.tail
	}
	return x.Data[i*x.P : (i+tileRows)*x.P]
}

// pack writes the transpose [P, 32] of the 32 rows starting with row j to panel.
func (x operand) pack(panel []float32, j int) {
	clear(panel)
	for col := range min(tileCols, x.N-j) {
		for k, v := range x.Row(j + col) {
			panel[k*tileCols+col] = v
		}
	}
}

// sweep is one run over all pairs of features. The features are the rows and the columns of the
// matrix of scalar products.
type sweep struct {
	loops
	operand
	o    Options
	next atomic.Int64 // number of stripes that no worker has claimed
}

// run starts as many workers as the options and the number of stripes allow. Each worker lists its
// best pairs, and run returns the best of all lists.
func (s *sweep) run(ctx context.Context) []Pair {
	stripes := (s.N + stripe - 1) / stripe
	s.next.Store(int64(stripes))
	var wg sync.WaitGroup
	tops := make([]*Top[Pair], min(s.o.Workers, stripes))
	for w := range tops {
		tops[w] = newTop(s.o)
		wg.Go(func() { s.worker(ctx, tops[w]) })
	}
	wg.Wait()
	all := newTop(s.o)
	for _, t := range tops {
		all.list = append(all.list, t.list...)
	}
	return all.Best()
}

// worker claims stripes from the last one down, so that the stripes with the most pairs come first.
func (s *sweep) worker(ctx context.Context, best *Top[Pair]) {
	p := s.P
	t := &tile{p: p}
	panels := make([]float32, stripe*p)
	for {
		first := int(s.next.Add(-1)) * stripe
		if first < 0 {
			return
		}
		last := min(first+stripe, s.N)
		for j := first; j < last; j += tileCols {
			s.pack(panels[(j-first)*p:][:tileCols*p], j)
		}
		for i := 0; i < last-1; i += group {
			for j := first; j < last; j += tileCols {
				if ctx.Err() != nil {
					return
				}
				t.panel = panels[(j-first)*p:][:tileCols*p]
				s.column(t, i, j, best)
			}
		}
	}
}

// column multiplies a group of rows, starting with row first, by the panel of columns that starts
// at column j, and collects the hits.
func (s *sweep) column(t *tile, first, j int, best *Top[Pair]) {
	t.colLin, t.colSq = (*[tileCols]float32)(s.r[j:]), (*[tileCols]float32)(s.sq[j:])
	t.maxSq = 1 - s.o.MinDen + 1e-6
	t.thr = float32(best.Cut)
	end := min(first+group, min(j+tileCols, s.N)-1)
	for i := first; i < end; i += tileRows {
		t.rows = s.rowsAt(i)
		t.rowLin, t.rowSq = (*[tileRows]float32)(s.lin[i:]), (*[tileRows]float32)(s.sq[i:])
		if s.find(t) {
			s.collect(t, i, j, best)
			t.thr = float32(best.Cut)
		}
	}
}

// collect scores the hits of the tile at (i, j) again, in float64, and keeps the best.
func (s *sweep) collect(t *tile, i, j int, best *Top[Pair]) {
	for row, mask := range t.hits {
		for ; mask != 0; mask &= mask - 1 {
			col := bits.TrailingZeros32(mask)
			a, b := i+row, j+col
			if a < b {
				best.Add(Pair{int32(a), int32(b), share(s.r[a], s.r[b], t.c[row*tileCols+col], s.o.MinDen)})
			}
		}
	}
}

// share returns R² of two features, or NaN if they are nearly collinear (1 - c² < minDen).
func share(ri, rj, c, minDen float32) float32 {
	a, b, x := float64(ri), float64(rj), float64(c)
	den := 1 - x*x
	if !(den >= float64(minDen)) {
		return float32(math.NaN())
	}
	return float32((a*a + b*b - 2*a*b*x) / den)
}
