package pdr

import . "github.com/gomlx/gomlx/core/graph"

// step does the pass token by token (seed §2.1).
func (x pass) step() (out, last *Node) {
	if x.seq() == 0 {
		return x.a, x.state
	}
	return loop(x, x.seq(), 1, pass.token)
}

// token does the pass of a single token.
func (x pass) token() (out, last *Node) {
	gate := x.gate // [batch, 1, cols]
	if !x.cols {
		gate = TransposeAllAxes(gate, 0, 2, 1)
	}
	last = Add(Mul(gate, x.state), DotGeneral(x.a, []int{1}, []int{0}, x.b, []int{1}, []int{0}))
	return DotGeneral(x.r, []int{2}, []int{0}, last, []int{2}, []int{0}), last // [batch, 1, rows]
}
