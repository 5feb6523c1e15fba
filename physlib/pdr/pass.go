package pdr

import (
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// pass is one run through a series with a state [batch, rows, cols]. The results are products of
// the state with r from the right, with l from the left, or both:
//
//	S_t = diag(γ_t)·S_{t-1} + a_t·b_tᵀ,   right_t = S_t·r_t,   left_t = S_tᵀ·l_t.
//
// With back it runs from the last token to the first: S_t = diag(γ_{t+1})·S_{t+1} + a_t·b_tᵀ. The γ
// after the last token is 1.
type pass struct {
	gate  *Node // γ [batch, seq, rows]
	a, l  *Node // [batch, seq, rows]; l nil: do not read from the left
	b, r  *Node // [batch, seq, cols]; r nil: do not read from the right
	state *Node // state before the first token of the run
	back  bool  // whether to run backward in time
}

// reads holds the results of a pass.
type reads struct {
	// out holds the results of reading the state. If r is not nil, it begins with right_t for all
	// tokens, [batch, seq, rows]. If l is not nil, left_t for all tokens follows, [batch, seq,
	// cols].
	out   []*Node
	state *Node // state after the last token of the run
}

func (x pass) seq() int { return x.a.Shape().Dim(1) }

// part returns the pass of the tokens in [i, j).
func (x pass) part(i, j int) pass {
	return x.each(func(y *Node) *Node { return Slice(y, AxisRange(), AxisRange(i, j)) })
}

// each returns x with f applied to the inputs that have the axis seq.
func (x pass) each(f func(*Node) *Node) pass {
	series := x.series()
	for i, y := range series {
		series[i] = f(y)
	}
	return x.with(series, x.state)
}

// series returns the inputs that have an axis seq, without nil.
func (x pass) series() []*Node {
	return slices.DeleteFunc([]*Node{x.gate, x.a, x.b, x.r, x.l}, func(y *Node) bool { return y == nil })
}

// with returns x with the given inputs, in the order of series, and the given state.
func (x pass) with(series []*Node, state *Node) pass {
	next := func(given *Node) *Node {
		if given == nil {
			return nil
		}
		given, series = series[0], series[1:]
		return given
	}
	x.gate, x.a, x.b, x.r, x.l = next(x.gate), next(x.a), next(x.b), next(x.r), next(x.l)
	x.state = state
	return x
}

// each applies f in place to the outputs, which have an axis seq.
func (o reads) each(f func(*Node) *Node) reads {
	for i, y := range o.out {
		o.out[i] = f(y)
	}
	return o
}

// read returns the results of right and left, of those sides from which x reads.
func (x pass) read(right, left func() *Node) (out []*Node) {
	if x.r != nil {
		out = append(out, right())
	}
	if x.l != nil {
		out = append(out, left())
	}
	return out
}

// run computes the pass.
func (x pass) run(form Form, chunk int) reads {
	switch {
	case x.seq() == 0:
		return reads{x.read(func() *Node { return x.a }, func() *Node { return x.b }), x.state}
	case form == Step && x.inTurns() && x.r != nil && x.l != nil:
		// Two loops that each read from one side are faster than one that reads from both, since
		// XLA copies less between iterations.
		right, left := x, x
		right.l, left.r = nil, nil
		o, p := right.turns(), left.turns()
		return reads{append(o.out, p.out...), o.state}
	case form == Step && x.inTurns():
		return x.turns()
	case x.back:
		return x.reversed().run(form, chunk).each(reverse)
	case form == Step:
		return loop(x, x.seq(), 1, pass.token)
	case form == Scan:
		return x.scan()
	case form == ChunkScan:
		return x.chunks(chunk, pass.scan)
	default:
		return x.chunks(chunk, pass.products)
	}
}

// reverse returns y in reverse order of time.
func reverse(y *Node) *Node { return Reverse(y, 1) }

// reversed returns a backward pass as a forward pass on reversed series.
func (x pass) reversed() pass {
	y := x.each(reverse)
	y.back = false
	y.gate = filled(x.gate.Graph(), Slice(x.gate, AxisRange(), AxisRange(0, 1)).Shape(), 1)
	// The gate that leads to a token in the backward pass is that of the next token in the series.
	if n := x.seq(); n > 1 {
		y.gate = Concatenate([]*Node{y.gate, reverse(Slice(x.gate, AxisRange(), AxisRange(1, n)))}, 1)
	}
	return y
}

// chunks computes the pass in chunks of n tokens. The series is padded with tokens that change
// nothing: γ = 1, a = b = 0.
func (x pass) chunks(n int, body func(pass) reads) reads {
	seq := x.seq()
	for n/2 >= seq {
		n /= 2
	}
	count := (seq + n - 1) / n
	if fill := count*n - seq; fill > 0 {
		gate := padSeq(x.gate, fill, 1)
		x = x.each(func(y *Node) *Node { return padSeq(y, fill, 0) })
		x.gate = gate
	}
	return loop(x, count, n, body).each(func(y *Node) *Node { return Slice(y, AxisRange(), AxisRange(0, seq)) })
}

// padSeq appends n tokens of a constant value to x [batch, seq, width].
func padSeq(x *Node, n int, value float64) *Node {
	shape := x.Shape().Clone()
	shape.Dimensions[1] = n
	return Concatenate([]*Node{x, filled(x.Graph(), shape, value)}, 1)
}

// filled returns an array in which all elements are value. Scalar cannot be used: GoMLX shares its
// nodes among the functions of a graph, and the body of a loop may not use nodes from outside.
func filled(g *Graph, shape shapes.Shape, value float64) *Node {
	return BroadcastToShape(ConvertDType(Const(g, value), shape.DType), shape)
}

func zeros(g *Graph, dt dtypes.DType, dims ...int) *Node {
	return filled(g, shapes.Make(dt, dims...), 0)
}
