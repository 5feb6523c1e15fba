package nn

import (
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// GELU returns x·Φ(x) = x·(1 + erf(x/√2))/2, where Φ is the standard normal distribution function
// (D. Hendrycks and K. Gimpel, 2016).
func GELU(x *Node) *Node {
	return Mul(x, MulScalar(AddScalar(Erf(MulScalar(x, math.Sqrt2/2)), 1), 0.5))
}

// SiLU returns x·σ(x), where σ is the logistic function (also called swish).
func SiLU(x *Node) *Node { return Mul(x, Sigmoid(x)) }

// FeedForward returns act(x·W_up + b_up)·W_down + b_down. x and the result are [..., dim]. If act
// is nil it is GELU. Scopes: up [dim, hidden], down [hidden, dim].
func FeedForward(s *model.Scope, x *Node, hidden int, act func(*Node) *Node) *Node {
	if act == nil {
		act = GELU
	}
	h := act(Linear(s.In("up"), x, hidden))
	return linear(s.In("down"), h, x.Shape().Dim(-1), residualGain(s), true)
}

// SwiGLU returns (SiLU(x·W_gate) ⊙ x·W_up)·W_down with biases (N. Shazeer, GLU Variants Improve
// Transformer, 2020). x and the result are [..., dim]. Scopes: gate and up [dim, hidden], down
// [hidden, dim].
func SwiGLU(s *model.Scope, x *Node, hidden int) *Node {
	h := Mul(SiLU(Linear(s.In("gate"), x, hidden)), Linear(s.In("up"), x, hidden))
	return linear(s.In("down"), h, x.Shape().Dim(-1), residualGain(s), true)
}

// ConvSwiGLU returns SwiGLU with a depthwise convolution over neighbouring positions (kernel 5)
// after gate and up,
//
//	y = (SiLU(conv(x·W_gate)) ⊙ conv(x·W_up))·W_down
//
// (PARR §2.3, after Gao et al., URM, 2025). x and the result are [batch, seq, dim]. Scopes: gate,
// gate_conv, up, up_conv, down.
func ConvSwiGLU(s *model.Scope, x *Node, hidden int) *Node {
	gate := DepthwiseConv(s.In("gate_conv"), Linear(s.In("gate"), x, hidden), 5)
	up := DepthwiseConv(s.In("up_conv"), Linear(s.In("up"), x, hidden), 5)
	return linear(s.In("down"), Mul(SiLU(gate), up), x.Shape().Dim(-1), residualGain(s), true)
}

// DepthwiseConv returns y_t = Σ_j k_j ⊙ x_{t+j-⌊width/2⌋} + b. Channels are separate, and x is zero
// beyond the ends. x and y are [batch, seq, dim]; width must be odd. It is computed as a sum of
// shifted copies. This is 70 times as fast on the Go backend as a grouped convolution. On XLA, the
// gradient of a grouped convolution never finishes. Variables: k [width, dim] with standard
// deviation 1/√width, b [dim] zero.
func DepthwiseConv(s *model.Scope, x *Node, width int) *Node {
	g, dim := x.Graph(), x.Shape().Dim(2)
	k := weight(s, g, "k", 1/math.Sqrt(float64(width)), x.DType(), width, dim)
	y := ExpandLeftToRank(weight(s, g, "b", 0, x.DType(), dim), 3)
	for j := range width {
		xs := x
		switch n := j - width/2; {
		case n < 0:
			xs = ShiftWithScalar(x, 1, ShiftDirRight, -n, 0)
		case n > 0:
			xs = ShiftWithScalar(x, 1, ShiftDirLeft, n, 0)
		}
		y = Add(y, Mul(xs, ExpandLeftToRank(Slice(k, AxisElem(j)), 3)))
	}
	return y
}
