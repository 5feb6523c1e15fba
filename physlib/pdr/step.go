package pdr

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// step does the pass token by token (seed §2.1).
func (x pass) step() (out, last *Node) {
	switch alone := x.state.Shape().Dim(0) == 1 && canLoop(x.a.Graph().Backend()); {
	case x.seq() == 0:
		return x.a, x.state
	case alone && x.seq() > 2 && !x.cols:
		return x.pairs()
	case alone && x.seq() > 1:
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

// flat is y [1, seq, width] without the axis of the batch.
func flat(y *Node) *Node { return Reshape(y, y.Shape().Dim(1), y.Shape().Dim(2)) }

// row is that of y [seq, width] at i, [1, width].
func row(y, i *Node) *Node {
	return DynamicSlice(y, []*Node{i, Const(y.Graph(), int32(0))}, []int{1, y.Shape().Dim(1)})
}

// column is x as a column, of which XLA for CPUs takes the product with a matrix in fast tiles: a vector that is cut out of a
// series it fuses with the product, which makes plain scalar steps of it.
func column(x *Node) *Node { return Reshape(x, x.Shape().Size(), 1) }

// matVec is s·r [1, rows], for s [rows, cols] and r [1, cols].
func matVec(s, r *Node) *Node {
	return Reshape(DotGeneral(s, []int{1}, nil, column(r), []int{0}, nil), 1, s.Shape().Dim(0))
}

// put is y with the row at i replaced.
func put(y, row, i *Node) *Node {
	return DynamicUpdateSlice(y, row, []*Node{i, Const(y.Graph(), int32(0))})
}

// single is step for a batch of one, as a loop whose arrays have no axis for the batch.
func (x pass) single() (out, last *Node) {
	g, seq, rows, cols := x.a.Graph(), x.seq(), x.a.Shape().Dim(2), x.b.Shape().Dim(2)
	end := while(seq, []*Node{Const(g, int32(0)), Reshape(x.state, rows, cols), zeros(g, x.a.DType(), seq, rows),
		flat(x.gate), flat(x.a), flat(x.b), flat(x.r)}, func(p []*Node) []*Node {
		at, gate := p[0], row(p[3], p[0]) // [1, cols]
		if !x.cols {
			gate = column(gate)
		}
		state := Add(Mul(gate, p[1]), Mul(column(row(p[4], at)), row(p[5], at)))
		outs := put(p[2], matVec(state, row(p[6], at)), at)
		return append([]*Node{Add(at, Const(at.Graph(), int32(1))), state, outs}, p[3:]...)
	})
	return Reshape(end[2], 1, seq, rows), Reshape(end[1], 1, rows, cols)
}

// pairs is single for gates on the rows, two tokens a turn, so that the state, which is most of what a CPU has to move, is written
// once for both,
//
//	S_2 = γ_2·(γ_1·S_0 + a_1·b_1ᵀ) + a_2·b_2ᵀ,
//
// and read before:
//
//	out_1 = γ_1·(S_0·r_1) + a_1·(b_1·r_1),   out_2 = γ_2·(γ_1·(S_0·r_2) + a_1·(b_1·r_2)) + a_2·(b_2·r_2).
//
// The products with S_0 are done at the end of the turn before: in their own turn XLA would have to copy S_0 for them. More than two
// are no gain: XLA takes their larger sums for work to divide among threads.
func (x pass) pairs() (out, last *Node) {
	g, seq, rows, cols := x.a.Graph(), x.seq(), x.a.Shape().Dim(2), x.b.Shape().Dim(2)
	state, outs, odd := x.state, zeros(g, x.a.DType(), seq, rows), seq%2
	if odd == 1 {
		out, state = x.part(0, 1).token()
		outs = put(outs, flat(out), Const(g, int32(0)))
	}
	state = Reshape(state, rows, cols)
	couple := func(y *Node) *Node { return Reshape(Slice(y, AxisRange(), AxisRange(odd)), seq/2, 2, cols) }
	told := DotGeneral(couple(x.r), []int{2}, []int{0}, couple(x.b), []int{2}, []int{0}) // r_t·b_s at [pair, t, s]
	seen := func(t int) *Node { return matVec(state, Slice(flat(x.r), AxisRange(odd+t, odd+t+1))) }
	end := while(seq, []*Node{Const(g, int32(odd)), state, outs, seen(0), seen(1), Reshape(told, seq/2, 4),
		flat(x.gate), flat(x.a), flat(x.b), flat(x.r)}, func(p []*Node) []*Node {
		count := func(n int) *Node { return Const(p[0].Graph(), int32(n)) }
		at := [4]*Node{p[0], Add(p[0], count(1)), Add(p[0], count(2)), Add(p[0], count(3))}
		told := row(p[5], Div(p[0], count(2))) // [1, 4]
		say := func(t, s int) *Node { return Slice(told, AxisRange(), AxisElem(2*t+s)) }
		g1, a1, b1 := row(p[6], at[0]), row(p[7], at[0]), row(p[8], at[0])
		g2, a2, b2 := row(p[6], at[1]), row(p[7], at[1]), row(p[8], at[1])
		outs := put(p[2], Add(Mul(g1, p[3]), Mul(say(0, 0), a1)), at[0])
		outs = put(outs, Add(Mul(g2, Add(Mul(g1, p[4]), Mul(say(1, 0), a1))), Mul(say(1, 1), a2)), at[1])
		state := Add(Mul(column(g1), p[1]), Mul(column(a1), b1))
		state = Add(Mul(column(g2), state), Mul(column(a2), b2))
		// past the end a row is the last one, and nobody asks
		return append([]*Node{at[2], state, outs, matVec(state, row(p[9], at[2])), matVec(state, row(p[9], at[3]))}, p[5:]...)
	})
	return Reshape(end[2], 1, seq, rows), Reshape(end[1], 1, rows, cols)
}
