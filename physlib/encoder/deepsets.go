package encoder

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn"
)

// encodeDeepSets is PhysMDT's encoder, "DeepSets + MHA" (§1, §2). The paper gives only the sizes of
// its layers. Here it is a permutation-equivariant layer, then Layers blocks of attention with a
// feed-forward layer, then a DeepSet that pools all elements into one vector z. If Summary is not
// 0, z alone is the memory, as in PhysMDT. Otherwise z is the first slot of the memory, and the
// elements follow.
func (c Config) encodeDeepSets(s *model.Scope, in Inputs) (memory, present *Node) {
	x, present := c.embed(s, in)
	x = Add(x, nn.GELU(nn.DeepSetLayer(s.In("deep_set"), x, present, c.Dim)))
	block := nn.Block{Self: nn.Attention{Heads: c.Heads}, Hidden: c.Hidden, Dropout: c.Dropout}
	for i := range c.Layers {
		layer := s.In("block_%d", i)
		x = nn.Recomputed(s, x, func(x *Node) *Node { return block.Apply(layer, x, present, nil, nil) })
	}
	z := InsertAxes(nn.DeepSet(s.In("pool"), x, present, c.Dim, c.Dim), 1)
	if c.Summary > 0 {
		x, present = z, BroadcastToDims(Const(x.Graph(), true), x.Shape().Dim(0), 1)
	} else {
		x = Concatenate([]*Node{z, x}, 1)
		present = Concatenate([]*Node{BroadcastToDims(Const(x.Graph(), true), x.Shape().Dim(0), 1), present}, 1)
	}
	return nn.LayerNorm(s.In("norm"), x), present
}
