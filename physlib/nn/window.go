package nn

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// inBlocks reports whether windowed self-attention can be computed in blocks, and takes less time
// that way. The sequence must be longer than three windows, and mask must be the same for all
// positions.
func (a Attention) inBlocks(self bool, seq int, mask *Node) bool {
	onlyPresence := mask == nil || mask.Shape().Dim(1) == 1 && mask.Shape().Dim(2) == 1
	return self && a.Window > 0 && seq > 3*a.Window && a.Bias == nil && onlyPresence
}

// attendInBlocks is attend for a sliding window, with work and memory of seq·Window instead of
// seq². The sequence is divided into blocks of Window positions. Each block attends to itself and
// its neighbours (I. Beltagy et al., Longformer, 2020, §3.1). q, k, v and the result are [batch,
// seq, heads, headDim]; mask is [batch or 1, 1, 1, seq] or nil.
func (a Attention) attendInBlocks(s *model.Scope, q, k, v, mask *Node) *Node {
	g, w := q.Graph(), a.Window
	batch, seq, heads, headDim := q.Shape().Dim(0), q.Shape().Dim(1), q.Shape().Dim(2), q.Shape().Dim(3)
	n := (seq + w - 1) / w
	sides := []int{-1, 0, 1}
	if a.Causal {
		sides = []int{-1, 0}
	}
	blocks := func(x *Node) *Node { // [batch, seq, …] to [batch, n, w, …]
		dims := x.Shape().Dimensions
		x = padEnd(x, 1, n*w-seq)
		return Reshape(x, append([]int{dims[0], n, w}, dims[2:]...)...)
	}
	around := func(x *Node) *Node { // each block with its neighbours, [batch, n, len(sides)·w, …]
		var parts []*Node
		for _, side := range sides {
			parts = append(parts, neighbour(blocks(x), side))
		}
		return Concatenate(parts, 2)
	}
	present := Ones(g, shapes.Make(dtypes.Int32, 1, seq))
	if mask != nil {
		present = ConvertDType(Reshape(mask, mask.Shape().Dim(0), seq), dtypes.Int32)
	}
	present = ConvertDType(around(present), dtypes.Bool) // [batch or 1, n, slots]

	slots := len(sides) * w
	shape := shapes.Make(dtypes.Int32, 1, 1, w, slots)
	ahead := Sub(AddScalar(Iota(g, shape, 3), -w), Iota(g, shape, 2)) // s - t
	near := LessThan(Abs(ahead), Scalar(g, dtypes.Int32, w))
	if a.Causal {
		near = LogicalAnd(near, LessOrEqual(ahead, Scalar(g, dtypes.Int32, 0)))
	}
	visible := LogicalAnd(near, InsertAxes(present, 2)) // [batch or 1, n, w, slots]
	visible = Reshape(BroadcastToDims(visible, batch, n, w, slots), batch*n, 1, w, slots)

	fold := func(x *Node) *Node { return Reshape(x, batch*n, -1, heads, headDim) }
	o := a.attend(s, fold(blocks(q)), fold(around(k)), fold(around(v)), visible)
	o = Reshape(o, batch, n*w, heads, headDim)
	return Slice(o, AxisRange(), AxisRange(0, seq))
}

// neighbour shifts x [batch, n, …] along n: element i of the result is x_{i+side}, or zero beyond
// the ends.
func neighbour(x *Node, side int) *Node {
	switch side {
	case -1:
		return ShiftWithScalar(x, 1, ShiftDirRight, 1, 0)
	case 1:
		return ShiftWithScalar(x, 1, ShiftDirLeft, 1, 0)
	}
	return x
}

// padEnd appends n zeros to x along an axis.
func padEnd(x *Node, axis, n int) *Node {
	if n == 0 {
		return x
	}
	shape := x.Shape().Clone()
	shape.Dimensions[axis] = n
	return Concatenate([]*Node{x, Zeros(x.Graph(), shape)}, axis)
}
