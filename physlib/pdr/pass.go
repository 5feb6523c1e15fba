package pdr

import (
	"slices"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// pass is one way through a series with a state [batch, rows, cols], which is read from its right,
// its left, or both:
//
//	S_t = diag(γ_t)·S_{t-1} + a_t·b_tᵀ,   right_t = S_t·r_t,   left_t = S_tᵀ·l_t.
//
// Back in time, from the last token to the first, it is S_t = diag(γ_{t+1})·S_{t+1} + a_t·b_tᵀ,
// with 1 for the γ after the end.
type pass struct {
	gate  *Node // γ [batch, seq, rows]
	a, l  *Node // [batch, seq, rows]; l nil: not read from the left
	b, r  *Node // [batch, seq, cols]; r nil: not read from the right
	state *Node // before the first token
	back  bool
}

// reads are what a pass gives.
type reads struct {
	out   []*Node // right [batch, seq, rows] where r is, then left [batch, seq, cols] where l is
	state *Node   // after the last token
}

func (x pass) seq() int { return x.a.Shape().Dim(1) }

// part returns x for the tokens from i to j.
func (x pass) part(i, j int) pass {
	return x.each(func(y *Node) *Node { return Slice(y, AxisRange(), AxisRange(i, j)) })
}

// each returns x with f done to what runs along seq.
func (x pass) each(f func(*Node) *Node) pass {
	series := x.series()
	for i, y := range series {
		series[i] = f(y)
	}
	return x.with(series, x.state)
}

// series returns the inputs that run along seq, without those that are nil.
func (x pass) series() []*Node {
	return slices.DeleteFunc([]*Node{x.gate, x.a, x.b, x.r, x.l}, func(y *Node) bool { return y == nil })
}

// with returns x for other series, in the order of series.
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

// each returns o with f done to what runs along seq.
func (o reads) each(f func(*Node) *Node) reads {
	for i, y := range o.out {
		o.out[i] = f(y)
	}
	return o
}

// read returns what right and left, which are called where they are requested, come to.
func (x pass) read(right, left func() *Node) (out []*Node) {
	if x.r != nil {
		out = append(out, right())
	}
	if x.l != nil {
		out = append(out, left())
	}
	return out
}

// run does the pass.
func (x pass) run(form Form, chunk int) reads {
	switch {
	case x.seq() == 0:
		return reads{x.read(func() *Node { return x.a }, func() *Node { return x.b }), x.state}
	case form == Step && x.inTurns() && x.r != nil && x.l != nil:
		right, left := x, x // two loops, of which each reads the state in one way, are faster than one: XLA copies less from turn to turn
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

// reverse returns y the other way round in time.
func reverse(y *Node) *Node { return Reverse(y, 1) }

// reversed returns a pass back in time as one forward, of series that run the other way.
func (x pass) reversed() pass {
	y := x.each(reverse)
	y.back = false
	y.gate = filled(x.gate.Graph(), Slice(x.gate, AxisRange(), AxisRange(0, 1)).Shape(), 1)
	if n := x.seq(); n > 1 { // the gate that a token's state comes through is that of the token after it
		y.gate = Concatenate([]*Node{y.gate, reverse(Slice(x.gate, AxisRange(), AxisRange(1, n)))}, 1)
	}
	return y
}

// chunks does the pass in chunks of n tokens. The series is filled up with tokens that change
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

// padSeq returns x [batch, seq, width] with n more tokens of a value.
func padSeq(x *Node, n int, value float64) *Node {
	shape := x.Shape().Clone()
	shape.Dimensions[1] = n
	return Concatenate([]*Node{x, filled(x.Graph(), shape, value)}, 1)
}

// filled returns an array of one value. GoMLX shares Scalar among the functions of a graph, which a
// loop's body may not use.
func filled(g *Graph, shape shapes.Shape, value float64) *Node {
	return BroadcastToShape(ConvertDType(Const(g, value), shape.DType), shape)
}

func zeros(g *Graph, dt dtypes.DType, dims ...int) *Node {
	return filled(g, shapes.Make(dt, dims...), 0)
}
