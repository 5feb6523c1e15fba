package pdr

import . "github.com/gomlx/gomlx/core/graph"

// Compose is the operator ⊕ of the scan (PDR §2.2). It combines the effects of two neighbouring
// pieces of a series,
//
//	(A₂, B₂) ⊕ (A₁, B₁) = (A₂·A₁, A₂·B₁ + B₂),
//
// where a piece maps the state S to A·S + B. A is diagonal, given as a factor that broadcasts over
// B. ⊕ is associative, which allows a scan of logarithmic depth.
func Compose(a2, b2, a1, b1 *Node) (a, b *Node) {
	return Mul(a2, a1), Add(Mul(a2, b1), b2)
}

// scan computes the pass with all states at once, in ⌈log₂ seq⌉ doublings (W. D. Hillis and G. L.
// Steele, Data Parallel Algorithms, 1986).
func (x pass) scan() reads {
	seq := x.seq()
	a := ExpandAxes(x.gate, -1)                        // [batch, seq, rows, 1]
	b := Mul(ExpandAxes(x.a, -1), ExpandAxes(x.b, -2)) // [batch, seq, rows, cols]
	for shift := 1; shift < seq; shift *= 2 {
		from := func(y *Node, i, j int) *Node { return Slice(y, AxisRange(), AxisRange(i, j)) }
		a2, b2 := Compose(from(a, shift, seq), from(b, shift, seq), from(a, 0, seq-shift), from(b, 0, seq-shift))
		a = Concatenate([]*Node{from(a, 0, shift), a2}, 1)
		b = Concatenate([]*Node{from(b, 0, shift), b2}, 1)
	}
	states := Add(Mul(a, ExpandAxes(x.state, 1)), b)
	out := x.read(
		func() *Node { return DotGeneral(states, []int{3}, []int{0, 1}, x.r, []int{2}, []int{0, 1}) },
		func() *Node { return DotGeneral(states, []int{2}, []int{0, 1}, x.l, []int{2}, []int{0, 1}) })
	last := Slice(states, AxisRange(), AxisElem(seq-1))
	return reads{out, Reshape(last, x.state.Shape().Dimensions...)}
}
