// Package joins computes the join of package pair on an accelerator, through XLA: it finds the best
// of all pairs of candidate features.
//
// # Design
//
// The features lie on the device in blocks. Each row of a block is a feature, and each column a
// point of the table. The processor's kernel first joins the first block with itself. The score of
// the K-th best pair there is the first threshold. For each pair of blocks, one program on the
// device then computes all products c = <f_i,f_j> and the scores R² of all pairs. It returns only
// the best score of each feature of one block, which is far fewer numbers than pairs. A second
// program computes the products of the features whose best score may be among the K best. Their
// pairs are scored on the host, with c recomputed in float64 from the features.
//
// The scores on the device are float32 and only preselect pairs, with a margin for their rounding.
// On NVIDIA open the backend with tf32=false: products in TensorFloat-32 have errors of 10⁻³, more
// than this margin. If the device fails, the processor's kernel computes the join instead, and Err
// reports why.
package joins

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/physlib/lab/physlib/pair"
)

// Kernel is a pair.Kernel on a backend. It is safe for concurrent use.
type Kernel struct {
	block   int // number of rows in a block
	batch   int // number of rows whose products are requested at a time
	backend compute.Backend
	scores  *Exec
	rows    *Exec

	mu  sync.Mutex
	err error
}

var _ pair.Kernel = (*Kernel)(nil)

// New returns a kernel that works on blocks of the given number of rows. 0 means 8192 on a GPU and
// 1024 on a CPU.
func New(b compute.Backend, block int) (*Kernel, error) {
	if block <= 0 {
		block = 8192
		if b.HasSharedBuffers() {
			block = 1024
		}
	}
	k := &Kernel{block: block, batch: min(64, block), backend: b}
	var err error
	if k.scores, err = NewExec(b, bestOfRows); err != nil {
		return nil, fmt.Errorf("joins: %w", err)
	}
	if k.rows, err = NewExec(b, productsOfRows); err != nil {
		return nil, fmt.Errorf("joins: %w", err)
	}
	k.scores.SetMaxCache(-1) // no limit: there is a program for each number of points
	k.rows.SetMaxCache(-1)
	return k, nil
}

// Err returns the error of the device in the last failed join, which the processor then computed.
// It returns nil if no join failed.
func (k *Kernel) Err() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.err
}

// Close frees the compiled programs.
func (k *Kernel) Close() {
	k.scores.Finalize()
	k.rows.Finalize()
}

// none is the score of an entry that is not a pair.
const none = -1

// bestOfRows returns, for each row of block a, the best score of its pairs with the rows of block
// b. The result has the shape [block]. in has the following inputs:
//
//   - the rows f of a, [block, points], and their products <f,t> with the target t, [block]
//   - the same two inputs for b
//   - the least j - i of a pair (i, j), with indices within the blocks, int32
//   - the least 1 - c² of a pair, where c is the product of its rows
func bestOfRows(in []*Node) []*Node {
	a, ra, b, rb, from, minDen := in[0], in[1], in[2], in[3], in[4], in[5]
	g := a.Graph()
	c := DotGeneral(a, []int{1}, nil, b, []int{1}, nil) // [block, block]
	ri, rj := InsertAxes(ra, -1), InsertAxes(rb, 0)
	den := OneMinus(Square(c))
	num := Sub(Add(Square(ri), Square(rj)), MulScalar(Mul(Mul(ri, rj), c), 2))
	ahead := Sub(Iota(g, shapes.Make(dtypes.Int32, c.Shape().Dimensions...), 1), Iota(g, shapes.Make(dtypes.Int32, c.Shape().Dimensions...), 0))
	ok := LogicalAnd(GreaterOrEqual(den, minDen), GreaterOrEqual(ahead, from))
	score := Where(ok, Div(num, den), Scalar(g, c.DType(), none))
	// A score that is NaN is set to the constant none.
	score = Where(GreaterOrEqual(score, ScalarZero(g, c.DType())), score, Scalar(g, c.DType(), none))
	return []*Node{ReduceMax(score, 1)}
}

// productsOfRows returns the products [batch, block] of some rows [batch, points] with a block.
func productsOfRows(in []*Node) []*Node {
	return []*Node{DotGeneral(in[0], []int{1}, nil, in[1], []int{1}, nil)}
}

// Square implements pair.Kernel. Small joins run on the processor, and so do joins that fail on the
// device.
func (k *Kernel) Square(ctx context.Context, f pair.Rows, r []float32, o pair.Options) []pair.Pair {
	if o.K <= 0 {
		o.K = 1000
	}
	if !(o.MinDen > 0) {
		o.MinDen = 1e-5
	}
	// If the lengths differ, the processor's kernel panics, as it should.
	if f.N <= k.block || len(r) != f.N {
		return pair.Default().Square(ctx, f, r, o)
	}
	start := pair.Default().Square(ctx, f.Slice(0, k.block), r[:k.block], o)
	s := &sweep{Kernel: k, Rows: f, r: r, o: o, floor: max(o.Floor, 0)}
	if len(start) == o.K {
		s.floor = max(s.floor, start[o.K-1].R2)
	}
	found, err := s.run(ctx)
	if err != nil {
		k.mu.Lock()
		k.err = fmt.Errorf("joins on %s: %w", k.backend.Name(), err)
		k.mu.Unlock()
		return pair.Default().Square(ctx, f, r, o)
	}
	return found
}

// sweep is one join over all pairs of blocks.
type sweep struct {
	*Kernel
	pair.Rows
	r     []float32
	o     pair.Options
	floor float32 // lower bound of the worst score in the list of best pairs
	found []pair.Pair
}

// margin returns an upper bound of the rounding error of a score on the device. The error grows
// with 1/(1 - c²), which is at most 1/MinDen.
func (s *sweep) margin() float32 { return 4e-6 / max(s.o.MinDen, 1e-5) }

func (s *sweep) run(ctx context.Context) ([]pair.Pair, error) {
	all, err := s.upload()
	if err != nil {
		return nil, err
	}
	defer free(all)
	for i := range all {
		for j := i; j < len(all); j++ {
			if ctx.Err() != nil {
				return s.best(), nil
			}
			if err := s.blocks(all, i, j); err != nil {
				return nil, err
			}
		}
	}
	return s.best(), nil
}

// blockOf is a block on the device: its rows [block, points], and their products r [block] with the
// target.
type blockOf struct{ rows, r *tensors.Tensor }

// upload puts the features on the device. The last block is padded with rows whose r is NaN.
func (s *sweep) upload() (all []blockOf, err error) {
	for first := 0; first < s.N; first += s.block {
		n := min(s.block, s.N-first)
		rows, r := make([]float32, s.block*s.P), slices.Repeat([]float32{float32(math.NaN())}, s.block)
		copy(rows, s.Data[first*s.P:(first+n)*s.P])
		copy(r, s.r[first:first+n])
		b := blockOf{tensors.FromFlatDataAndDimensions(rows, s.block, s.P), tensors.FromFlatDataAndDimensions(r, s.block)}
		all = append(all, b)
		for _, t := range []*tensors.Tensor{b.rows, b.r} {
			if err := t.MaterializeOnDevice(s.backend, true, 0); err != nil {
				free(all)
				return nil, err
			}
		}
	}
	return all, nil
}

func free(all []blockOf) {
	for _, b := range all {
		b.rows.FinalizeAll()
		b.r.FinalizeAll()
	}
}

// blocks computes the join of block i with block j.
func (s *sweep) blocks(all []blockOf, i, j int) error {
	from := int32((i-j)*s.block + 1)
	// The device gets a slightly smaller limit of 1 - c². So it also keeps pairs whose 1 - c² would
	// be below the limit only because of rounding.
	best, err := s.call(s.scores, all[i].rows, all[i].r, all[j].rows, all[j].r, from, s.o.MinDen-min(2e-6, s.o.MinDen/2))
	if err != nil {
		return err
	}
	var rows []int
	for n, score := range best {
		if score >= 0 && score >= s.floor-s.margin() {
			rows = append(rows, n)
		}
	}
	for part := range slices.Chunk(rows, s.batch) {
		if err := s.scoreRows(all[j], part, i, j); err != nil {
			return err
		}
	}
	return nil
}

// scoreRows scores all pairs of some rows of block i with block j.
func (s *sweep) scoreRows(right blockOf, rows []int, i, j int) error {
	p := s.P
	queries := make([]float32, s.batch*p)
	for n, row := range rows {
		copy(queries[n*p:], s.Row(i*s.block+row))
	}
	t := tensors.FromFlatDataAndDimensions(queries, s.batch, p)
	defer t.FinalizeAll()
	c, err := s.call(s.rows, t, right.rows)
	if err != nil {
		return err
	}
	for n, row := range rows {
		at := i*s.block + row
		for m := range min(s.block, s.N-j*s.block) {
			if to := j*s.block + m; at < to {
				s.score(at, to, c[n*s.block+m])
			}
		}
	}
	return nil
}

// score keeps the pair (i, j) if its exact score may be among the best. c is their product as the
// device computed it.
func (s *sweep) score(i, j int, c float32) {
	ri, rj := float64(s.r[i]), float64(s.r[j])
	r2 := func(c float64) float32 {
		if den := 1 - c*c; den >= float64(s.o.MinDen)-2e-6 {
			return float32((ri*ri + rj*rj - 2*ri*rj*c) / den)
		}
		return float32(math.NaN())
	}
	if !(r2(float64(c)) >= s.floor-s.margin()) {
		return
	}
	var exact float64
	for n, x := range s.Row(i) {
		exact += float64(x) * float64(s.Row(j)[n])
	}
	if share := r2(exact); share >= s.floor && 1-exact*exact >= float64(s.o.MinDen) {
		s.found = append(s.found, pair.Pair{I: int32(i), J: int32(j), R2: share})
		if len(s.found) >= 2*s.o.K+1024 {
			s.best()
		}
	}
}

// best sorts the pairs found, keeps and returns the K best, and raises floor to the worst score of
// these.
func (s *sweep) best() []pair.Pair {
	slices.SortFunc(s.found, func(a, b pair.Pair) int {
		return cmp.Or(cmp.Compare(b.R2, a.R2), cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J))
	})
	if len(s.found) >= s.o.K {
		s.found = s.found[:s.o.K]
		s.floor = max(s.floor, s.found[s.o.K-1].R2)
	}
	return s.found
}

// call runs a program and returns its single result.
func (s *sweep) call(e *Exec, args ...any) ([]float32, error) {
	out, err := e.Call1(args...)
	if err != nil {
		return nil, err
	}
	defer out.FinalizeAll()
	return tensors.CopyFlatData[float32](out)
}
