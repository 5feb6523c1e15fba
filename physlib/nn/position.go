package nn

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// Sinusoidal returns the encoding of positions 0 … seq-1 (Vaswani et al., 2017, §3.5), [seq, dim]
// in float32:
//
//	PE(t, 2i) = sin(t/10000^(2i/dim)),   PE(t, 2i+1) = cos(t/10000^(2i/dim)).
func Sinusoidal(g *Graph, seq, dim int) *Node {
	return SinusoidalAt(Iota(g, shapes.Make(dtypes.Float32, seq), 0), dim)
}

// SinusoidalAt returns the encoding of Sinusoidal for any positions [...], which may be fractional.
// The result is [..., dim], in at least float32.
func SinusoidalAt(positions *Node, dim int) *Node {
	frequencies, phases := make([]float64, dim), make([]float64, dim)
	for i := range dim {
		frequencies[i] = math.Pow(10000, -float64(i/2*2)/float64(dim))
		phases[i] = float64(i%2) * math.Pi / 2
	}
	p := ExpandAxes(exact(positions), -1)
	g, dt, rank := p.Graph(), p.DType(), p.Rank()
	angle := Mul(p, ExpandLeftToRank(row(g, dt, frequencies), rank))
	return Sin(Add(angle, ExpandLeftToRank(row(g, dt, phases), rank)))
}

// StepEncoding returns an encoding of the progress of refinement, for a decoder (PARR §3.2,
// following J. Ho et al., Denoising Diffusion, 2020):
//
//	e = SiLU(PE(1000·progress)·W_up + b_up)·W_down + b_down
//
// progress is from 0 to 1, [batch] or []. e is [batch or 1, 1, dim], to be added at every position.
// Scopes: up [dim, dim], down [dim, dim].
func StepEncoding(s *model.Scope, progress *Node, dim int) *Node {
	pe := SinusoidalAt(Reshape(MulScalar(exact(progress), 1000), -1, 1), dim)
	return Linear(s.In("down"), SiLU(Linear(s.In("up"), pe, dim)), dim)
}

// TokenAlgebra adds a learned refinement signal to embeddings, which decreases with progress (PARR
// §2.4):
//
//	e' = e + (1 - progress)·σ(b)·m
//
// e is [batch, seq, dim], progress is from 0 to 1, [batch] or []. Variables: mask_embed m [dim]
// with standard deviation 0.02, blend_scale b [], initially 0.5.
func TokenAlgebra(s *model.Scope, e, progress *Node) *Node {
	g, dt := e.Graph(), e.DType()
	m := weight(s, g, "mask_embed", 0.02, dt, e.Shape().Dim(-1))
	scale := Sigmoid(constant(s, g, "blend_scale", 0.5, dt))
	left := Reshape(OneMinus(ConvertDType(progress, dt)), -1, 1, 1)
	return Add(e, Mul(Mul(left, scale), ExpandLeftToRank(m, 3)))
}
