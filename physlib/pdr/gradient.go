package pdr

import (
	. "github.com/gomlx/gomlx/core/graph"
)

// withGradient is ys, [batch, …, …] each and computed from xs in any way, with the gradients that back says: back takes those of
// ys and returns those of xs.
//
// GoMLX lets an identity of one array have a gradient of one's own. So ys are laid into one array y, and each x into an
// array of y's shape, of which y + (x - x) is taken, once with the gradient and once without: exactly y.
func withGradient(ys, xs []*Node, back func(dys []*Node) []*Node) []*Node {
	seq, width := 0, 0
	for _, y := range ys {
		seq += y.Shape().Dim(1)
		width = max(width, y.Shape().Dim(2))
	}
	for _, x := range xs {
		seq, width = max(seq, x.Shape().Dim(1)), max(width, x.Shape().Dim(2))
	}
	lay := func(x *Node) *Node {
		return Pad(x, ScalarZero(x.Graph(), x.DType()), PadAxis{}, PadAxis{End: seq - x.Shape().Dim(1)}, PadAxis{End: width - x.Shape().Dim(2)})
	}
	split := func(y *Node) (parts []*Node) {
		at := 0
		for _, like := range ys {
			d := like.Shape().Dimensions
			parts = append(parts, Slice(y, AxisRange(), AxisRange(at, at+d[1]), AxisRange(0, d[2])))
			at += d[1]
		}
		return parts
	}
	var rows []*Node
	for _, y := range ys {
		rows = append(rows, Pad(y, ScalarZero(y.Graph(), y.DType()), PadAxis{}, PadAxis{}, PadAxis{End: width - y.Shape().Dim(2)}))
	}
	y := Concatenate(rows, 1)
	if fill := seq - y.Shape().Dim(1); fill > 0 {
		y = padSeq(y, fill, 0)
	}
	y = StopGradient(y)
	memo := map[*Node][]*Node{}
	for i, x := range xs {
		x = lay(x)
		id := IdentityWithCustomGradient(x, func(_, dy *Node) *Node {
			if memo[dy] == nil {
				memo[dy] = back(split(dy))
			}
			return lay(memo[dy][i])
		})
		y = Add(y, Sub(id, StopGradient(x)))
	}
	return split(y)
}
