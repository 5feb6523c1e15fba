package nn

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// ParamRecompute (bool) enables gradient checkpointing: the backward pass recomputes the inside of
// each Recomputed block instead of storing it. train.Settings.Checkpoint sets it.
const ParamRecompute = "gradient_checkpointing"

// Recomputed returns block(x). With ParamRecompute, only x and the result are stored for the
// backward pass (T. Chen et al., Training Deep Nets with Sublinear Memory Cost, 2016). Then only
// the activations of one block are in memory at a time, at the cost of one more forward pass.
// Values and gradients are the same as without ParamRecompute.
func Recomputed(s *model.Scope, x *Node, block func(x *Node) *Node) *Node {
	if !model.GetParamOr(s, ParamRecompute, false) {
		return block(x)
	}
	return block(x.Checkpoint()).StopCheckpoint()
}
