package pdr

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
)

// step does the pass token by token (seed §2.1).
func (x pass) step() (out, last *Node) {
	switch {
	case x.seq() == 0:
		return x.a, x.state
	case x.state.Shape().Dim(0) == 1 && x.seq() > 1 && canLoop(x.a.Graph().Backend()):
		return x.single()
	}
	return loop(x, x.seq(), 1, pass.token)
}

// token does the pass of a single token. Its shapes are those of which XLA makes one loop over the state for the outer product, and
// one for the products with r.
func (x pass) token() (out, last *Node) {
	turned := func(y *Node) *Node { return TransposeAllAxes(y, 0, 2, 1) }
	gate := x.gate // [batch, 1, cols]
	if !x.cols {
		gate = turned(gate)
	}
	last = Add(Mul(gate, x.state), Mul(turned(x.a), x.b))
	return turned(DotGeneral(last, []int{2}, []int{0}, x.r, []int{2}, []int{0})), last // [batch, 1, rows]
}

// single is step for a batch of one, as a loop whose arrays have no axis for the batch and where r is cut out one token ahead.
// Then nothing stands between the state and its product with r that XLA for CPUs would fuse with that product, which
// makes plain scalar steps of it, where the product alone goes through fast tiles.
func (x pass) single() (out, last *Node) {
	g, seq, rows, cols := x.a.Graph(), x.seq(), x.a.Shape().Dim(2), x.b.Shape().Dim(2)
	flat := func(y *Node) *Node { return Reshape(y, seq, y.Shape().Dim(2)) }
	carried := []*Node{Const(g, int32(0)), Reshape(x.state, rows, cols), zeros(g, x.a.DType(), seq, rows),
		Reshape(Slice(x.r, AxisRange(), AxisRange(0, 1)), cols), flat(x.gate), flat(x.a), flat(x.b), flat(x.r)}
	parameters := func(g *Graph) []*Node { // a body may use nothing from outside
		p := make([]*Node, len(carried))
		for i, y := range carried {
			p[i] = Parameter(g, fmt.Sprint("p", i), y.Shape())
		}
		return p
	}
	more := NewClosure(g, func(g *Graph) []*Node { return []*Node{LessThan(parameters(g)[0], Const(g, int32(seq)))} })
	once := NewClosure(g, func(g *Graph) []*Node {
		p := parameters(g)
		at, zero := p[0], Const(g, int32(0))
		after := Add(at, Const(g, int32(1)))
		cut := func(y, at *Node) *Node { return DynamicSlice(y, []*Node{at, zero}, []int{1, y.Shape().Dim(1)}) }
		gate := cut(p[4], at) // [1, cols]
		if !x.cols {
			gate = Reshape(gate, rows, 1)
		}
		state := Add(Mul(gate, p[1]), Mul(Reshape(cut(p[5], at), rows, 1), cut(p[6], at)))
		o := DotGeneral(state, []int{1}, nil, p[3], []int{0}, nil) // [rows]
		outs := DynamicUpdateSlice(p[2], Reshape(o, 1, rows), []*Node{at, zero})
		return append([]*Node{after, state, outs, Reshape(cut(p[7], after), cols)}, p[4:]...)
	})
	end := While(more, once, carried...)
	return Reshape(end[2], 1, seq, rows), Reshape(end[1], 1, rows, cols)
}
