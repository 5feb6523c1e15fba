package pdr

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// step does the pass token by token (seed §2.1).
func (x pass) step() (out, last *Node) {
	switch alone := x.state.Shape().Dim(0) == 1 && canLoop(x.a.Graph().Backend()); {
	case x.seq() == 0:
		return x.a, x.state
	case alone && x.seq() > perTurn && !x.cols:
		return x.turns()
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

// perTurn is how many tokens turns takes at once. One less moves the state more often; one more, and XLA takes the longer sum for work to
// divide among threads.
const perTurn = 3

// turns is single for gates on the rows, n = perTurn tokens a turn, so that the state, which is most of what a CPU has to move, is
// written once for all: with w_s the decayed γ_n···γ_{s+1}·a_s,
//
//	S_n = (γ_n···γ_1)·S_0 + Σ_s w_s·b_sᵀ,   out_t = (γ_t···γ_1)·(S_0·r_t) + Σ_{s≤t} (γ_t···γ_{s+1}·a_s)·(b_s·r_t).
//
// The products with S_0, and w, are done at the end of the turn before: in their own turn XLA would copy S_0 for the ones, and take the
// others anew for each column.
func (x pass) turns() (out, last *Node) {
	const n = perTurn
	g, seq, rows, cols := x.a.Graph(), x.seq(), x.a.Shape().Dim(2), x.b.Shape().Dim(2)
	first, outs := seq%n, zeros(g, x.a.DType(), seq, rows)
	for i := range first {
		out, x.state = x.part(i, i+1).token()
		outs = put(outs, flat(out), Const(g, int32(i)))
	}
	block := func(y *Node) *Node { return Reshape(Slice(y, AxisRange(), AxisRange(first)), seq/n, n, cols) }
	told := DotGeneral(block(x.r), []int{2}, []int{0}, block(x.b), []int{2}, []int{0}) // b_s·r_t at [turn, t, s]
	// ahead is what the turn at a token needs of the state before it: S_0·r_t for each t, γ_n···γ_1, and each w_s
	ahead := func(at, state, gate, a, r *Node) (all []*Node) {
		var f faded
		for i := range n {
			t := Add(at, Const(at.Graph(), int32(i))) // past the end a row is the last one, and nobody asks
			all = append(all, matVec(state, row(r, t)))
			f.next(row(gate, t), row(a, t))
		}
		return append(append(all, f.product), f.a...)
	}
	state, at := Reshape(x.state, rows, cols), Const(g, int32(first))
	const made = 3 + 2*n + 1 // where what is made anew in each turn ends
	carried := append([]*Node{at, state, outs}, ahead(at, state, flat(x.gate), flat(x.a), flat(x.r))...)
	end := while(seq, append(carried, Reshape(told, seq/n, n*n), flat(x.gate), flat(x.a), flat(x.b), flat(x.r)), func(p []*Node) []*Node {
		at, state, outs, seen, forget, w := p[0], p[1], p[2], p[3:3+n], p[3+n], p[4+n:made]
		told, gate, a, b, r := p[made], p[made+1], p[made+2], p[made+3], p[made+4]
		told = row(told, Div(at, Const(at.Graph(), int32(n))))
		var f faded
		state = Mul(column(forget), state)
		for i := range n {
			t := Add(at, Const(at.Graph(), int32(i)))
			f.next(row(gate, t), row(a, t))
			out := Mul(f.product, seen[i])
			for s, a := range f.a {
				out = Add(out, Mul(Slice(told, AxisRange(), AxisElem(n*i+s)), a))
			}
			outs = put(outs, out, t)
			state = Add(state, Mul(column(w[i]), row(b, t)))
		}
		next := Add(at, Const(at.Graph(), int32(n)))
		return append(append([]*Node{next, state, outs}, ahead(next, state, gate, a, r)...), p[made:]...)
	})
	return Reshape(end[2], 1, seq, rows), Reshape(end[1], 1, rows, cols)
}

// faded is what is left of the tokens of a turn at one of them: the product of the gates up to it, and each a by those behind it.
type faded struct {
	product *Node
	a       []*Node
}

func (f *faded) next(gate, a *Node) {
	for s := range f.a {
		f.a[s] = Mul(gate, f.a[s])
	}
	f.a = append(f.a, a)
	if f.product != nil {
		gate = Mul(gate, f.product)
	}
	f.product = gate
}
