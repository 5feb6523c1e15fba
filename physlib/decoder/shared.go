package decoder

import (
	"cmp"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn"
)

// Truncate determines where backpropagation ends in the loops of a Shared block (PARR §2.5). Each
// is of this project, not in the paper.
type Truncate string

const (
	// Last lets gradients flow through the last Backprop loops only (PARR §2.5). "" means the same.
	Last Truncate = "last"
	// Each lets every loop learn, but no gradient flows from a loop into the previous one.
	Each Truncate = "each"
)

// NumLoops returns K, the default number of times that a Shared block is applied.
func (c Config) NumLoops() int { return cmp.Or(c.Loops, 8) }

// Alpha returns α_k, the weight of a loop's result in the blend with its input (PARR §2.2). It
// rises linearly from Blend at loop 0 to 1 at loop loops-1.
func (c Config) Alpha(loop, loops int) float64 {
	first := cmp.Or(c.Blend, 0.3)
	if loops <= 1 {
		return 1
	}
	return first + (1-first)*float64(loop)/float64(loops-1)
}

// Learned reports whether the logits of a loop of Refine have a gradient.
func (c Config) Learned(loop int) bool {
	return c.Truncate == Each || c.Backprop == 0 || loop >= c.NumLoops()-c.Backprop
}

// Refine applies the shared block K times to the embedded tokens given [samples, seq, Dim]. It
// returns the logits [samples, seq, vocab] of each loop:
//
//	e_0 = given,   e_{k+1} = (1 - α_k)·ê_k + α_k·block(ê_k + m·(1 - k/K) + step(k/K), memory)
//
// Here m·(1 - k/K) is the learned signal of nn.TokenAlgebra, and step is nn.StepEncoding. ê_k is
// given at visible tokens and e_k at masked ones, so visible tokens keep their embedding. In PARR
// the embedding of a token is set only once, when it becomes visible. Truncate determines where
// gradients end. The first K - Backprop loops are computed without gradients, which saves their
// memory.
func (c Config) Refine(s *model.Scope, given *Node, in Shown) (logits []*Node) {
	g, loops, e := given.Graph(), c.NumLoops(), given
	v := c.view(s, given, in)
	for k := range loops {
		if c.Truncate == Each || k > 0 && !c.Learned(k-1) {
			e = StopGradient(e)
		}
		progress := Scalar(g, dtypes.Float32, float64(k)/float64(loops))
		alpha := Scalar(g, dtypes.Float32, c.Alpha(k, loops))
		var l *Node
		e, l = c.loop(s, given, e, progress, alpha, in, v)
		if !c.Learned(k) {
			l = StopGradient(l)
		}
		logits = append(logits, l)
	}
	return logits
}

// Loop applies the shared block once, for refinement that the caller controls. given and hidden are
// the embeddings given and e_k of Refine, [samples, seq, Dim]. The results are e_{k+1} and the
// logits. progress k/K and alpha are scalars, so that one program serves any K.
func (c Config) Loop(s *model.Scope, given, hidden, progress, alpha *Node, in Shown) (next, logits *Node) {
	return c.loop(s, given, hidden, progress, alpha, in, c.view(s, given, in))
}

func (c Config) loop(s *model.Scope, given, hidden, progress, alpha *Node, in Shown, v view) (next, logits *Node) {
	again := func(name string) *model.Scope { return s.At("%s", name).ResetVisited() }
	shown := NotEqual(in.IDs, Scalar(given.Graph(), in.IDs.DType(), c.Mask))
	e := Where(InsertAxes(shown, -1), given, hidden)
	x := e
	if !c.NoAlgebra {
		x = nn.TokenAlgebra(again("algebra"), x, progress)
	}
	x = Add(x, nn.StepEncoding(again("step"), progress, c.Dim))
	x = c.place(again("places"), x, v)
	block := again("block")
	for i, t := range v.tables {
		x = c.block(block.In("layer_%d", i), x, v, t)
	}
	alpha = ConvertDType(alpha, e.DType())
	next = Add(Mul(OneMinus(alpha), e), Mul(alpha, x))
	return next, c.logits(again("out"), next)
}
