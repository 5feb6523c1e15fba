package decoder

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn"
)

// Feed names a feed-forward layer (PhysDiffuse §4, PARR §2.3).
type Feed string

const (
	GELU   Feed = "gelu"   // "" means the same
	SwiGLU Feed = "swiglu" // gated layer, see nn.SwiGLU
	// SwiGLU with a convolution over neighbouring tokens (PARR §2.3).
	ConvSwiGLU Feed = "conv-swiglu"
)

// Feeds lists the feed-forward layers.
var Feeds = []Feed{GELU, SwiGLU, ConvSwiGLU}

// feed applies the feed-forward layer to x [samples, seq, Dim]. Positions beyond an expression's
// end, for which inside [samples, seq] is false, do not affect the other positions.
func (c Config) feed(s *model.Scope, x, inside *Node) *Node {
	hidden := c.Hidden
	if hidden == 0 {
		hidden = 4 * c.Dim
	}
	switch c.Feed {
	case SwiGLU:
		return nn.SwiGLU(s, x, hidden)
	case ConvSwiGLU: // nn.ConvSwiGLU with zeros beyond the expression's end
		cut := func(h *Node) *Node { return Where(InsertAxes(inside, -1), h, ScalarZero(h.Graph(), h.DType())) }
		gate := nn.DepthwiseConv(s.In("gate_conv"), cut(nn.Linear(s.In("gate"), x, hidden)), 5)
		up := nn.DepthwiseConv(s.In("up_conv"), cut(nn.Linear(s.In("up"), x, hidden)), 5)
		return nn.Linear(s.In("down"), Mul(nn.SiLU(gate), up), c.Dim)
	default:
		return nn.FeedForward(s, x, hidden, nn.GELU)
	}
}
