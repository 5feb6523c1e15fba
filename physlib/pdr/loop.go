package pdr

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
)

// loop does body for count pieces of n tokens, one after the other, with the state going from each to the next: out
// [batch, count·n, rows] and the last state. Where the backend can, it is a loop inside of the graph, else count bodies.
func loop(x pass, count, n int, body func(pass) (out, last *Node)) (out, last *Node) {
	if count == 1 {
		return body(x)
	}
	g := x.a.Graph()
	if !canLoop(g.Backend()) {
		var outs []*Node
		for i := range count {
			var out *Node
			out, x.state = body(x.with(x.part(i*n, (i+1)*n).series(), x.state))
			outs = append(outs, out)
		}
		return Concatenate(outs, 1), x.state
	}
	batch, rows := x.a.Shape().Dim(0), x.a.Shape().Dim(2)
	// what reads the state is cut out one piece ahead: XLA for CPUs puts a cut into the loop of the product that needs it, and that
	// one into plain steps
	carried := append([]*Node{Const(g, int32(0)), x.state, zeros(g, x.a.DType(), batch, count*n, rows),
		Slice(x.r, AxisRange(), AxisRange(0, n))}, x.series()...)
	parameters := func(g *Graph) []*Node { // a body may use nothing from outside
		p := make([]*Node, len(carried))
		for i, y := range carried {
			p[i] = Parameter(g, fmt.Sprint("p", i), y.Shape())
		}
		return p
	}
	more := NewClosure(g, func(g *Graph) []*Node { return []*Node{LessThan(parameters(g)[0], Const(g, int32(count*n)))} })
	once := NewClosure(g, func(g *Graph) []*Node {
		p := parameters(g)
		at, zero := p[0], Const(g, int32(0))
		after := Add(at, Const(g, int32(n)))
		cut := func(y, at *Node) *Node {
			return DynamicSlice(y, []*Node{zero, at, zero}, []int{batch, n, y.Shape().Dim(2)})
		}
		gate, a, b, r := p[4], p[5], p[6], p[7]
		out, state := body(x.with([]*Node{cut(gate, at), cut(a, at), cut(b, at), p[3]}, p[1]))
		outs := DynamicUpdateSlice(p[2], out, []*Node{zero, at, zero})
		return append([]*Node{after, state, outs, cut(r, after)}, p[4:]...)
	})
	end := While(more, once, carried...)
	return end[2], end[1]
}
