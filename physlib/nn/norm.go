package nn

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// LayerNorm returns y = scale ⊙ (x - mean(x))/√(var(x) + 10⁻⁵) + offset over the last axis (J. L.
// Ba, J. R. Kiros and G. E. Hinton, Layer Normalization, 2016), for x and y [..., dim]. Variables:
// scale [dim], initially one; offset [dim], initially zero.
func LayerNorm(s *model.Scope, x *Node) *Node {
	g, dim, dt := x.Graph(), x.Shape().Dim(-1), x.DType()
	x = exact(x)
	x = Sub(x, ReduceAndKeep(x, ReduceMean, -1))
	x = Div(x, Sqrt(AddScalar(ReduceAndKeep(Square(x), ReduceMean, -1), 1e-5)))
	x = Mul(x, ExpandLeftToRank(constant(s, g, "scale", 1, x.DType(), dim), x.Rank()))
	x = Add(x, ExpandLeftToRank(constant(s, g, "offset", 0, x.DType(), dim), x.Rank()))
	return ConvertDType(x, dt)
}

// RMSNorm returns y = scale ⊙ x/√(mean(x²) + 10⁻⁶) over the last axis (B. Zhang and R. Sennrich,
// Root Mean Square Layer Normalization, 2019), for x and y [..., dim]. Variable: scale [dim] one.
func RMSNorm(s *model.Scope, x *Node) *Node {
	g, dim, dt := x.Graph(), x.Shape().Dim(-1), x.DType()
	x = rms(exact(x))
	x = Mul(x, ExpandLeftToRank(constant(s, g, "scale", 1, x.DType(), dim), x.Rank()))
	return ConvertDType(x, dt)
}

// rms returns x divided by its root mean square over the last axis.
func rms(x *Node) *Node {
	return Div(x, Sqrt(AddScalar(ReduceAndKeep(Square(x), ReduceMean, -1), 1e-6)))
}
