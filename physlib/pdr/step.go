package pdr

import (
	"slices"

	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
)

// token does the pass of a single token (seed §2.1). Its shapes are those of which XLA makes one loop over the state for the outer
// product, and one for each product with it.
func (x pass) token() reads {
	turned := func(y *Node) *Node { return TransposeAllAxes(y, 0, 2, 1) }
	state := Add(Mul(turned(x.gate), x.state), Mul(turned(x.a), x.b))
	return reads{x.read(
		func() *Node { return turned(DotGeneral(state, []int{2}, []int{0}, x.r, []int{2}, []int{0})) },
		func() *Node { return DotGeneral(x.l, []int{2}, []int{0}, state, []int{1}, []int{0}) }), state}
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

// times is s·x as a row, for s [rows, cols] and x of cols elements.
func times(s, x *Node) *Node {
	return Reshape(DotGeneral(s, []int{1}, nil, column(x), []int{0}, nil), 1, s.Shape().Dim(0))
}

// turnedTimes is sᵀ·x as a row, for s [rows, cols] and x of rows elements.
func turnedTimes(s, x *Node) *Node {
	return Reshape(DotGeneral(s, []int{0}, nil, column(x), []int{0}, nil), 1, s.Shape().Dim(1))
}

// put is y with the row at i replaced.
func put(y, row, i *Node) *Node {
	return DynamicUpdateSlice(y, row, []*Node{i, Const(y.Graph(), int32(0))})
}

// perTurn is how many tokens turns takes at once. One less moves the state more often; one more, and XLA takes the longer sum for work to
// divide among threads.
const perTurn = 3

// inTurns tells whether turns can do the pass: it knows no batch.
func (x pass) inTurns() bool { return x.state.Shape().Dim(0) == 1 && canLoop(x.a.Graph().Backend()) }

// turns does the pass n = perTurn tokens a turn, so that the state, which is most of what a CPU has to move, is written once for
// all: with a_{s,t} the decayed γ_t···γ_{s+1}·a_s and g_t = γ_t···γ_1,
//
//	S_n = g_n·S_0 + Σ_s a_{s,n}·b_sᵀ,   right_t = g_t·(S_0·r_t) + Σ_{s≤t} a_{s,t}·(b_s·r_t),   left_t = S_0ᵀ·(g_t·l_t) + Σ_{s≤t} b_s·(a_{s,t}·l_t).
//
// The products with S_0, and a_{s,n}, are done at the end of the turn before: in their own turn XLA would copy S_0 for the ones, and
// take the others anew for each column.
func (x pass) turns() reads {
	const n = perTurn
	g, seq, rows, cols := x.a.Graph(), x.seq(), x.a.Shape().Dim(2), x.b.Shape().Dim(2)
	token := func(i int) int { // the i-th in the order of the pass
		if x.back {
			return seq - 1 - i
		}
		return i
	}
	// The first tokens stand alone, one to n of them: so the turns are whole, and no gate after the end is asked for.
	out, first := []*Node{}, (seq-1)%n+1
	for _, like := range x.read(func() *Node { return x.a }, func() *Node { return x.b }) {
		out = append(out, zeros(g, x.a.DType(), seq, like.Shape().Dim(2)))
	}
	state := x.state
	for i := range first {
		t := token(i)
		y := x.part(t, t+1)
		if y.state = state; x.back && i > 0 {
			y.gate = x.part(t+1, t+2).gate
		} else if x.back {
			y.gate = filled(g, y.gate.Shape(), 1)
		}
		o := y.token()
		state = o.state
		for k := range out {
			out[k] = put(out[k], flat(o.out[k]), Const(g, int32(t)))
		}
	}
	state = Reshape(state, rows, cols)
	if first < seq {
		out, state = x.whole(first, out, state)
	}
	for k, y := range out {
		out[k] = ExpandAxes(y, 0)
	}
	return reads{out, ExpandAxes(state, 0)}
}

// whole does the turns of turns, from the first-th token on: what is read, written into out, and the last state.
func (x pass) whole(first int, out []*Node, state *Node) ([]*Node, *Node) {
	const n = perTurn
	g, seq, rows := x.a.Graph(), x.seq(), x.a.Shape().Dim(2)
	count, from := (seq-first)/n, first
	if x.back {
		from = 0
	}
	constants := []*Node{filled(g, shapes.Make(x.a.DType(), 1, rows), 1)}
	if x.r != nil { // b_s·r_t at [turn, t, s]
		turn := func(y *Node) *Node {
			return Reshape(Slice(y, AxisRange(), AxisRange(from, from+count*n)), count, n, y.Shape().Dim(2))
		}
		told := DotGeneral(turn(x.r), []int{2}, []int{0}, turn(x.b), []int{2}, []int{0})
		constants = append(constants, Reshape(told, count, n*n))
	}
	series := len(constants)
	for _, y := range x.series() {
		constants = append(constants, flat(y))
	}
	at := Const(g, int32(first))
	carried := append([]*Node{at, state}, out...)
	carried = append(carried, x.with(constants[series:], state).ahead(at)...)
	made := len(carried) // where what is made anew in each turn ends
	end := while(seq, append(carried, constants...), func(p []*Node) []*Node {
		at, state, out, ahead, constants := p[0], p[1], slices.Clone(p[2:2+len(out)]), p[2+len(out):made], p[made:]
		x, one := x.with(constants[series:], nil), func(i int) *Node { return Const(at.Graph(), int32(i)) }
		forget, ahead := ahead[0], ahead[1:]
		decayed, seen := ahead[:n], ahead[n:]
		turn := Div(Sub(at, one(first)), one(n))
		if x.back {
			turn = Sub(one(count-1), turn)
		}
		state = Mul(column(forget), state)
		var f faded
		for i := range n {
			t := Add(at, one(i))
			f.next(x.at(x.gate, t, 1), x.at(x.a, t, 0))
			outs := x.read(func() *Node {
				told, y := row(constants[1], turn), Mul(f.product, seen[i])
				for s, a := range f.a {
					k := n*i + s
					if x.back {
						k = n*n - 1 - k
					}
					y = Add(y, Mul(Slice(told, AxisRange(), AxisElem(k)), a))
				}
				return y
			}, func() *Node {
				var products []*Node
				for _, a := range f.a {
					products = append(products, Mul(a, x.at(x.l, t, 0)))
				}
				told, y := times(Concatenate(products, 0), constants[0]), seen[len(seen)-n+i]
				for s := range f.a {
					y = Add(y, Mul(Slice(told, AxisRange(), AxisElem(s)), x.at(x.b, Add(at, one(s)), 0)))
				}
				return y
			})
			for k, y := range outs {
				out[k] = put(out[k], y, x.place(t))
			}
			state = Add(state, Mul(column(decayed[i]), x.at(x.b, t, 0)))
		}
		x.state = state
		next := Add(at, one(n))
		made := append(append([]*Node{next, state}, out...), x.ahead(next)...)
		return append(made, constants...)
	})
	return end[2 : 2+len(out)], end[1]
}

// ahead is what the turn at a token needs of the state before it, of series without an axis for the batch: γ_n···γ_1, each a_{s,n}, each
// S_0·r_t, and each S_0ᵀ·(g_t·l_t).
func (x pass) ahead(at *Node) []*Node {
	var f faded
	var right, left []*Node
	for i := range perTurn {
		t := Add(at, Const(at.Graph(), int32(i))) // past the end a row is the last one, and nobody asks
		f.next(x.at(x.gate, t, 1), x.at(x.a, t, 0))
		if x.r != nil {
			right = append(right, times(x.state, x.at(x.r, t, 0)))
		}
		if x.l != nil {
			left = append(left, turnedTimes(x.state, Mul(f.product, x.at(x.l, t, 0))))
		}
	}
	return slices.Concat([]*Node{f.product}, f.a, right, left)
}

// place is that of what is the i-th in the order of the pass.
func (x pass) place(i *Node) *Node {
	if x.back {
		return Sub(Const(i.Graph(), int32(x.gate.Shape().Dim(0)-1)), i)
	}
	return i
}

// at is the row of y at the i-th token in the order of the pass, or, back in time, at that many tokens after it.
func (x pass) at(y, i *Node, after int) *Node {
	if x.back {
		i = Sub(i, Const(i.Graph(), int32(after)))
	}
	return row(y, x.place(i))
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
