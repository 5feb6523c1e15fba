package nn

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// ParamRecompute (bool) is gradient checkpointing: where it is true the gradient computes what is
// inside a block of Recomputed again, instead of keeping it. It is what train.Settings.Checkpoint
// sets.
const ParamRecompute = "gradient_checkpointing"

// Recomputed returns block(x), of which the backward pass keeps only x and the result where
// ParamRecompute says so (T. Chen et al., Training Deep Nets with Sublinear Memory Cost, 2016). It
// keeps one block's activations at a time, for the time of one more forward pass. Values and
// gradients are the same.
func Recomputed(s *model.Scope, x *Node, block func(x *Node) *Node) *Node {
	if !model.GetParamOr(s, ParamRecompute, false) {
		return block(x)
	}
	return block(x.Checkpoint()).StopCheckpoint()
}
