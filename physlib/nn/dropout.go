package nn

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// stepParam is the graph parameter that holds the step set by SetStep.
const stepParam = "/nn_step"

// SetStep sets the training step of the graph, an integer scalar node. The masks of Dropout then
// depend only on the seed, the step and the layer's path. They are equal on every backend, and
// there is no random state to restore when training is resumed.
func SetStep(step *Node) {
	model.SetGraphParam(step.Graph(), stepParam, ConvertDType(step, dtypes.Uint32))
}

// Dropout sets each element of x to zero with probability rate and divides the others by 1 - rate
// (N. Srivastava et al., J. Mach. Learn. Res. 15 (2014) 1929). Outside of training
// (store.SetTraining) or with rate 0 it returns x. The mask depends on the step of SetStep. In a
// graph without a step it comes from the store's random state.
func Dropout(s *model.Scope, x *Node, rate float64) *Node {
	g := x.Graph()
	if rate <= 0 || !s.IsTraining(g) {
		return x
	}
	param := model.JoinPath(s.Scope(), "nn_dropout")
	calls, _ := model.GetGraphParam(g, param) // a layer that is called twice gets two masks
	call, _ := calls.(int)
	model.SetGraphParam(g, param, call+1)

	h := hash(g, keyOf(s, "dropout")+uint64(call), x.Shape().Size())
	var step *Node
	if v, ok := model.GetGraphParam(g, stepParam); ok {
		step = v.(*Node)
	} else {
		step = ConvertDType(MulScalar(s.RandomUniform(g, shapes.Make(dtypes.Float32)), 1<<24), dtypes.Uint32)
	}
	h = mix(BitwiseXor(h, mix(step)))
	threshold := uint32(math.Min(rate*(1<<32), math.MaxUint32))
	keep := Reshape(GreaterOrEqual(h, Scalar(g, dtypes.Uint32, threshold)), x.Shape().Dimensions...)
	return Where(keep, MulScalar(x, 1/(1-rate)), ScalarZero(g, x.DType()))
}
