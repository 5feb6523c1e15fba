package nn

import (
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// Linear returns y = x·w + b for x [..., in] and y [..., out], computed as one matrix product.
// Variables: w [in, out] with standard deviation 1/√in, b [out] zero, and the adapters in scope
// lora (see the package comment).
func Linear(s *model.Scope, x *Node, out int) *Node {
	return linear(s, x, out, 1, true)
}

// LinearNoBias returns y = x·w.
func LinearNoBias(s *model.Scope, x *Node, out int) *Node {
	return linear(s, x, out, 1, false)
}

// linear is Linear with initial weights multiplied by gain, and without b unless bias is true.
func linear(s *model.Scope, x *Node, out int, gain float64, bias bool) *Node {
	g, in := x.Graph(), x.Shape().Dim(-1)
	x = compute(s, x)
	dims := x.Shape().Clone().Dimensions
	dims[len(dims)-1] = out
	flat := Reshape(x, -1, in)
	y := Dot(flat, weight(s, g, "w", gain/math.Sqrt(float64(in)), x.DType(), in, out)).Product()
	if bias {
		y = Add(y, ExpandAxes(weight(s, g, "b", 0, x.DType(), out), 0))
	}
	if d := lora(s, flat, out); d != nil {
		y = Add(y, d)
	}
	return Reshape(y, dims...)
}

// lora returns the low-rank update (α/r)·x·A·B of a layer, or nil if the scope requests none. A
// [in, r] has standard deviation 1/√in. B [r, out] is zero, so that training starts from the base
// model (E. J. Hu et al., LoRA: Low-Rank Adaptation of Large Language Models, 2021, §4.1). x is
// [rows, in].
func lora(s *model.Scope, x *Node, out int) *Node {
	rank := model.GetParamOr(s, ParamLoRARank, 0)
	if rank <= 0 || !adapted(s) {
		return nil
	}
	alpha := model.GetParamOr(s, ParamLoRAAlpha, 0.0)
	if alpha == 0 {
		alpha = float64(rank)
	}
	g, in := x.Graph(), x.Shape().Dim(-1)
	s = s.At("lora")
	a := weight(s, g, "a", 1/math.Sqrt(float64(in)), x.DType(), in, rank)
	b := weight(s, g, "b", 0, x.DType(), rank, out)
	return MulScalar(Dot(Dot(x, a).Product(), b).Product(), alpha/float64(rank))
}
