// Package encoder turns a table into a memory, a set of vectors to which a decoder attends. It has
// the Set Transformer of Lee et al. 2019 (arXiv:1810.00825), as in PhysDiffuse §3. It also has
// PhysMDT's DeepSets and PARR's transformer on the digits of numbers. For trajectories it has a
// perspective decay recurrence over the rows.
//
// # Design
//
// A set encoder reads the vectors of package features. Its memory does not depend on the order of
// the rows. Rows have no position, and columns are distinguished by their vectors. There are two
// kinds of blocks. The cost of set attention among all rows and columns (sab) is quadratic in the
// number of rows. Induced set attention (isab) goes through a few learned inducing points.
package encoder

import (
	"slices"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/nn"
)

// Kind names an encoder: of PhysDiffuse §3, PhysMDT §2, PARR §2.1, or of this project.
type Kind string

const (
	Sets     Kind = "set"      // Set Transformer (PhysDiffuse §3); "" means the same
	DeepSets Kind = "deepsets" // PhysMDT §2
	Digits   Kind = "numbers"  // PARR §2.1
	// PDR is a perspective decay recurrence (PDR §2) over the rows in their order, for
	// trajectories.
	PDR Kind = "pdr"
)

// Kinds lists the encoders.
var Kinds = []Kind{Sets, DeepSets, Digits, PDR}

// Config holds the settings of an encoder (PhysDiffuse §3, PhysMDT §2, PARR §2.1).
type Config struct {
	Kind     Kind
	Numbers  Numbers        // encoding of numbers, for Digits
	Shape    features.Shape // shape of the input; for PDR, its field Series must be set
	Series   Series         // settings for PDR
	Dim      int            // width of the memory
	Heads    int
	Hidden   int // width of the feed-forward layers; 0: 4·Dim
	Layers   int // number of blocks
	Inducing int // number of inducing points in each block; 0: attention among all rows and columns
	// Summary is the number of vectors that pool the memory. It may be any number for Sets (PMA)
	// and PDR, and 1 for DeepSets. If 0, the memory has one slot for each row and column.
	Summary int
	Dropout float64 // dropout rate after attention and feed-forward layers, in training
}

// Inputs are the tables as the network sees them, see features.Vectors. Rows and their masks are
// the observations of PhysDiffuse §3, Numbers the tokens of PARR §2.1, and Cols are of this
// project. batch is the number of tables.
type Inputs struct {
	Rows    *Node // [batch, points, RowDim]
	RowMask *Node // [batch, points] bool
	Cols    *Node // [batch, cols, ColDim], the target is the last
	ColMask *Node // [batch, cols] bool
	Numbers *Node // [batch, Numbers.Len] int32, see Numbers.Write; only for Digits
	Values  *Node // [batch, Numbers.Len], the number that each token belongs to
}

// Columns returns the column that each slot of the memory describes, [batch, slots] int32. It is
// the number of columns for the target, and -1 for a slot that does not describe a single column.
func (c Config) Columns(in Inputs, slots int) *Node {
	if c.Kind == Digits {
		_, columns := c.Numbers.places(in.ColMask)
		return columns
	}
	columns := slices.Repeat([]int32{-1}, slots)
	if !c.Shape.Raw && (c.Summary == 0 || c.Kind == PDR) {
		first := 0
		if c.Kind == DeepSets {
			first = 1
		}
		for i := range c.Shape.Slots() {
			columns[first+i] = int32(i)
		}
	}
	return BroadcastToDims(InsertAxes(Const(in.Cols.Graph(), columns), 0), in.Cols.Shape().Dim(0), slots)
}

// Encode returns the memory [batch, slots, Dim] of tables, and which of its slots exist, [batch,
// slots] bool. For a Raw shape the slots are the rows, and the sum of the column embeddings is
// added to each, as in PhysDiffuse. Otherwise the columns come first, with the target as the last
// of them, then the rows.
func (c Config) Encode(s *model.Scope, in Inputs) (memory, present *Node) {
	if c.Hidden == 0 {
		c.Hidden = 4 * c.Dim
	}
	switch c.Kind {
	case DeepSets:
		return c.encodeDeepSets(s, in)
	case Digits:
		return c.encodeNumbers(s, in)
	case PDR:
		return c.encodeSeries(s, in)
	}
	x, present := c.embed(s, in)
	mask := InsertAxes(present, 1, 1) // [batch, 1, 1, slots]
	for i := range c.Layers {
		block := s.In("block_%d", i)
		x = nn.Recomputed(s, x, func(x *Node) *Node { return c.block(block, x, mask) })
	}
	if c.Summary > 0 {
		x = nn.PMA(s.In("pool"), x, c.Summary, c.Heads, c.Hidden, mask)
		present = BroadcastToDims(Const(x.Graph(), true), x.Shape().Dim(0), c.Summary)
	}
	return nn.LayerNorm(s.In("norm"), x), present
}

// embed maps columns and rows to vectors [batch, slots, Dim], and returns which slots exist.
func (c Config) embed(s *model.Scope, in Inputs) (x, present *Node) {
	// PhysDiffuse §3: Linear(D+1, dim) plus the sum of the embeddings of the present columns
	if c.Shape.Raw {
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

// block applies one layer of attention to the slots x [batch, slots, Dim].
func (c Config) block(s *model.Scope, x, mask *Node) *Node {
	if c.Inducing > 0 {
		return nn.ISAB(s, x, c.Inducing, c.Heads, c.Hidden, mask)
	}
	h := nn.LayerNorm(s.In("norm_1"), x)
	x = Add(x, c.dropout(s, nn.Attention{Heads: c.Heads}.Apply(s.In("attention"), h, h, mask)))
	return Add(x, c.dropout(s, nn.FeedForward(s.In("feed_forward"), nn.LayerNorm(s.In("norm_2"), x), c.Hidden, nn.GELU)))
}
