// Package encoder turns the vectors of a table (package features) into a memory that a decoder attends to: the Set
// Transformer of Lee et al. 2019 (arXiv:1810.00825), as PhysDiffuse §3 uses it.
//
// # Design
//
// The memory does not depend on the order of the rows: rows carry no position, and columns are told apart by a vector of
// their own. Two kinds of blocks exist: set attention among all rows and columns (sab), whose work grows with the square of
// the rows, and induced set attention (isab), where a few learned inducing points stand between them.
package encoder

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/nn"
)

// Config says how a set encoder is built.
type Config struct {
	Shape    features.Shape // of the input
	Dim      int            // of the memory
	Heads    int
	Hidden   int     // width of the feed-forward layers; 0: 4·Dim
	Layers   int     // blocks
	Inducing int     // inducing points of each block; 0: set attention among all rows and columns
	Summary  int     // seed vectors that pool the memory (PMA); 0: the memory is what the blocks leave of rows and columns
	Dropout  float64 // after attention and feed-forward layers while training
}

// Inputs are tables as the network sees them, see features.Vectors; batch counts tables.
type Inputs struct {
	Rows    *Node // [batch, points, RowDim]
	RowMask *Node // [batch, points] bool
	Cols    *Node // [batch, cols, ColDim], the target's last
	ColMask *Node // [batch, cols] bool
}

// Encode gives the memory [batch, slots, Dim] of tables and which of its slots exist, [batch, slots] bool. The memory of
// a raw shape has slots for rows only, to which the seed's sum of column embeddings is added; otherwise columns come
// first, the target's last among them.
func (c Config) Encode(s *model.Scope, in Inputs) (memory, present *Node) {
	if c.Hidden == 0 {
		c.Hidden = 4 * c.Dim
	}
	x, present := c.embed(s, in)
	mask := InsertAxes(present, 1, 1) // [batch, 1, 1, slots]
	for i := range c.Layers {
		block := s.In("block_%d", i)
		if c.Inducing > 0 {
			x = nn.ISAB(block, x, c.Inducing, c.Heads, c.Hidden, mask)
			continue
		}
		h := nn.LayerNorm(block.In("norm_1"), x)
		x = Add(x, c.dropout(block, nn.Attention{Heads: c.Heads}.Apply(block.In("attention"), h, h, mask)))
		x = Add(x, c.dropout(block, nn.FeedForward(block.In("feed_forward"), nn.LayerNorm(block.In("norm_2"), x), c.Hidden, nn.GELU)))
	}
	if c.Summary > 0 {
		x = nn.PMA(s.In("pool"), x, c.Summary, c.Heads, c.Hidden, mask)
		present = BroadcastToDims(Const(x.Graph(), true), x.Shape().Dim(0), c.Summary)
	}
	return nn.LayerNorm(s.In("norm"), x), present
}

// embed maps rows and columns to vectors of the model, [batch, slots, Dim].
func (c Config) embed(s *model.Scope, in Inputs) (x, present *Node) {
	if c.Shape.Raw { // PhysDiffuse §3: Linear(D+1, dim) + Σ of the present columns' embeddings
		x = nn.Linear(s.In("rows"), in.Rows, c.Dim)
		columns := nn.Linear(s.In("cols"), Reshape(in.Cols, in.Cols.Shape().Dim(0), -1), c.Dim)
		return Add(x, InsertAxes(columns, 1)), in.RowMask
	}
	rows := nn.FeedForward(s.In("rows"), nn.Linear(s.In("rows_in"), in.Rows, c.Dim), c.Dim, nn.GELU)
	cols := nn.FeedForward(s.In("cols"), nn.Linear(s.In("cols_in"), in.Cols, c.Dim), c.Dim, nn.GELU)
	return Concatenate([]*Node{cols, rows}, 1), Concatenate([]*Node{in.ColMask, in.RowMask}, 1)
}

func (c Config) dropout(s *model.Scope, x *Node) *Node {
	if c.Dropout == 0 {
		return x
	}
	return nn.Dropout(s, x, c.Dropout)
}
