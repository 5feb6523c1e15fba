package pdr

import (
	"math"
	"math/bits"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Recurrence holds options for computing the recurrence of PDR §2. The zero value uses the fastest
// form and does not renormalise.
type Recurrence struct {
	Form Form
	// Chunk is the number of tokens in a chunk, rounded up to a power of two. 0 means 256 for
	// ChunkScan (PDR §2.2) and 64 for Chunk.
	Chunk  int
	Renorm int // number of tokens between renormalisations of the state (PDR §5.2: 8192); 0: none
}

// Apply returns the recurrence
//
//	S_t = diag(σ(p_t))·S_{t-1} + v_t·k_tᵀ,   o_t = S_t·q_t
//
// p and v are [batch, seq, dim], k and q [batch, seq, rank]. The results are o [batch, seq, dim]
// and the last S [batch, dim, rank]. state is the S before the first token; nil means zero. start
// is the number of tokens before the first one.
//
// After each Renorm tokens the state is renormalised,
//
//	S ← S·√(dim·rank)/‖S‖_F      (a state of zeros does not change).
//
// Tokens are counted from the beginning of the series, even if the series comes in pieces. The
// computation is in float32, or in float64 if v is. o has the type of v. The state keeps the
// precision of the computation.
func (c Recurrence) Apply(p, v, k, q, state *Node, start int) (o, last *Node) {
	given := v.DType()
	dt := dtypes.Float32
	if given == dtypes.Float64 {
		dt = given
	}
	p, v, k, q = ConvertDType(p, dt), ConvertDType(v, dt), ConvertDType(k, dt), ConvertDType(q, dt)
	batch, seq, dim, rank := v.Shape().Dim(0), v.Shape().Dim(1), v.Shape().Dim(2), k.Shape().Dim(2)
	p.AssertDims(batch, seq, dim)
	k.AssertDims(batch, seq, rank)
	q.AssertDims(batch, seq, rank)
	if state == nil {
		state = zeros(v.Graph(), dt, batch, dim, rank)
	}
	state = ConvertDType(state, dt)
	state.AssertDims(batch, dim, rank)
	if start < 0 || c.Renorm < 0 {
		exceptions.Panicf("pdr: start %d and renorm %d may not be negative", start, c.Renorm)
	}
	var outs []*Node
	for i := 0; i < seq; {
		j := seq
		if c.Renorm > 0 {
			j = min(seq, i+c.Renorm-(start+i)%c.Renorm)
		}
		cut := func(x *Node) *Node { return Slice(x, AxisRange(), AxisRange(i, j)) }
		o, state = c.differentiable(cut(p), cut(v), cut(k), cut(q), state)
		outs = append(outs, o)
		if c.Renorm > 0 && (start+j)%c.Renorm == 0 {
			state = Renormalize(state)
		}
		i = j
	}
	if len(outs) == 0 {
		return v, state
	}
	return ConvertDType(Concatenate(outs, 1), given), state
}

// Renormalize returns S·√(dim·rank)/‖S‖_F for each state S [batch, dim, rank] (PDR §5.2). A state
// of zeros remains zero.
func Renormalize(s *Node) *Node {
	norm2 := ReduceAndKeep(ReduceAndKeep(Square(s), ReduceSum, -1), ReduceSum, -2)
	one := OnesLike(norm2)
	empty := Equal(norm2, ZerosLike(norm2))
	norm := Sqrt(Where(empty, one, norm2)) // the gradient of a root at zero is infinite
	alpha := math.Sqrt(float64(s.Shape().Dim(1) * s.Shape().Dim(2)))
	return Mul(s, Where(empty, one, Div(MulScalar(one, alpha), norm)))
}

// chunk returns the chunk length for a form, a power of two.
func (c Recurrence) chunk(form Form) int {
	n := c.Chunk
	if n <= 0 {
		n = 64
		if form == ChunkScan {
			n = 256
		}
	}
	return 1 << bits.Len(uint(n-1))
}

// differentiable is the recurrence without renormalisation, with custom gradients.
func (c Recurrence) differentiable(p, v, k, q, state *Node) (o, last *Node) {
	forward, backward := c.Chosen(v.Graph().Backend(), v.Shape().Dim(0), v.Shape().Dim(1), v.Shape().Dim(2), k.Shape().Dim(2))
	gate := Sigmoid(p)
	y := pass{gate: gate, a: v, b: k, r: q, state: state}.run(forward, c.chunk(forward))
	o, last = y.out[0], y.state
	run := func(x pass) reads { return x.run(backward, c.chunk(backward)) }
	out := withGradient([]*Node{o, last}, []*Node{p, v, k, q, state}, func(d []*Node) []*Node {
		do, dlast := d[0], d[1]
		dq := run(pass{gate: gate, a: v, b: k, l: do, state: state}).out[0]
		y := run(pass{gate: gate, a: do, b: q, r: k, l: v, state: dlast, back: true})
		dv, dk, first := y.out[0], y.out[1], y.state
		dstate := Mul(first, TransposeAllAxes(Slice(gate, AxisRange(), AxisRange(0, 1)), 0, 2, 1))

		// end is the contribution of the last state's gradient to all a_t.
		end := ExpandAxes(ReduceSum(Mul(last, dlast), -1), 1)
		var dp *Node
		if backward == Step && canLoop(v.Graph().Backend()) {
			dp = sumInTurn(end, p, o, do, v, dv)
		} else {
			dp = Mul(Add(sumOfLater(Sub(Mul(o, do), Mul(v, dv))), end), Sigmoid(Neg(p)))
		}
		return []*Node{dp, dv, dk, dq, dstate}
	})
	return out[0], out[1]
}

// sumInTurn computes dp token by token: dp_t = (1-γ_t) ⊙ a_t, where a_t = o_t ⊙ do_t - v_t ⊙ dv_t +
// a_{t+1}. The series are [batch, seq, dim]. end [batch, 1, dim] is the a after the last token. On
// a CPU the data of a token stay in the cache.
func sumInTurn(end, p, o, do, v, dv *Node) *Node {
	g, seq, dims := p.Graph(), p.Shape().Dim(1), end.Shape().Dimensions
	state := []*Node{Const(g, int32(0)), end, ZerosLike(p), p, o, do, v, dv}
	return while(seq, state, func(x []*Node) []*Node {
		i, zero := x[0], Const(x[0].Graph(), int32(0))
		at := []*Node{zero, Sub(Const(i.Graph(), int32(seq-1)), i), zero}
		cut := func(k int) *Node { return DynamicSlice(x[k], at, dims) }
		a := Add(x[1], Sub(Mul(cut(4), cut(5)), Mul(cut(6), cut(7))))
		out := DynamicUpdateSlice(x[2], Mul(a, Sigmoid(Neg(cut(3)))), at)
		return append([]*Node{Add(i, Const(i.Graph(), int32(1))), a, out}, x[3:]...)
	})[2]
}

// sumOfLater returns y_t = Σ_{u≥t} x_u for x [batch, seq, dim], in blocks. The sum within a block
// is a product with a triangular matrix. The sums of the blocks are summed recursively. XLA's own
// cumulative sum is not used, since on CPUs its cost is proportional to seq².
func sumOfLater(x *Node) *Node {
	const block = 64
	g, batch, seq, dim := x.Graph(), x.Shape().Dim(0), x.Shape().Dim(1), x.Shape().Dim(2)
	upper := func(n int) *Node { return ConvertDType(Transpose(LowerTriangular(g, n), 0, 1), x.DType()) }
	if seq <= block {
		return TransposeAllAxes(DotGeneral(upper(seq), []int{1}, nil, x, []int{1}, nil), 1, 0, 2)
	}
	count := (seq + block - 1) / block
	if fill := count*block - seq; fill > 0 {
		x = padSeq(x, fill, 0)
	}
	x = Reshape(x, batch*count, block, dim)
	inside := Reshape(TransposeAllAxes(DotGeneral(upper(block), []int{1}, nil, x, []int{1}, nil), 1, 0, 2), batch, count, block, dim)
	sums := Reshape(Slice(inside, AxisRange(), AxisRange(), AxisRange(0, 1)), batch, count, dim)
	after := Sub(sumOfLater(sums), sums)
	y := Reshape(Add(inside, ExpandAxes(after, 2)), batch, count*block, dim)
	return Slice(y, AxisRange(), AxisRange(0, seq))
}
