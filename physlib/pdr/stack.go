package pdr

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/physlib/lab/physlib/nn"
)

// Config is a network of layers (PDR §6). Each Every-th layer is windowed attention, and the others
// are the recurrence; these are the mixers. Each mixer is followed by a feed-forward layer.
//
//	x ← x + Mixer(N(x));   x ← x + SwiGLU(N(x));   in the end N(x),   N(x) = RMSNorm
//
// Fields with the value 0 have the defaults given below, except Layers and Dim.
type Config struct {
	About   string  `yaml:"about" json:"about"` // one line for people
	Layers  int     `yaml:"layers" json:"layers"`
	Dim     int     `yaml:"dim" json:"dim"`
	Rank    int     `yaml:"rank" json:"rank"`           // rank of each head's state; 0: 16
	Heads   int     `yaml:"heads" json:"heads"`         // number of heads of the recurrence; 0: 1
	Gate    Gate    `yaml:"gate" json:"gate"`           // full, diagonal, low, fixed
	Keep    float64 `yaml:"keep" json:"keep,omitempty"` // initial σ(b); 0: 0.95
	NoNorm  bool    `yaml:"no_norm" json:"no_norm"`     // do not normalise the output of the memory
	Every   int     `yaml:"every" json:"every"`         // each Every-th layer is attention; 0: none
	QHeads  int     `yaml:"q_heads" json:"q_heads"`     // number of query heads of attention; 0: 1
	KVHeads int     `yaml:"kv_heads" json:"kv_heads"`   // number of key-value heads; 0: as q_heads
	// Number of tokens that attention sees; 0: 64.
	Window int `yaml:"window" json:"window"`
	Hidden int `yaml:"hidden" json:"hidden"` // feed-forward width; 0: 4·dim
	// Form of the recurrence, not part of the model.
	Form   Form `yaml:"form" json:"-"`
	Chunk  int  `yaml:"chunk" json:"-"`       // tokens in a chunk; 0: default of the form
	Renorm int  `yaml:"renorm" json:"renorm"` // tokens between renormalisations; 0: never
}

// Validate returns an error if c is not possible.
func (c Config) Validate() error {
	switch heads, qHeads := max(c.Heads, 1), max(c.QHeads, 1); {
	case c.Layers <= 0 || c.Dim <= 0:
		return fmt.Errorf("layers %d and dim %d must be above zero", c.Layers, c.Dim)
	case min(c.Rank, c.Heads, c.Every, c.QHeads, c.KVHeads, c.Window, c.Hidden, c.Chunk, c.Renorm) < 0:
		return fmt.Errorf("no number may be negative: %+v", c)
	case c.Dim%heads != 0:
		return fmt.Errorf("heads %d must divide dim %d", heads, c.Dim)
	case c.Every > 0 && (c.Dim%qHeads != 0 || c.Dim/qHeads%2 != 0):
		return fmt.Errorf("q_heads %d must divide dim %d into even parts", qHeads, c.Dim)
	case !(c.Keep >= 0 && c.Keep < 1):
		return fmt.Errorf("keep is %v, must be at least 0 and below 1", c.Keep)
	case c.KVHeads > 0 && qHeads%c.KVHeads != 0:
		return fmt.Errorf("kv_heads %d must divide q_heads %d", c.KVHeads, qHeads)
	}
	return nil
}

// attends reports whether layer i, from 0, is attention.
func (c Config) attends(i int) bool { return c.Every > 0 && (i+1)%c.Every == 0 }

func (c Config) layer() Layer {
	return Layer{Rank: c.Rank, Heads: c.Heads, Gate: c.Gate, Keep: c.Keep, Norm: !c.NoNorm,
		Recurrence: Recurrence{Form: c.Form, Chunk: c.Chunk, Renorm: c.Renorm}}
}

func (c Config) attention() Attention {
	return Attention{Heads: c.QHeads, KVHeads: c.KVHeads, Window: c.Window}
}

// Array is the name and shape of an array of the state, as it is saved (PDR §5.3).
type Array struct {
	Name  string
	Shape shapes.Shape
}

// Arrays returns the arrays of the state for batch series, in order. A recurrence has the state S
// [batch, heads, dim/heads, rank]. An attention has keys and values [batch, window, kvHeads,
// headDim], and an array [batch, window] that is 1 where these exist. All arrays are zero at the
// beginning of a series (PDR §5.1).
func (c Config) Arrays(batch int) []Array {
	var arrays []Array
	add := func(layer int, name string, dims ...int) {
		arrays = append(arrays, Array{fmt.Sprintf("layer_%d/%s", layer, name), shapes.Make(dtypes.Float32, dims...)})
	}
	rank, heads := c.layer().sizes(c.Dim)
	_, kvHeads, headDim, window := c.attention().sizes(c.Dim)
	for i := range c.Layers {
		if c.attends(i) {
			add(i, "key", batch, window, kvHeads, headDim)
			add(i, "value", batch, window, kvHeads, headDim)
			add(i, "present", batch, window)
		} else {
			add(i, "state", batch, heads, c.Dim/heads, rank)
		}
	}
	return arrays
}

// Apply returns the network's outputs y [batch, seq, dim] for x [batch, seq, dim], and the state
// after x, as listed by Arrays. At the beginning of a series state is nil, as in training. For a
// later piece it is the state after the previous piece, and start is the number of tokens before
// the piece. The outputs then equal those for the whole series at once.
func (c Config) Apply(s *model.Scope, x *Node, state []*Node, start int) (y *Node, last []*Node) {
	return c.apply(s, x, state, start, nil)
}

// Lenses returns the gates γ [batch, seq, dim] of each recurrent layer for a series x from its
// beginning. They are the fractions of each channel that are kept at each token (PDR §3.3).
func (c Config) Lenses(s *model.Scope, x *Node) (gates []*Node) {
	c.apply(s, x, nil, 0, func(gate *Node) { gates = append(gates, gate) })
	return gates
}

func (c Config) apply(s *model.Scope, x *Node, state []*Node, start int, look func(gate *Node)) (y *Node, last []*Node) {
	if err := c.Validate(); err != nil {
		panic(fmt.Errorf("pdr: %w", err))
	}
	arrays := c.Arrays(x.Shape().Dim(0))
	if state == nil {
		for _, a := range arrays {
			state = append(state, Zeros(x.Graph(), a.Shape))
		}
	}
	if len(state) != len(arrays) {
		exceptions.Panicf("pdr: the state has %d arrays, want %d", len(state), len(arrays))
	}
	hidden := c.Hidden
	if hidden == 0 {
		hidden = 4 * c.Dim
	}
	for i := range c.Layers {
		s := s.In("layer_%d", i)
		h := nn.RMSNorm(s.In("mixer_norm"), x)
		if c.attends(i) {
			var next attentionState
			h, next = c.attention().apply(s.In("attention"), h, attentionState{state[0], state[1], state[2]})
			last, state = append(last, next.key, next.value, next.present), state[3:]
		} else {
			var next *Node
			layer := c.layer()
			layer.look = look
			h, next = layer.Apply(s.In("recurrence"), h, state[0], start)
			last, state = append(last, next), state[1:]
		}
		x = Add(x, h)
		x = Add(x, nn.SwiGLU(s.In("feed"), nn.RMSNorm(s.In("feed_norm"), x), hidden))
	}
	return nn.RMSNorm(s.In("norm"), x), last
}
