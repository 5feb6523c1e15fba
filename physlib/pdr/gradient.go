package pdr

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// withGradient returns ys, which may be computed from xs in any way, with gradients defined by
// back. back maps the gradients of ys to those of xs. All arrays have three axes, none of length 0.
//
// GoMLX supports custom gradients only for the identity of one array. So each x passes through an
// identity whose gradient is the result of back. Each y passes through an identity that records its
// gradient dy, which comes earlier in the backward pass. An element of each x minus itself, which
// is always zero, is added to ys. So ys and xs are connected in the graph.
func withGradient(ys, xs []*Node, back func(dys []*Node) []*Node) []*Node {
	var dys, dxs []*Node // gradients of the backward pass that is being built
	gradients := func() []*Node {
		if dxs == nil {
			for i, dy := range dys {
				if dy == nil { // the loss does not depend on this y
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
		tie = Add(tie, Where(Equal(less, less), less, zero)) // inf - inf is NaN
	}
	dys = make([]*Node, len(ys))
	out := make([]*Node, len(ys))
	for i, y := range ys {
		out[i] = IdentityWithCustomGradient(Add(StopGradient(y), tie), func(_, dy *Node) *Node {
			if dxs != nil { // a second backward pass through the same nodes begins
				dys, dxs = make([]*Node, len(ys)), nil
			}
			dys[i] = dy
			return dy
		})
	}
	return out
}
