package pdr

import (
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// products does the pass of a chunk, whose length is a power of two, by products of matrices. For blocks of 2, 4, 8 … tokens
// it adds what the first half of each block tells the second, see the package comment, and last what the state before
// tells all. head holds for each token the product of the gates from the start of its block to itself, tail that
// of the gates after it to the end of its block.
func (x pass) products() (out, last *Node) {
	seq := x.seq()
	out = Mul(x.a, dotRows(x.r, x.b)) // a token sees itself undecayed
	head, tail := x.gate, filled(x.gate.Graph(), x.gate.Shape(), 1)
	for half := 1; half < seq; half *= 2 {
		h1, h2 := halves(head, half)
		t1, t2 := halves(tail, half)
		a1, _ := halves(x.a, half)
		b1, _ := halves(x.b, half)
		_, r2 := halves(x.r, half)
		o1, o2 := halves(out, half)
		out = joined(o1, Add(o2, x.across(h2, t1, a1, b1, r2)))
		all1, all2 := end(h1), end(h2)
		head, tail = joined(h1, Mul(h2, all1)), joined(Mul(t1, all2), t2)
	}
	out = Add(out, x.across(head, nil, nil, nil, x.r)) // head alone: reads the state
	decay := x.decay(Reshape(end(head), x.gate.Shape().Dim(0), -1))
	a, b := x.a, x.b
	if x.cols {
		b = Mul(b, tail)
	} else {
		a = Mul(a, tail)
	}
	last = Add(Mul(decay, x.state), DotGeneral(a, []int{1}, []int{0}, b, []int{1}, []int{0}))
	return out, last
}

// across is what tokens read of tokens before their block's middle: head [batch, blocks, half, width] decays from
// the middle to the reader r, tail from what was written, a·bᵀ, to the middle. Without a and b they read x.state, where head
// is [batch, seq, width].
func (x pass) across(head, tail, a, b, r *Node) *Node {
	if x.cols {
		r = Mul(r, head)
	}
	var seen *Node
	switch {
	case a == nil:
		seen = DotGeneral(r, []int{2}, []int{0}, x.state, []int{2}, []int{0}) // [batch, seq, rows]
	case x.cols:
		seen = twice(r, Mul(b, tail), a)
	default:
		seen = twice(r, b, Mul(a, tail))
	}
	if !x.cols {
		seen = Mul(seen, head)
	}
	return seen
}

// twice is (r·bᵀ)·a for r, b [batch, blocks, half, cols] and a, the result [batch, blocks, half, rows].
func twice(r, b, a *Node) *Node {
	if half := a.Shape().Dim(2); half == 1 {
		return Mul(dotRows(r, b), a)
	}
	scores := DotGeneral(r, []int{3}, []int{0, 1}, b, []int{3}, []int{0, 1}) // [batch, blocks, half, half]
	return DotGeneral(scores, []int{3}, []int{0, 1}, a, []int{2}, []int{0, 1})
}

// dotRows is the inner product over the last axis, which stays with length 1. It is a product with ones, as loops on XLA
// take no sums.
func dotRows(x, y *Node) *Node {
	z := Mul(x, y)
	width := z.Shape().Dim(-1)
	ones := filled(z.Graph(), shapes.Make(z.DType(), width, 1), 1)
	return DotGeneral(z, []int{z.Rank() - 1}, nil, ones, []int{0}, nil)
}

// halves cuts x [batch, seq, width] into blocks of 2·half tokens and gives the first and the second half of each,
// [batch, blocks, half, width].
func halves(x *Node, half int) (first, second *Node) {
	d := x.Shape().Dimensions
	y := Reshape(x, d[0], d[1]/(2*half), 2, half, d[2])
	take := func(i int) *Node {
		return Reshape(Slice(y, AxisRange(), AxisRange(), AxisRange(i, i+1)), d[0], d[1]/(2*half), half, d[2])
	}
	return take(0), take(1)
}

// joined undoes halves.
func joined(first, second *Node) *Node {
	d := first.Shape().Dimensions
	y := Concatenate([]*Node{first, second}, 2)
	return Reshape(y, d[0], d[1]*2*d[2], d[3])
}

// end is the last along the axis of tokens, which is the last but one.
func end(x *Node) *Node {
	spec := make([]SliceAxisSpec, x.Rank())
	for i := range spec {
		spec[i] = AxisRange()
	}
	n := x.Shape().Dim(-2)
	spec[x.Rank()-2] = AxisRange(n-1, n)
	return Slice(x, spec...)
}
