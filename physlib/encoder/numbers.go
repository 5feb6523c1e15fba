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
)

// Numbers is how PARR reads a table (§2.1): each number as tokens of sign, mantissa and exponent. All tables have the same
// layout, Points rows of Cols columns and the target; the tokens of what a table has not are padding.
type Numbers struct {
	Code         token.Observations
	Cols, Points int
}

// Len is the number of tokens.
func (n Numbers) Len() int { return n.Points * n.row() }

// row is the number of tokens of a row.
func (n Numbers) row() int { return (n.Cols + 1) * n.Code.PerNumber() }

// Columns are the column of each token, Cols for the target.
func (n Numbers) Columns() []int {
	columns := make([]int, n.Len())
	for i := range columns {
		columns[i] = i % n.row() / n.Code.PerNumber()
	}
	return columns
}

// Write writes the tokens of t into ids [Len] and the number to which each belongs into values [Len]. Where t has more rows
// than Points they are evenly spaced ones in the order of the target. The target is divided by its root mean square, since
// laws are predicted up to scale. Rows in which a value is not finite are left out.
func (n Numbers) Write(t *features.Table, ids []int32, values []float32) {
	for i := range ids {
		ids[i], values[i] = n.Code.Pad(), 0
	}
	rows, rms := finite(t)
	per, buffer := n.Code.PerNumber(), make([]int32, 0, n.row())
	put := func(place int, x float64, more bool) {
		buffer = n.Code.AppendRow(buffer[:0], x, 0)[:per]
		if !more { // the end of a row, not of a column
			buffer = n.Code.AppendRow(buffer[:0], x)
		}
		copy(ids[place*per:], buffer)
		for i := range per {
			values[place*per+i] = float32(math.Min(math.Max(x, -1e30), 1e30))
		}
	}
	for p := range min(len(rows), n.Points) {
		r := rows[p]
		if len(rows) > n.Points {
			r = rows[(2*p+1)*len(rows)/(2*n.Points)]
		}
		for c := range min(len(t.X), n.Cols) {
			put(p*(n.Cols+1)+c, t.X[c][r], true)
		}
		put(p*(n.Cols+1)+n.Cols, t.Y[r]/rms, false)
	}
}

// finite are the rows of t that have only finite values, in the order of the target and then of the columns, and the root
// mean square of the target, 1 if that is zero.
func finite(t *features.Table) (rows []int, rms float64) {
	ok := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
	for i, y := range t.Y {
		if ok(y) && !slices.ContainsFunc(t.X, func(x []float64) bool { return !ok(x[i]) }) {
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
	if rms /= math.Sqrt(float64(len(rows))); rms == 0 || !ok(rms) {
		rms = 1
	}
	return rows, rms
}

// encodeNumbers is PARR's encoder: a transformer over the tokens, whose attention turns half of each head by the number of the
// row and half by the size of the value (§3.1), with SwiGLU layers. The rotary positions do not tell the tokens of a row
// apart, so each place in a row has a learned vector, and each column one of its units.
func (c Config) encodeNumbers(s *model.Scope, in Inputs) (memory, present *Node) {
	n := c.Numbers
	g, batch := in.Numbers.Graph(), in.Numbers.Shape().Dim(0)
	in.Numbers.AssertDims(batch, n.Len())
	per, row := n.Code.PerNumber(), n.row()
	present = NotEqual(in.Numbers, Scalar(g, in.Numbers.DType(), n.Code.Pad()))
	places, points := make([]int32, n.Len()), make([]int32, n.Len())
	for i := range places {
		places[i], points[i] = int32(i%row), int32(i/row)
	}
	x := nn.Embedding(s.In("numbers"), in.Numbers, n.Code.Size(), c.Dim)
	x = Add(x, InsertAxes(nn.Embedding(s.In("places"), Const(g, places), row, c.Dim), 0))
	units := nn.Linear(s.In("cols_in"), in.Cols, c.Dim) // [batch, cols+1, dim]
	units = BroadcastToDims(InsertAxes(InsertAxes(units, 1), 3), batch, n.Points, n.Cols+1, per, c.Dim)
	x = Add(x, Reshape(units, batch, n.Len(), c.Dim))

	block := nn.Block{Hidden: c.Hidden, Feed: nn.SwiGLU, Dropout: c.Dropout}
	block.Self = nn.Attention{Heads: c.Heads, Rotary: nn.MultiScaleRoPE(InsertAxes(Const(g, points), 0), ConvertDType(in.Values, dtypes.Float32))}
	for i := range c.Layers {
		layer := s.In("block_%d", i)
		x = nn.Recomputed(s, x, func(x *Node) *Node { return block.Apply(layer, x, present, nil, nil) })
	}
	return nn.LayerNorm(s.In("norm"), x), present
}
