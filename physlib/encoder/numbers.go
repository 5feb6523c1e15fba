package encoder

import (
	"math"
	"slices"

	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/nn"
	"github.com/physlib/lab/physlib/token"
	"github.com/physlib/lab/physlib/vec"
)

// Numbers is the encoding of a table in PARR (§2.1): each number becomes tokens of sign, mantissa
// and exponent, row by row. All tables have the same number of tokens, enough for Points rows of
// Cols columns and the target. If a table has fewer columns, more rows fit. Tokens after the last
// row are padding.
type Numbers struct {
	Code         token.Observations
	Cols, Points int
}

// Len returns the number of tokens of a table, including padding.
func (n Numbers) Len() int { return n.Points * (n.Cols + 1) * n.Code.PerNumber() }

// Write sets ids [Len] to the tokens of t, and values [Len] to the number to which each token
// belongs. If t has more rows than fit, it selects evenly spaced ones in the order of the target.
// The target is divided by its root mean square, since laws are predicted up to scale. Rows with a
// value that is not finite are skipped.
func (n Numbers) Write(t *features.Table, ids []int32, values []float32) {
	for i := range ids {
		ids[i], values[i] = n.Code.Pad(), 0
	}
	rows, rms := finite(t)
	per, x := n.Code.PerNumber(), make([]float64, min(len(t.X), n.Cols)+1)
	room, code := n.Len()/(len(x)*per), make([]int32, 0, len(x)*per)
	for p := range min(len(rows), room) {
		r := rows[p]
		if len(rows) > room {
			r = rows[(2*p+1)*len(rows)/(2*room)]
		}
		for c := range x[1:] {
			x[c] = t.X[c][r]
		}
		x[len(x)-1] = t.Y[r] / rms
		code = n.Code.AppendRow(code[:0], x...)
		copy(ids[p*len(code):], code)
		for i := range code {
			values[p*len(code)+i] = float32(math.Min(math.Max(x[i/per], -1e30), 1e30))
		}
	}
}

// places returns the row and the column of each token [batch, Len]. The target is column Cols.
// columns [batch, Cols+1] says which columns exist, with the target last. The results for padding
// tokens have no meaning.
func (n Numbers) places(columns *Node) (row, column *Node) {
	g, batch, size := columns.Graph(), columns.Shape().Dim(0), n.Len()
	numbers := make([]int32, size)
	for i := range numbers {
		numbers[i] = int32(i / n.Code.PerNumber())
	}
	all := func(x *Node) *Node { return BroadcastToDims(x, batch, size) }
	number := all(InsertAxes(Const(g, numbers), 0))
	// width is the number of numbers in a row.
	width := all(MaxScalar(ReduceAndKeep(ConvertDType(columns, dtypes.Int32), ReduceSum, 1), 1))
	row = Div(number, width)
	column = Sub(number, Mul(row, width))
	last := Equal(column, AddScalar(width, -1))
	return row, Where(last, Scalar(g, dtypes.Int32, n.Cols), column)
}

// finite returns the indices of the finite rows of t, sorted by the target and then by the columns.
// rms is the root mean square of the target, or 1 if that is zero or overflows.
func finite(t *features.Table) (rows []int, rms float64) {
	for i, y := range t.Y {
		if vec.Finite(y) && !slices.ContainsFunc(t.X, func(x []float64) bool { return !vec.Finite(x[i]) }) {
			rows = append(rows, i)
			rms = math.Hypot(rms, y)
		}
	}
	slices.SortFunc(rows, func(a, b int) int {
		for _, x := range append([][]float64{t.Y}, t.X...) {
			switch {
			case x[a] < x[b]:
				return -1
			case x[a] > x[b]:
				return 1
			}
		}
		return 0
	})
	if rms /= math.Sqrt(float64(len(rows))); rms == 0 || !vec.Finite(rms) {
		rms = 1
	}
	return rows, rms
}

// encodeNumbers is PARR's encoder: a transformer over the tokens with SwiGLU layers. Its rotary
// encoding rotates half of each head by the number of the row and half by the size of the value
// (§3.1). The rotation does not distinguish the tokens of a row. So each position in a row has a
// learned vector, to which the embedding of the column's unit is added.
func (c Config) encodeNumbers(s *model.Scope, in Inputs) (memory, present *Node) {
	n := c.Numbers
	g, batch, per := in.Numbers.Graph(), in.Numbers.Shape().Dim(0), n.Code.PerNumber()
	in.Numbers.AssertDims(batch, n.Len())
	present = NotEqual(in.Numbers, Scalar(g, in.Numbers.DType(), n.Code.Pad()))
	rows, columns := n.places(in.ColMask)
	within := make([]int32, n.Len()) // index of a token within its number
	for i := range within {
		within[i] = int32(i % per)
	}
	place := Add(MulScalar(columns, per), InsertAxes(Const(g, within), 0))
	x := nn.Embedding(s.In("numbers"), in.Numbers, n.Code.Size(), c.Dim)
	x = Add(x, nn.Embedding(s.In("places"), place, (n.Cols+1)*per, c.Dim))
	units := nn.Linear(s.In("cols_in"), in.Cols, c.Dim) // [batch, cols+1, dim]
	x = Add(x, DotGeneral(OneHot(columns, n.Cols+1, units.DType()), []int{2}, []int{0}, units, []int{1}, []int{0}))

	block := nn.Block{Hidden: c.Hidden, Feed: nn.SwiGLU, Dropout: c.Dropout}
	block.Self = nn.Attention{Heads: c.Heads, Rotary: nn.MultiScaleRoPE(rows, ConvertDType(in.Values, dtypes.Float32))}
	for i := range c.Layers {
		layer := s.In("block_%d", i)
		x = nn.Recomputed(s, x, func(x *Node) *Node { return block.Apply(layer, x, present, nil, nil) })
	}
	return nn.LayerNorm(s.In("norm"), x), present
}
