// Package decoder predicts the tokens of an expression from an encoded table (the memory) and the
// visible tokens. It has the masked-diffusion transformers of PhysDiffuse §4 and PhysMDT §2, whose
// attention is bidirectional. It also has PARR's transformer (§2.2), which applies one block
// repeatedly.
//
// # Design
//
// One memory serves many samples of the same table. In cross-attention, where positions do not
// interact, the samples are concatenated, so the memory's keys and values are computed once per
// table.
//
// A decoder is made of parts. Positions and Axes encode a token's position, Feed is the
// feed-forward layer, and Dimensional attention has biases that depend on units. Blocks are
// Stacked, or one Shared block is applied in a loop.
package decoder

import (
	"cmp"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn"
)

// Kind names how the blocks of a decoder are arranged. PhysDiffuse §4 and PhysMDT §2 stack blocks,
// PARR §2.2 shares one.
type Kind string

const (
	Stacked Kind = "stack"  // Layers blocks, each with weights of its own; "" means the same
	Shared  Kind = "shared" // one block of BlockLayers layers, applied Loops times (PARR §2.2)
)

// Config holds the settings of a decoder: those of PhysDiffuse §4, PhysMDT §2 and PARR §2.2, and a
// few of this project.
type Config struct {
	Kind      Kind
	Vocab     int // number of tokens of the vocabulary
	Seq       int // largest number of tokens in a sequence
	Dim       int
	Heads     int
	Hidden    int // width of the feed-forward layers; 0: 4·Dim
	Layers    int // number of blocks of a Stacked decoder
	Positions Positions
	// Axes of the rotary encoding in attention among tokens. If empty, there is no rotary encoding.
	Axes    []Axis
	Feed    Feed
	Dropout float64

	Mask        int32 // the mask token
	FirstVar    int32 // token of column 0; the tokens of the other columns follow it
	Dimensional bool  // whether attention has biases that depend on units, see Shown.Units

	BlockLayers int     // number of layers of a Shared block; 0: 1
	Loops       int     // number K of loops of a Shared block; 0: 8
	Blend       float64 // blending weight α in the first loop, which rises to 1 in the last; 0: 0.3
	NoAlgebra   bool    // omit the learned signal that Refine adds to the tokens (PARR §2.4)
	Backprop    int     // K_bp: number of loops through which gradients flow; 0: all
	Truncate    Truncate
}

// Shown holds the inputs of a decoder for a batch of expressions, except their embedded tokens. The
// papers have the visible tokens (PhysDiffuse §4) and their positions in the tree (PhysMDT §4).
// samples is a multiple of batch, and the samples of a table are consecutive.
type Shown struct {
	// IDs [samples, seq] int32 are the visible tokens, and Mask at masked positions. A Stacked
	// decoder that is not Dimensional does not need them.
	IDs     *Node
	Lengths *Node // [samples] int32: number of tokens of each expression
	Places  *Node // [samples, seq, NumPlaces] int32, see Places; only needed with Axes

	Memory  *Node // [batch, slots, Dim]: the encoded tables
	Present *Node // [batch, slots] bool: which slots exist

	// Units [batch, cols+1+slots, NumUnits] are the units of the columns, of the target and of the
	// slots of Memory, in this order. Only a Dimensional decoder needs them.
	Units *Node

	Prior *Prior // an earlier candidate; nil: the decoder has no such input
}

// Tokens embeds token ids [samples, seq] as [samples, seq, Dim]. The mask token has an embedding of
// its own, e_mask of the papers.
func (c Config) Tokens(s *model.Scope, ids *Node) *Node {
	return nn.Embedding(s.In("tokens"), ids, c.Vocab, c.Dim)
}

// Soft embeds token weights [samples, seq, vocab] as Σ_v w_v·E(v), the soft embedding of ARChitects
// §2. The weight of the mask token is the α of their α·E(mask).
func (c Config) Soft(s *model.Scope, weights *Node) *Node {
	return nn.SoftEmbedding(s.In("tokens"), weights, c.Dim)
}

// Denoise returns the logits [samples, seq, vocab] of all positions for embedded tokens x [samples,
// seq, Dim]. For a Shared block they are the logits of the last loop.
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

// view holds the inputs that all blocks share.
type view struct {
	batch, samples, seq int
	at, ends            *Node // [samples, seq]: index of each position, and length of its sequence
	inside              *Node // [samples, seq] bool: whether at < ends
	self, cross         nn.Attention
	memory              *Node       // [batch, slots, Dim]: the encoded tables
	tables              []nn.Memory // keys and values of each layer of a Shared block
	selfMask, crossMask *Node
	feedback            *Node // [samples, seq, Dim], added to the tokens; nil: none
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

// remember returns the keys and values of the memory for a block.
func (c Config) remember(block *model.Scope, v view) nn.Memory {
	return v.cross.Remember(block.At("cross"), v.memory, c.Dim)
}

// block applies self-attention, cross-attention to tables and a feed-forward layer to x [samples,
// seq, Dim], with layer normalization before each.
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

// Lengths returns logits [batch, Seq] of an expression's length, 1 … Seq tokens, from a vector
// [batch, Dim] of the memory.
func (c Config) Lengths(s *model.Scope, slot *Node) *Node {
	return nn.Linear(s.In("out"), nn.GELU(nn.Linear(s.In("hidden"), slot, c.Dim)), c.Seq)
}
