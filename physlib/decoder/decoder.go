// Package decoder predicts the tokens of an expression from a memory of the table and from the
// visible tokens. It has the masked-diffusion transformers of PhysDiffuse §4 and PhysMDT §2, whose
// attention is bidirectional, and PARR's (§2.2), which applies one block again and again.
//
// # Design
//
// One memory serves many samples of the same table. Their positions are side by side in
// cross-attention, which ignores neighbours, so that keys and values of the memory are computed
// once a table.
//
// A decoder is made of parts. Positions and Axes encode a token's position, Feed is the
// feed-forward layer, and Dimensional attention knows units. Blocks are Stacked, or one Shared
// block is applied in a loop.
package decoder

import (
	"cmp"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn"
)

// Kind names how blocks follow each other.
type Kind string

const (
	Stacked Kind = "stack"  // Layers blocks, each with weights of its own; "" means the same
	Shared  Kind = "shared" // one block of BlockLayers layers, applied Loops times (PARR §2.2)
)

// Config says how a decoder is built.
type Config struct {
	Kind      Kind
	Vocab     int
	Seq       int // longest sequence
	Dim       int
	Heads     int
	Hidden    int // width of the feed-forward layers; 0: 4·Dim
	Layers    int // of a Stacked decoder
	Positions Positions
	Axes      []Axis // by which attention among tokens turns; none: no rotary encoding
	Feed      Feed
	Dropout   float64

	Mask        int32 // the mask token
	FirstVar    int32 // the token of column 0; the others follow
	Dimensional bool  // attention is biased by units, see Units

	BlockLayers int     // of a Shared block; 0: 1
	Loops       int     // K of a Shared block; 0: 8
	Blend       float64 // α at the first loop, 1 at the last; 0: 0.3
	NoAlgebra   bool    // no learned signal to refine is added to the tokens (PARR §2.4)
	Backprop    int     // K_bp: through how many loops gradients flow; 0: all
	Truncate    Truncate
}

// Shown is the input of a decoder about the expressions of a batch, alongside their embedded
// tokens. samples is a multiple of batch: samples of one table follow each other.
type Shown struct {
	IDs     *Node // [samples, seq] int32: the visible tokens, Mask where hidden. A Stacked decoder that is not Dimensional needs none
	Lengths *Node // [samples] int32: how many of the positions belong to the expression
	Places  *Node // [samples, seq, NumPlaces] int32, see Places; only with Axes

	Memory  *Node // [batch, slots, Dim]: the tables
	Present *Node // [batch, slots] bool: their existing slots

	Units *Node // [batch, cols+1+slots, NumUnits]: of the columns, the target's last, and of the slots of Memory; only where Dimensional

	Prior *Prior // nil: the decoder has no such input
}

// Tokens embeds token ids [samples, seq] as [samples, seq, Dim]. The row of the mask token is the
// seed's e_mask.
func (c Config) Tokens(s *model.Scope, ids *Node) *Node {
	return nn.Embedding(s.In("tokens"), ids, c.Vocab, c.Dim)
}

// Soft embeds weights over tokens [samples, seq, vocab]: Σ_v w_v·E(v), the soft embedding of
// ARChitects §2; weight on the mask token is their α·E(mask).
func (c Config) Soft(s *model.Scope, weights *Node) *Node {
	return nn.SoftEmbedding(s.In("tokens"), weights, c.Dim)
}

// Denoise returns the logits [samples, seq, vocab] of all positions for embedded tokens x [samples,
// seq, Dim]. Those of a Shared block are the last loop's.
func (c Config) Denoise(s *model.Scope, x *Node, in Shown) *Node {
	if c.Kind == Shared {
		logits := c.Refine(s, x, in)
		return logits[len(logits)-1]
	}
	v := c.view(s, x, in)
	x = c.place(s, x, v)
	for i := range c.Layers {
		block := s.In("block_%d", i)
		x = nn.Recomputed(s, x, func(x *Node) *Node { return c.block(block, x, v, c.remember(block, v)) })
	}
	return c.logits(s, x)
}

// view is what every block sees.
type view struct {
	batch, samples, seq int
	at, ends            *Node // [samples, seq]: positions in the sequence, and its length
	inside              *Node // [samples, seq] bool
	self, cross         nn.Attention
	memory              *Node
	tables              []nn.Memory // of the layers of a Shared block, the same in all loops
	selfMask, crossMask *Node
	feedback            *Node // added to the tokens; nil: none
}

func (c Config) view(s *model.Scope, x *Node, in Shown) view {
	samples, seq, g := x.Shape().Dim(0), x.Shape().Dim(1), x.Graph()
	v := view{batch: in.Memory.Shape().Dim(0), samples: samples, seq: seq, memory: in.Memory}
	v.at = BroadcastToDims(InsertAxes(Iota(g, shapes.Make(dtypes.Int32, seq), 0), 0), samples, seq)
	v.ends = BroadcastToDims(InsertAxes(in.Lengths, 1), samples, seq)
	v.inside = LessThan(v.at, v.ends)
	v.selfMask, v.crossMask = InsertAxes(v.inside, 1, 1), InsertAxes(in.Present, 1, 1)
	v.self = nn.Attention{Heads: c.Heads, Rotary: c.rotary(s, in)}
	v.cross = nn.Attention{Heads: c.Heads}
	if in.Prior != nil {
		v.feedback = c.feedback(s.In("feedback"), in.Prior)
	}
	if c.Dimensional {
		v.self.Bias, v.cross.Bias = c.bias(s.In("dimensional"), in, v.batch)
	}
	if c.Kind == Shared {
		for i := range cmp.Or(c.BlockLayers, 1) {
			v.tables = append(v.tables, c.remember(s.At("block").At("layer_%d", i), v))
		}
	}
	return v
}

// remember makes the keys and values of the tables for a block.
func (c Config) remember(block *model.Scope, v view) nn.Memory {
	return v.cross.Remember(block.At("cross"), v.memory, c.Dim)
}

// block returns self-attention, cross-attention to tables and a feed-forward layer on x [samples,
// seq, Dim], normalised before each.
func (c Config) block(s *model.Scope, x *Node, v view, tables nn.Memory) *Node {
	h := nn.LayerNorm(s.In("norm_1"), x)
	x = Add(x, c.dropout(s, v.self.Apply(s.In("self"), h, h, v.selfMask)))
	q := Reshape(nn.LayerNorm(s.In("norm_2"), x), v.batch, v.samples/v.batch*v.seq, c.Dim)
	a := v.cross.Read(s.In("cross"), q, tables, v.crossMask)
	x = Add(x, c.dropout(s, Reshape(a, v.samples, v.seq, c.Dim)))
	return Add(x, c.dropout(s, c.feed(s.In("feed_forward"), nn.LayerNorm(s.In("norm_3"), x), v.inside)))
}

func (c Config) logits(s *model.Scope, x *Node) *Node {
	return nn.Linear(s.In("head"), nn.LayerNorm(s.In("norm"), x), c.Vocab)
}

func (c Config) dropout(s *model.Scope, x *Node) *Node {
	if c.Dropout == 0 {
		return x
	}
	return nn.Dropout(s, x, c.Dropout)
}

// Lengths returns logits [batch, Seq] of an expression having 1 … Seq tokens, read off a vector of
// the memory, [batch, Dim].
func (c Config) Lengths(s *model.Scope, slot *Node) *Node {
	return nn.Linear(s.In("out"), nn.GELU(nn.Linear(s.In("hidden"), slot, c.Dim)), c.Seq)
}
