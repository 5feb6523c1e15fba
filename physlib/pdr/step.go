package pdr

import (
	"math"
	"slices"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// token computes the pass of a single token (PDR §2.1). For these shapes XLA makes one loop over
// the state for the outer product, and one more for each product with the state.
func (x pass) token() reads {
	turned := func(y *Node) *Node { return TransposeAllAxes(y, 0, 2, 1) }
	state := Add(Mul(turned(x.gate), x.state), Mul(turned(x.a), x.b))
	return reads{x.read(
		func() *Node { return turned(DotGeneral(state, []int{2}, []int{0}, x.r, []int{2}, []int{0})) },
		func() *Node { return DotGeneral(x.l, []int{2}, []int{0}, state, []int{1}, []int{0}) }), state}
}

// flat returns y [1, seq, width] without the axis of the batch.
func flat(y *Node) *Node { return Reshape(y, y.Shape().Dim(1), y.Shape().Dim(2)) }

// row returns row i of y [seq, width], with shape [1, width].
func row(y, i *Node) *Node {
	return DynamicSlice(y, []*Node{i, Const(y.Graph(), int32(0))}, []int{1, y.Shape().Dim(1)})
}

// column returns x as a column. XLA for CPUs then computes the product with a matrix in fast tiles.
// Without this, it would fuse the product with the operation that cuts the vector from a series,
// and compute it in scalar steps.
func column(x *Node) *Node { return Reshape(x, x.Shape().Size(), 1) }

// times returns s·x as a row, for s [rows, cols] and x of cols elements.
func times(s, x *Node) *Node {
	return Reshape(DotGeneral(s, []int{1}, nil, column(x), []int{0}, nil), 1, s.Shape().Dim(0))
}

// turnedTimes returns sᵀ·x as a row, for s [rows, cols] and x with rows elements.
func turnedTimes(s, x *Node) *Node {
	return Reshape(DotGeneral(s, []int{0}, nil, column(x), []int{0}, nil), 1, s.Shape().Dim(1))
}

// put returns y with row i replaced.
func put(y, row, i *Node) *Node {
	return DynamicUpdateSlice(y, row, []*Node{i, Const(y.Graph(), int32(0))})
}

// perTurn is the number of tokens that the compiled loop of turns processes in one iteration. With
// fewer tokens, the state is written more often. With more tokens, XLA splits the longer sum among
// threads, which is slower.
const perTurn = 3

// inTurns reports whether turns can compute the pass: it needs a batch of one and loops.
func (x pass) inTurns() bool { return x.state.Shape().Dim(0) == 1 && canLoop(x.a.Graph().Backend()) }

// turns computes a pass that is read from one side, n = perTurn tokens per iteration. The state,
// which is most of a CPU's memory traffic, is then written once for n tokens. With the decayed
// a_{s,t} = γ_t···γ_{s+1}·a_s and g_t = γ_t···γ_1,
//
//	S_n = g_n·S_0 + Σ_s a_{s,n}·b_sᵀ,
//	right_t = g_t·(S_0·r_t) + Σ_{s≤t} a_{s,t}·(b_s·r_t),
//	left_t = S_0ᵀ·(g_t·l_t) + Σ_{s≤t} b_s·(a_{s,t}·l_t).
//
// The a_{s,n} are computed at the end of the previous iteration. In their own iteration XLA would
// recompute them for each column.
func (x pass) turns() reads {
	const n = perTurn
	g, seq, rows, cols := x.a.Graph(), x.seq(), x.a.Shape().Dim(2), x.b.Shape().Dim(2)
	like := x.read(func() *Node { return x.a }, func() *Node { return x.b })[0]
	out, state := zeros(g, x.a.DType(), seq, like.Shape().Dim(2)), x.state
	// The first tokens, from 1 to n of them, are computed one by one. The number of the remaining
	// tokens is then a multiple of n, and no gates after the end are needed.
	first := (seq-1)%n + 1
	for i := range first {
		t := i
		if x.back {
			t = seq - 1 - i
		}
		y := x.part(t, t+1)
		if x.back && i > 0 {
			y.gate = x.part(t+1, t+2).gate
		} else if x.back {
			y.gate = filled(g, y.gate.Shape(), 1)
		}
		y.state = state
		o := y.token()
		out, state = put(out, flat(o.out[0]), Const(g, int32(t))), o.state
	}
	state = Reshape(state, rows, cols)
	if first < seq {
		out, state = x.whole(first, out, state)
	}
	return reads{[]*Node{ExpandAxes(out, 0)}, ExpandAxes(state, 0)}
}

// whole computes the iterations of turns from token first on. It returns out with the outputs of
// these tokens set, and the last state.
func (x pass) whole(first int, out, state *Node) (*Node, *Node) {
	const n = perTurn
	g, seq, rows := x.a.Graph(), x.seq(), x.a.Shape().Dim(2)
	count, from := (seq-first)/n, first
	if x.back {
		from = 0
	}
	constants := x.read(func() *Node { // b_s·r_t at [iteration, t, s]
		turn := func(y *Node) *Node {
			return Reshape(Slice(y, AxisRange(), AxisRange(from, from+count*n)), count, n, y.Shape().Dim(2))
		}
		return Reshape(DotGeneral(turn(x.r), []int{2}, []int{0}, turn(x.b), []int{2}, []int{0}), count, n*n)
	}, func() *Node { // ones, for sums over a_{s,t}·l_t
		return filled(g, shapes.Make(x.a.DType(), 1, rows), 1)
	})
	for _, y := range x.series() {
		constants = append(constants, flat(y))
	}
	at := Const(g, int32(first))
	carried := append([]*Node{at, state, out}, x.with(constants[1:], nil).ahead(at)...)
	made := len(carried) // number of values that each iteration computes; inputs follow them
	end := while(seq, append(carried, constants...), func(p []*Node) []*Node {
		at, before, out, forget, decayed, overlaps, series := p[0], p[1], p[2], p[3], p[4:made], p[made], p[made+1:]
		one := func(i int) *Node { return Const(at.Graph(), int32(i)) }
		x := x.with(series, before)
		turn := Div(Sub(at, one(first)), one(n))
		if x.back {
			turn = Sub(one(count-1), turn)
		}
		var f faded
		var seen []*Node // results of reading the state before this iteration
		for i := range n {
			t := Add(at, one(i))
			f.next(x.at(x.gate, t, 1), x.at(x.a, t, 0))
			y, from := x.inTurn(i, at, t, turn, before, overlaps, f)
			out, seen = put(out, y, x.place(t)), append(seen, from)
		}
		state := Mul(column(forget), before)
		for i, a := range decayed {
			state = Add(state, Mul(column(a), x.at(x.b, after(Add(at, one(i)), seen...), 0)))
		}
		next := Add(at, one(n))
		return slices.Concat([]*Node{next, state, out}, x.ahead(after(next, state)), p[made:])
	})
	return end[2], end[1]
}

// inTurn returns the output y at token t, which is the i-th token of the iteration that begins at
// token at. seen is the contribution of the state before the iteration. overlaps are the products
// b_s·r_t of all iterations, or ones to read from the left.
func (x pass) inTurn(i int, at, t, turn, before, overlaps *Node, f faded) (y, seen *Node) {
	const n = perTurn
	y = x.read(func() *Node {
		seen = times(before, x.at(x.r, t, 0))
		overlaps, y := row(overlaps, turn), Mul(f.product, seen)
		for s, a := range f.a {
			k := n*i + s
			if x.back {
				k = n*n - 1 - k
			}
			y = Add(y, Mul(Slice(overlaps, AxisRange(), AxisElem(k)), a))
		}
		return y
	}, func() *Node {
		seen = turnedTimes(before, Mul(f.product, x.at(x.l, t, 0)))
		var products []*Node
		for _, a := range f.a {
			products = append(products, Mul(a, x.at(x.l, t, 0)))
		}
		overlaps, y := times(Concatenate(products, 0), overlaps), seen
		for s := range f.a {
			s32 := Const(at.Graph(), int32(s))
			y = Add(y, Mul(Slice(overlaps, AxisRange(), AxisElem(s)), x.at(x.b, Add(at, s32), 0)))
		}
		return y
	})[0]
	return y, seen
}

// ahead returns the values needed by the iteration that begins at token at: γ_n···γ_1 and each
// a_{s,n}. The series have no batch axis.
func (x pass) ahead(at *Node) []*Node {
	var f faded
	for i := range perTurn {
		// Indices beyond the end give copies of the last row, which are not used.
		t := Add(at, Const(at.Graph(), int32(i)))
		f.next(x.at(x.gate, t, 1), x.at(x.a, t, 0))
	}
	return append([]*Node{f.product}, f.a...)
}

// after returns i as a value that depends on ys. XLA's CPU backend copies an array of the previous
// iteration before it changes the array, unless it sees that the old values are not read later. If
// i depends on ys, XLA sees this. SchedulingBarrier of go-xla v0.4.11 has no such effect: it
// multiplies by zero, and XLA simplifies this product away.
func after(i *Node, ys ...*Node) *Node {
	for _, y := range ys {
		first := Reshape(Slice(y, AxisElem(0), AxisElem(0)))
		never := LessThan(first, ConvertDType(Const(y.Graph(), math.Inf(-1)), y.DType()))
		i = Add(i, ConvertDType(never, i.DType()))
	}
	return i
}

// place returns the index of the i-th token in the order of the pass.
func (x pass) place(i *Node) *Node {
	if x.back {
		return Sub(Const(i.Graph(), int32(x.gate.Shape().Dim(0)-1)), i)
	}
	return i
}

// at returns the row of y at the i-th token in the order of the pass. In a backward pass the index
// of the row is larger by the argument after: the row belongs to a token that is so many tokens
// later in the series.
func (x pass) at(y, i *Node, after int) *Node {
	if x.back {
		i = Sub(i, Const(i.Graph(), int32(after)))
	}
	return row(y, x.place(i))
}

// faded holds the decayed tokens of an iteration, as seen from one of its tokens: the product of
// the gates up to this token, and each a times the gates after it.
type faded struct {
	product *Node
	a       []*Node
}

// next moves to the next token.
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
