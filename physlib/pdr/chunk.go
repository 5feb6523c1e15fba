package pdr

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// products computes the pass of a chunk, whose length is a power of two, by matrix products. For
// blocks of 2, 4, 8 … tokens it adds the contribution of each block's first half to its second half
// (see the package comment). In the end it adds the contribution of the state before the chunk.
// head and tail are products of gates for each token. head is the product from the start of the
// token's block up to the token, and tail from the next token to the end of the block.
func (x pass) products() reads {
	seq := x.seq()
	// The contribution of a token to its own output does not decay.
	out := x.read(func() *Node { return Mul(x.a, dotRows(x.r, x.b)) }, func() *Node { return Mul(x.b, dotRows(x.l, x.a)) })
	head, tail := x.gate, filled(x.gate.Graph(), x.gate.Shape(), 1)
	for half := 1; half < seq; half *= 2 {
		h1, h2 := halves(head, half)
		t1, t2 := halves(tail, half)
		a1, _ := halves(x.a, half)
		b1, _ := halves(x.b, half)
		// a1 is decayed up to the middle of the block, and h2 is the decay from there up to the
		// reading token.
		a1 = Mul(a1, t1)
		second := func(y *Node) *Node { _, y = halves(y, half); return y }
		seen := x.read(func() *Node { return Mul(twice(second(x.r), b1, a1), h2) },
			func() *Node { return twice(Mul(second(x.l), h2), a1, b1) })
		for i, y := range seen {
			o1, o2 := halves(out[i], half)
			out[i] = joined(o1, Add(o2, y))
		}
		all1, all2 := end(h1), end(h2)
		head, tail = joined(h1, Mul(h2, all1)), joined(Mul(t1, all2), t2)
	}
	seen := x.read(func() *Node { return Mul(DotGeneral(x.r, []int{2}, []int{0}, x.state, []int{2}, []int{0}), head) },
		func() *Node { return DotGeneral(Mul(x.l, head), []int{2}, []int{0}, x.state, []int{1}, []int{0}) })
	for i, y := range seen {
		out[i] = Add(out[i], y)
	}
	decay := ExpandAxes(Reshape(end(head), x.gate.Shape().Dim(0), -1), -1) // [batch, rows, 1]
	written := DotGeneral(Mul(x.a, tail), []int{1}, []int{0}, x.b, []int{1}, []int{0})
	return reads{out, Add(Mul(decay, x.state), written)}
}

// twice returns (r·bᵀ)·a for r and b [batch, blocks, half, n] and a [batch, blocks, half, m], in
// the shape of a.
func twice(r, b, a *Node) *Node {
	if a.Shape().Dim(2) == 1 {
		return Mul(dotRows(r, b), a)
	}
	// [batch, blocks, half, half]
	scores := DotGeneral(r, []int{3}, []int{0, 1}, b, []int{3}, []int{0, 1})
	return DotGeneral(scores, []int{3}, []int{0, 1}, a, []int{2}, []int{0, 1})
}

// dotRows returns the inner product over the last axis, which is kept with length 1. It is computed
// as a matrix product with ones, because reductions are not possible in loops on XLA.
func dotRows(x, y *Node) *Node {
	z := Mul(x, y)
	width := z.Shape().Dim(-1)
	ones := filled(z.Graph(), shapes.Make(z.DType(), width, 1), 1)
	return DotGeneral(z, []int{z.Rank() - 1}, nil, ones, []int{0}, nil)
}

// halves divides x [batch, seq, width] into blocks of 2·half tokens and returns the first and the
// second half of each, [batch, blocks, half, width].
func halves(x *Node, half int) (first, second *Node) {
	d := x.Shape().Dimensions
	y := Reshape(x, d[0], d[1]/(2*half), 2, half, d[2])
	take := func(i int) *Node {
		return Reshape(Slice(y, AxisRange(), AxisRange(), AxisRange(i, i+1)), d[0], d[1]/(2*half), half, d[2])
	}
	return take(0), take(1)
}

// joined is the inverse of halves.
func joined(first, second *Node) *Node {
	d := first.Shape().Dimensions
	y := Concatenate([]*Node{first, second}, 2)
	return Reshape(y, d[0], d[1]*2*d[2], d[3])
}

// end returns the last token of x, along the second-last axis.
func end(x *Node) *Node {
	spec := make([]SliceAxisSpec, x.Rank())
	for i := range spec {
		spec[i] = AxisRange()
	}
	n := x.Shape().Dim(-2)
	spec[x.Rank()-2] = AxisRange(n-1, n)
	return Slice(x, spec...)
}
