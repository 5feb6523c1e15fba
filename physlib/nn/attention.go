package nn

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Rotary rotates queries or keys [batch, seq, heads, headDim] by their positions, in the same
// shape.
type Rotary func(x *Node) *Node

// Attention is multi-head scaled dot-product attention (A. Vaswani et al., Attention Is All You
// Need, 2017, §3.2),
//
//	o_h = softmax(q_h·k_hᵀ/√headDim + bias + mask)·v_h,   y = [o_1 … o_heads]·W_output,
//
// with grouped keys and values (J. Ainslie et al., GQA, 2023), a sliding window (I. Beltagy et al.,
// Longformer, 2020) and normalised queries and keys (A. Henry et al., 2020). The zero value is one
// head over the whole sequence.
type Attention struct {
	Heads   int // 0 means 1
	KVHeads int // heads of keys and values, each shared by Heads/KVHeads heads of queries; 0: Heads
	HeadDim int // 0 means dim/Heads

	Window int  // position t attends to positions s with |t - s| < Window; 0 means all
	Causal bool // position t attends to positions s ≤ t only

	QKNorm bool   // RMSNorm of each head's queries and keys, in scopes query_norm and key_norm
	Rotary Rotary // rotary encoding of queries and keys; nil: none
	// KeyRotary rotates keys, if their positions differ from those of queries, as in
	// cross-attention; nil: Rotary.
	KeyRotary Rotary
	Bias      *Node // added to the scores, broadcastable to [batch, heads, seq, slots]; nil: none

	Dropout float64 // rate on the attention weights
	NoBias  bool    // omit the bias b of the four linear maps
}

// Apply returns the attention y [batch, seq, dim] of x [batch, seq, dim] to memory [batch, slots,
// memoryDim]. If memory is nil, x attends to itself. mask is true for slots that may be seen; nil
// means all. It is [batch, slots], [batch, seq, slots] or broadcastable to [batch, heads, seq,
// slots]. A position that sees no slot averages all slots. Scopes: query, key, value, output.
func (a Attention) Apply(s *model.Scope, x, memory, mask *Node) *Node {
	if memory == nil {
		memory = x
	}
	return a.Read(s, x, a.Remember(s, memory, x.Shape().Dim(-1)), mask)
}

// Memory holds the keys and values of a memory, computed once for several calls of Read.
type Memory struct {
	of           *Node
	keys, values *Node // [batch, slots, kvHeads, headDim]
}

// Remember returns the keys and values of memory [batch, slots, memoryDim]. dim is the width of the
// x that is passed to Read. Scopes: key, value, key_norm.
func (a Attention) Remember(s *model.Scope, memory *Node, dim int) Memory {
	_, kvHeads, headDim := a.sizes(dim)
	batch, slots := memory.Shape().Dim(0), memory.Shape().Dim(1)
	k := Reshape(a.project(s.In("key"), memory, kvHeads*headDim), batch, slots, kvHeads, headDim)
	v := Reshape(a.project(s.In("value"), memory, kvHeads*headDim), batch, slots, kvHeads, headDim)
	if a.QKNorm {
		k = RMSNorm(s.In("key_norm"), k)
	}
	switch {
	case a.KeyRotary != nil:
		k = a.KeyRotary(k)
	case a.Rotary != nil:
		k = a.Rotary(k)
	}
	return Memory{memory, k, v}
}

// Read is like Apply, with the keys and values that Remember computed. Scopes: query, query_norm,
// output.
func (a Attention) Read(s *model.Scope, x *Node, m Memory, mask *Node) *Node {
	dim := x.Shape().Dim(-1)
	heads, _, headDim := a.sizes(dim)
	batch, seq, slots := x.Shape().Dim(0), x.Shape().Dim(1), m.keys.Shape().Dim(1)
	q := Reshape(a.project(s.In("query"), x, heads*headDim), batch, seq, heads, headDim)
	if a.QKNorm {
		q = RMSNorm(s.In("query_norm"), q)
	}
	if a.Rotary != nil {
		q = a.Rotary(q)
	}
	k, v := repeatHeads(m.keys, heads), repeatHeads(m.values, heads)

	var o *Node
	if mask = maskOfScores(mask); a.inBlocks(m.of == x, seq, mask) {
		o = a.attendInBlocks(s, q, k, v, mask)
	} else {
		o = a.attend(s, q, k, v, a.visible(x.Graph(), seq, slots, mask))
	}
	return linear(s.In("output"), Reshape(o, batch, seq, heads*headDim), dim, residualGain(s), !a.NoBias)
}

// maskOfScores returns the mask with four axes, broadcastable to [batch, heads, seq, slots].
func maskOfScores(mask *Node) *Node {
	switch {
	case mask == nil:
		return nil
	case mask.DType() != dtypes.Bool:
		exceptions.Panicf("attention: the mask is %s, want bool", mask.Shape())
	case mask.Rank() == 2:
		return InsertAxes(mask, 1, 1)
	case mask.Rank() == 3:
		return InsertAxes(mask, 1)
	}
	return mask
}

// sizes returns the numbers of heads and their dimension. It panics if they do not fit.
func (a Attention) sizes(dim int) (heads, kvHeads, headDim int) {
	heads = max(a.Heads, 1)
	kvHeads, headDim = a.KVHeads, a.HeadDim
	if kvHeads == 0 {
		kvHeads = heads
	}
	if headDim == 0 {
		if dim%heads != 0 {
			exceptions.Panicf("attention: dim %d is not a multiple of %d heads; set HeadDim", dim, heads)
		}
		headDim = dim / heads
	}
	if heads%kvHeads != 0 {
		exceptions.Panicf("attention: %d heads are not a multiple of %d heads of keys and values", heads, kvHeads)
	}
	return heads, kvHeads, headDim
}

func (a Attention) project(s *model.Scope, x *Node, out int) *Node {
	return linear(s, x, out, 1, !a.NoBias)
}

// attend returns softmax(q·kᵀ/√headDim + bias, mask)·v. q and the result are [batch, seq, heads,
// headDim], k and v [batch, slots, heads, headDim]. mask is broadcastable to [batch, heads, seq,
// slots], or nil.
func (a Attention) attend(s *model.Scope, q, k, v, mask *Node) *Node {
	g := q.Graph()
	q = MulScalar(q, 1/math.Sqrt(float64(q.Shape().Dim(-1))))
	// [batch, heads, seq, slots]
	scores := exact(DotGeneral(q, []int{3}, []int{0, 2}, k, []int{3}, []int{0, 2}))
	if a.Bias != nil {
		scores = Add(scores, ConvertDType(a.Bias, scores.DType()))
	}
	if mask != nil {
		scores = Where(mask, scores, Scalar(g, scores.DType(), -1e9))
	}
	weights := Dropout(s, ConvertDType(Softmax(scores, -1), v.DType()), a.Dropout)
	// [batch, heads, seq, headDim]
	o := DotGeneral(weights, []int{3}, []int{0, 1}, v, []int{1}, []int{0, 2})
	return TransposeAllAxes(o, 0, 2, 1, 3)
}

// repeatHeads repeats the heads of keys or values so that each head of queries has its own. It maps
// [batch, slots, kvHeads, headDim] to [batch, slots, heads, headDim].
func repeatHeads(x *Node, heads int) *Node {
	batch, slots, kvHeads, headDim := x.Shape().Dim(0), x.Shape().Dim(1), x.Shape().Dim(2), x.Shape().Dim(3)
	if kvHeads == heads {
		return x
	}
	x = BroadcastToDims(ExpandAxes(x, 3), batch, slots, kvHeads, heads/kvHeads, headDim)
	return Reshape(x, batch, slots, heads, headDim)
}

// visible restricts mask to the positions that Window and Causal allow, [1, 1, seq, slots]. It
// returns nil if everything is visible.
func (a Attention) visible(g *Graph, seq, slots int, mask *Node) *Node {
	if a.Window <= 0 && !a.Causal {
		return mask
	}
	shape := shapes.Make(dtypes.Int32, 1, 1, seq, slots)
	ahead := Sub(Iota(g, shape, 3), Iota(g, shape, 2)) // s - t
	limit := func(near *Node) {
		if mask == nil {
			mask = near
		} else {
			mask = LogicalAnd(mask, near)
		}
	}
	if a.Causal {
		limit(LessOrEqual(ahead, Scalar(g, dtypes.Int32, 0)))
	}
	if a.Window > 0 {
		limit(LessThan(Abs(ahead), Scalar(g, dtypes.Int32, a.Window)))
	}
	return mask
}
