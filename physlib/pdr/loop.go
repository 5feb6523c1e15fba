package pdr

import (
	"fmt"

	. "github.com/gomlx/gomlx/core/graph"
)

// loop applies body to count pieces of n tokens, one after the other, and passes the state from
// each piece to the next. If the backend supports it, loop makes a loop in the graph. Otherwise it
// makes count copies of body.
func loop(x pass, count, n int, body func(pass) reads) reads {
	if count == 1 {
		return body(x)
	}
	g := x.a.Graph()
	if !canLoop(g.Backend()) {
		var pieces [][]*Node
		for i := range count {
			y := x.part(i*n, (i+1)*n)
			y.state = x.state
			o := body(y)
			pieces, x.state = append(pieces, o.out), o.state
		}
		out := make([]*Node, len(pieces[0]))
		for k := range out {
			of := make([]*Node, count)
			for i, p := range pieces {
				of[i] = p[k]
			}
			out[k] = Concatenate(of, 1)
		}
		return reads{out, x.state}
	}
	batch := x.a.Shape().Dim(0)
	carried := []*Node{Const(g, int32(0)), x.state}
	for _, like := range x.read(func() *Node { return x.a }, func() *Node { return x.b }) {
		carried = append(carried, ZerosLike(like))
	}
	made := len(carried) // number of values that each iteration computes; inputs follow them
	end := while(count*n, append(carried, x.series()...), func(p []*Node) []*Node {
		at, zero := p[0], Const(p[0].Graph(), int32(0))
		var series []*Node
		for _, y := range p[made:] {
			series = append(series, DynamicSlice(y, []*Node{zero, at, zero}, []int{batch, n, y.Shape().Dim(2)}))
		}
		o := body(x.with(series, p[1]))
		next := []*Node{Add(at, Const(at.Graph(), int32(n))), o.state}
		for i, y := range o.out {
			next = append(next, DynamicUpdateSlice(p[2+i], y, []*Node{zero, at, zero}))
		}
		return append(next, p[made:]...)
	})
	return reads{end[2:made], end[1]}
}

// while applies body to state as long as state[0], an int32 count, is below n, and returns the last
// state. body may not use nodes from outside, so state must contain everything that it needs.
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
