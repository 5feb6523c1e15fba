package pdr

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// pass is one way through a series with a state [batch, rows, cols] that is read by rows:
//
//	S_t = γ_t·S_{t-1} + a_t·b_tᵀ,   out_t = S_t·r_t.
//
// The recurrence has its gates on the rows, dim of them; its gradients also need a transposed state, with the gates
// on the columns.
type pass struct {
	gate  *Node // γ [batch, seq, rows], or [batch, seq, cols] where cols
	a     *Node // [batch, seq, rows]
	b, r  *Node // [batch, seq, cols]
	state *Node // before the first token
	cols  bool  // the gates are on the columns
}

func (x pass) seq() int { return x.a.Shape().Dim(1) }

// part is x for the tokens from i to j.
func (x pass) part(i, j int) pass {
	cut := func(y *Node) *Node { return Slice(y, AxisRange(), AxisRange(i, j)) }
	x.gate, x.a, x.b, x.r = cut(x.gate), cut(x.a), cut(x.b), cut(x.r)
	return x
}

// decay is γ as a factor of states: g [batch, …, width] with an axis for the rows or columns that it has not.
func (x pass) decay(g *Node) *Node {
	if x.cols {
		return ExpandAxes(g, -2)
	}
	return ExpandAxes(g, -1)
}

// series are the inputs that run along seq.
func (x pass) series() []*Node { return []*Node{x.gate, x.a, x.b, x.r} }

func (x pass) with(series []*Node, state *Node) pass {
	return pass{gate: series[0], a: series[1], b: series[2], r: series[3], state: state, cols: x.cols}
}

// run does the pass: out [batch, seq, rows] and the last state.
func (x pass) run(form Form, chunk int) (out, last *Node) {
	switch form {
	case Step:
		return x.step()
	case Scan:
		return x.scan()
	case ChunkScan:
		return x.chunks(chunk, pass.scan)
	default:
		return x.chunks(chunk, pass.products)
	}
}

// chunks does the pass in chunks of n tokens. The series is filled up with tokens that change nothing: γ = 1, a = b = 0.
func (x pass) chunks(n int, body func(pass) (out, last *Node)) (out, last *Node) {
	seq := x.seq()
	if seq == 0 {
		return x.a, x.state
	}
	for n/2 >= seq {
		n /= 2
	}
	count := (seq + n - 1) / n
	if fill := count*n - seq; fill > 0 {
		x.gate = padSeq(x.gate, fill, 1)
		x.a, x.b, x.r = padSeq(x.a, fill, 0), padSeq(x.b, fill, 0), padSeq(x.r, fill, 0)
	}
	out, last = loop(x, count, n, body)
	return Slice(out, AxisRange(), AxisRange(0, seq)), last
}

// padSeq is x [batch, seq, width] with n more tokens of a value.
func padSeq(x *Node, n int, value float64) *Node {
	shape := x.Shape().Clone()
	shape.Dimensions[1] = n
	return Concatenate([]*Node{x, filled(x.Graph(), shape, value)}, 1)
}

// filled is an array of one value. GoMLX shares Scalar among the functions of a graph, which a loop's body may not use.
func filled(g *Graph, shape shapes.Shape, value float64) *Node {
	return BroadcastToShape(ConvertDType(Const(g, value), shape.DType), shape)
}

func zeros(g *Graph, dt dtypes.DType, dims ...int) *Node {
	return filled(g, shapes.Make(dt, dims...), 0)
}
