package pdr

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn"
)

// Attention is causal attention to the last Window tokens, with grouped keys and values (J. Ainslie
// et al., GQA, 2023). Its state is the keys and values of these tokens. It computes the same
// outputs as nn.Attention, but the series may come in pieces. Keys are stored without rotation.
// Rotary positions are counted from the start of the window, so they do not depend on the length of
// the series so far.
type Attention struct {
	Heads   int // 0 means 1
	KVHeads int // heads of keys and values; 0 means Heads
	Window  int // each token attends to itself and the Window-1 previous tokens; 0 means 64
}

// attentionState holds the state of an Attention between two pieces of a series.
type attentionState struct {
	key, value *Node // [batch, window, kvHeads, headDim]
	present    *Node // [batch, window]: 1 for a token, 0 if the position is before the series
}

func (a Attention) sizes(dim int) (heads, kvHeads, headDim, window int) {
	heads, kvHeads, window = max(a.Heads, 1), a.KVHeads, a.Window
	if kvHeads == 0 {
		kvHeads = heads
	}
	if window == 0 {
		window = 64
	}
	return heads, kvHeads, dim / heads, window
}

// apply returns y [batch, seq, dim] for x [batch, seq, dim], and the state after x. Scopes: query,
// key, value, output.
func (a Attention) apply(s *model.Scope, x *Node, state attentionState) (*Node, attentionState) {
	batch, seq, dim := x.Shape().Dim(0), x.Shape().Dim(1), x.Shape().Dim(2)
	heads, kvHeads, headDim, window := a.sizes(dim)
	q := Reshape(nn.LinearNoBias(s.In("query"), x, heads*headDim), batch, seq, heads, headDim)
	k := Reshape(nn.LinearNoBias(s.In("key"), x, kvHeads*headDim), batch, seq, kvHeads, headDim)
	v := Reshape(nn.LinearNoBias(s.In("value"), x, kvHeads*headDim), batch, seq, kvHeads, headDim)

	join := func(old, new *Node) *Node { return Concatenate([]*Node{ConvertDType(old, new.DType()), new}, 1) }
	k, v = join(state.key, k), join(state.value, v)
	present := join(state.present, Ones(x.Graph(), shapes.Make(state.present.DType(), batch, seq)))
	newest := func(x *Node) *Node { return Slice(x, AxisRange(), AxisRange(seq)) }
	state = attentionState{newest(k), newest(v), newest(present)}

	// Divide the tokens into blocks. Each block attends to itself and to the window before it.
	block := min(seq, window)
	count := (seq + block - 1) / block
	fill := count*block - seq
	if fill > 0 {
		pad := func(x *Node) *Node {
			shape := x.Shape().Clone()
			shape.Dimensions[1] = fill
			return Concatenate([]*Node{x, Zeros(x.Graph(), shape)}, 1)
		}
		q, k, v, present = pad(q), pad(k), pad(v), pad(present)
	}
	cut := func(x *Node, width int) *Node {
		var parts []*Node
		for i := 0; i < width; i += block {
			parts = append(parts, Slice(x, AxisRange(), AxisRange(i, i+(count-1)*block+min(block, width-i))))
		}
		d := x.Shape().Dimensions
		if count == 1 {
			return x
		}
		for i, p := range parts {
			parts[i] = Reshape(p, append([]int{batch, count, block}, d[2:]...)...)
		}
		return Reshape(Concatenate(parts, 2), append([]int{batch * count, width}, d[2:]...)...)
	}
	q, k, v, present = cut(q, block), cut(k, window+block), cut(v, window+block), cut(present, window+block)
	o := Reshape(attend(q, k, v, present, window), batch, count*block, heads*headDim)
	o = Slice(o, AxisRange(), AxisRange(0, seq))
	return nn.LinearNoBias(s.In("output"), o, dim), state
}

// attend returns the attention of q [batch, block, heads, headDim] to k, v [batch, window+block,
// kvHeads, headDim]. present [batch, window+block] is 0 for tokens that do not exist. The result
// has the shape of q.
func attend(q, k, v, present *Node, window int) *Node {
	g, dt := q.Graph(), q.DType()
	batch, block, heads, headDim := q.Shape().Dim(0), q.Shape().Dim(1), q.Shape().Dim(2), q.Shape().Dim(3)
	kvHeads, slots := k.Shape().Dim(2), window+block
	place := Iota(g, shapes.Make(dtypes.Int32, 1, slots), 1)
	turn := func(x *Node, from int) *Node {
		return nn.RotaryAxes(nil, nil, nn.Axis{Position: Slice(place, AxisRange(), AxisRange(from))})(x)
	}
	q, k = turn(q, window), turn(k, 0)
	q = Reshape(TransposeAllAxes(q, 0, 2, 1, 3), batch, kvHeads, heads/kvHeads*block, headDim)
	k, v = TransposeAllAxes(k, 0, 2, 1, 3), TransposeAllAxes(v, 0, 2, 1, 3)
	scores := DotGeneral(q, []int{3}, []int{0, 1}, k, []int{3}, []int{0, 1})
	scores = Reshape(MulScalar(scores, 1/math.Sqrt(float64(headDim))), batch, heads, block, slots)

	shape := shapes.Make(dtypes.Int32, 1, 1, block, slots)
	ago := Sub(AddScalar(Iota(g, shape, 2), window), Iota(g, shape, 3))
	near := LogicalAnd(GreaterOrEqual(ago, ZerosLike(ago)), LessThan(ago, AddScalar(ZerosLike(ago), window)))
	there := GreaterThan(Reshape(present, batch, 1, 1, slots), ScalarZero(g, present.DType()))
	scores = Where(LogicalAnd(near, there), scores, Scalar(g, dt, -1e9))
	weights := Reshape(Softmax(scores, -1), batch, kvHeads, heads/kvHeads*block, slots)
	o := DotGeneral(weights, []int{3}, []int{0, 1}, v, []int{2}, []int{0, 1})
	return TransposeAllAxes(Reshape(o, batch, heads, block, headDim), 0, 2, 1, 3)
}
