package pdr

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// withGradient returns ys, computed from xs in any way, with the gradients that back says: back
// takes those of ys and returns those of xs. All have three axes, of which none is empty.
//
// GoMLX lets an identity of one array have a gradient of one's own. So each x passes through a
// function whose gradient is the result of back. Each y passes through one that notes its gradient,
// dy, which comes first in the backward pass. What ties them together is a number that is zero: an
// element of each x less itself, added to ys.
func withGradient(ys, xs []*Node, back func(dys []*Node) []*Node) []*Node {
	var dys, dxs []*Node // of the gradient that is being built
	gradients := func() []*Node {
		if dxs == nil {
			for i, dy := range dys {
				if dy == nil { // nobody asked for this y
					dys[i] = ZerosLike(ys[i])
				}
			}
			dxs = back(dys)
		}
		return dxs
	}
	zero := ScalarZero(ys[0].Graph(), ys[0].DType())
	tie := zero
	for i, x := range xs {
		x = IdentityWithCustomGradient(x, func(_, _ *Node) *Node { return gradients()[i] })
		element := Reshape(Slice(x, AxisElem(0), AxisElem(0), AxisElem(0)))
		less := Sub(element, StopGradient(element))
		tie = Add(tie, Where(Equal(less, less), less, zero)) // infinities differ from themselves
	}
	dys = make([]*Node, len(ys))
	out := make([]*Node, len(ys))
	for i, y := range ys {
		out[i] = IdentityWithCustomGradient(Add(StopGradient(y), tie), func(_, dy *Node) *Node {
			if dxs != nil { // another gradient through the same nodes
				dys, dxs = make([]*Node, len(ys)), nil
			}
			dys[i] = dy
			return dy
		})
	}
	return out
}
