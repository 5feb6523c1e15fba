package nn

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// Block is a transformer block with normalisation before each of its parts (R. Xiong et al., On
// Layer Normalization in the Transformer Architecture, 2020):
//
//	x ← x + Self(N(x));   x ← x + Cross(N(x), memory);   x ← x + Feed(N(x)).
//
// The zero value has one head of self-attention and a GELU layer of width 4·dim.
type Block struct {
	Self, Cross Attention
	// Feed is the feed-forward layer, such as SwiGLU or ConvSwiGLU. nil means FeedForward with
	// GELU.
	Feed func(s *model.Scope, x *Node, hidden int) *Node
	// Normalisation, such as RMSNorm; nil means LayerNorm.
	Norm    func(s *model.Scope, x *Node) *Node
	Hidden  int     // width of the feed-forward layer; 0 means 4·dim
	Dropout float64 // rate on each of the three parts
}

// Apply applies the block to x [batch, seq, dim]. If memory [batch, slots, dim] is nil, there is no
// cross-attention. mask and memoryMask are as in Attention.Apply, or nil. Scopes: self_norm, self,
// cross_norm, cross, feed_norm, feed.
func (b Block) Apply(s *model.Scope, x, mask, memory, memoryMask *Node) *Node {
	norm, feed, hidden := b.Norm, b.Feed, b.Hidden
	if norm == nil {
		norm = LayerNorm
	}
	if feed == nil {
		feed = func(s *model.Scope, x *Node, hidden int) *Node { return FeedForward(s, x, hidden, nil) }
	}
	if hidden == 0 {
		hidden = 4 * x.Shape().Dim(-1)
	}
	add := func(name string, part func(s *model.Scope, x *Node) *Node) {
		h := norm(s.In("%s_norm", name), x)
		s := s.In("%s", name)
		x = Add(x, Dropout(s, part(s, h), b.Dropout))
	}
	add("self", func(s *model.Scope, h *Node) *Node { return b.Self.Apply(s, h, nil, mask) })
	if memory != nil {
		add("cross", func(s *model.Scope, h *Node) *Node { return b.Cross.Apply(s, h, memory, memoryMask) })
	}
	add("feed", func(s *model.Scope, h *Node) *Node { return feed(s, h, hidden) })
	return x
}
