package pdr

import . "github.com/gomlx/gomlx/core/graph"

// step does the pass token by token (seed §2.1).
func (x pass) step() (out, last *Node) {
	if x.seq() == 0 {
		return x.a, x.state
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
