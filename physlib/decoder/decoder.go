// Package decoder predicts the tokens of an expression from a memory of the table and from the tokens that are visible:
// the masked-diffusion transformer of PhysDiffuse §4, whose attention is bidirectional.
//
// # Design
//
// One memory serves many samples of the same table: the samples' positions stand side by side in cross-attention, which
// knows no neighbours, so that keys and values of the memory are computed once a table.
package decoder

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn"
)

// Positions names how a token's place enters.
type Positions string

const (
	Sinusoidal Positions = "sinusoidal" // fixed, added to the embedding (PhysDiffuse §4)
	BothEnds   Positions = "both-ends"  // learned, counted from the start and from the end of the expression
)

// Config says how a decoder is built.
type Config struct {
	Vocab     int
	Seq       int // longest sequence
	Dim       int
	Heads     int
	Hidden    int // width of the feed-forward layers; 0: 4·Dim
	Layers    int
	Positions Positions
	Dropout   float64
}

// Tokens embeds token ids [samples, seq] as [samples, seq, Dim]. The row of the mask token is the seed's e_mask.
func (c Config) Tokens(s *model.Scope, ids *Node) *Node {
	return nn.Embedding(s.In("tokens"), ids, c.Vocab, c.Dim)
}

// Soft embeds weights over tokens [samples, seq, vocab]: Σ_v w_v·E(v), the soft embedding of ARChitects §2; weight on the
// mask token is their α·E(mask).
func (c Config) Soft(s *model.Scope, weights *Node) *Node {
	return nn.SoftEmbedding(s.In("tokens"), weights, c.Dim)
}

// Denoise gives the logits [samples, seq, vocab] of all positions, where x [samples, seq, Dim] are embedded tokens,
// lengths [samples] int32 how many of the positions belong to the expression, memory [batch, slots, Dim] the tables'
// and present [batch, slots] bool their existing slots. samples is a multiple of batch: samples of one table follow each other.
func (c Config) Denoise(s *model.Scope, x, lengths, memory, present *Node) *Node {
	if c.Hidden == 0 {
		c.Hidden = 4 * c.Dim
	}
	samples, seq, batch := x.Shape().Dim(0), x.Shape().Dim(1), memory.Shape().Dim(0)
	g := x.Graph()
	at := BroadcastToDims(InsertAxes(Iota(g, shapes.Make(dtypes.Int32, seq), 0), 0), samples, seq)
	ends := BroadcastToDims(InsertAxes(lengths, 1), samples, seq)
	inside := LessThan(at, ends) // [samples, seq]
	x = c.place(s, x, at, ends)
	self, cross := InsertAxes(inside, 1, 1), InsertAxes(present, 1, 1)
	for i := range c.Layers {
		block := s.In("block_%d", i)
		h := nn.LayerNorm(block.In("norm_1"), x)
		x = Add(x, c.dropout(block, nn.Attention{Heads: c.Heads}.Apply(block.In("self"), h, h, self)))
		q := Reshape(nn.LayerNorm(block.In("norm_2"), x), batch, samples/batch*seq, c.Dim)
		a := nn.Attention{Heads: c.Heads}.Apply(block.In("cross"), q, memory, cross)
		x = Add(x, c.dropout(block, Reshape(a, samples, seq, c.Dim)))
		x = Add(x, c.dropout(block, nn.FeedForward(block.In("feed_forward"), nn.LayerNorm(block.In("norm_3"), x), c.Hidden, nn.GELU)))
	}
	return nn.Linear(s.In("head"), nn.LayerNorm(s.In("norm"), x), c.Vocab)
}

// place adds the positions at [samples, seq] of sequences of the given lengths [samples, seq] to x.
func (c Config) place(s *model.Scope, x, at, lengths *Node) *Node {
	switch c.Positions {
	case BothEnds:
		x = Add(x, nn.Embedding(s.In("from_start"), at, c.Seq, c.Dim))
		left := MaxScalar(Sub(AddScalar(lengths, -1), at), 0) // 0 for the last token
		return Add(x, nn.Embedding(s.In("from_end"), left, c.Seq, c.Dim))
	default:
		return Add(x, InsertAxes(nn.Sinusoidal(x.Graph(), x.Shape().Dim(1), c.Dim), 0))
	}
}

func (c Config) dropout(s *model.Scope, x *Node) *Node {
	if c.Dropout == 0 {
		return x
	}
	return nn.Dropout(s, x, c.Dropout)
}

// Lengths gives logits [batch, Seq] of an expression having 1 … Seq tokens, read off one slot of the memory, [batch, Dim].
func (c Config) Lengths(s *model.Scope, slot *Node) *Node {
	return nn.Linear(s.In("out"), nn.GELU(nn.Linear(s.In("hidden"), slot, c.Dim)), c.Seq)
}
