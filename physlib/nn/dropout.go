package nn

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

const stepParam = "/nn_step"

// SetStep gives the graph the number of its training step, an integer scalar node. Dropout is then
// a function of the seed, the step and the layer's path. It is equal on every backend, and has no
// random state to restore after a resume.
func SetStep(step *Node) {
	model.SetGraphParam(step.Graph(), stepParam, ConvertDType(step, dtypes.Uint32))
}

// Dropout returns x with each element zeroed with probability rate, the others divided by 1 - rate
// (N. Srivastava et al., J. Mach. Learn. Res. 15 (2014) 1929). Without training (store.SetTraining)
// or with a rate of 0 it is x. The mask is drawn as SetStep says; in a graph without a step its key
// comes from the store's random state.
func Dropout(s *model.Scope, x *Node, rate float64) *Node {
	g := x.Graph()
	if rate <= 0 || !s.IsTraining(g) {
		return x
	}
	param := model.JoinPath(s.Scope(), "nn_dropout")
	calls, _ := model.GetGraphParam(g, param) // a shared layer called again draws again
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
