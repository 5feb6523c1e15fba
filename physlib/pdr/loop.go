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
	carried := append([]*Node{Const(g, int32(0)), x.state, zeros(g, x.a.DType(), batch, count*n, rows)}, x.series()...)
	end := while(count*n, carried, func(p []*Node) []*Node {
		at, zero := p[0], Const(p[0].Graph(), int32(0))
		series := make([]*Node, 4)
		for i, y := range p[3:] {
			series[i] = DynamicSlice(y, []*Node{zero, at, zero}, []int{batch, n, y.Shape().Dim(2)})
		}
		out, state := body(x.with(series, p[1]))
		outs := DynamicUpdateSlice(p[2], out, []*Node{zero, at, zero})
		return append([]*Node{Add(at, Const(at.Graph(), int32(n))), state, outs}, p[3:]...)
	})
	return end[2], end[1]
}

// while turns state into body's state as long as its first, a count in int32, is below n, and is the last one. A body may use
// nothing from outside, so that all it needs has to be in state.
func while(n int, state []*Node, body func(state []*Node) []*Node) []*Node {
	parameters := func(g *Graph) []*Node {
		p := make([]*Node, len(state))
		for i, y := range state {
			p[i] = Parameter(g, fmt.Sprint("p", i), y.Shape())
		}
		return p
	}
	g := state[0].Graph()
	more := NewClosure(g, func(g *Graph) []*Node { return []*Node{LessThan(parameters(g)[0], Const(g, int32(n)))} })
	once := NewClosure(g, func(g *Graph) []*Node { return body(parameters(g)) })
	return While(more, once, state...)
}
