package encoder

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/pdr"
)

// Series has the settings of the encoder PDR besides those of all encoders; Layers counts
// recurrences and attentions.
type Series struct {
	Rank   int // of each head's state; 0: 16
	Every  int // each which layer is windowed attention; 0: none
	Window int // rows that it sees; 0: 64
}

// Stack returns the network that PDR reads a series with.
func (c Config) Stack() pdr.Config {
	return pdr.Config{Layers: c.Layers, Dim: c.Dim, Rank: c.Series.Rank, Heads: c.Heads, Every: c.Series.Every, QHeads: c.Heads,
		Window: c.Series.Window, Hidden: c.Hidden}
}

// encodeSeries reads the rows one after the other, by a stack of perspective decay recurrences and
// windowed attention. Time and memory are linear in their number. The output at the last row has
// seen the whole series. With a Summary the memory is the outputs after so many equal parts of the
// series, otherwise at each row. Columns come first.
func (c Config) encodeSeries(s *model.Scope, in Inputs) (memory, present *Node) {
	x, _ := c.embed(s, in)
	first := c.Shape.Slots()
	if c.Shape.Raw {
		first = 0
	}
	columns := Slice(x, AxisRange(), AxisRange(0, first))
	y, _ := c.Stack().Apply(s.In("series"), Slice(x, AxisRange(), AxisRange(first)), nil, 0)
	there := in.RowMask
	if c.Summary > 0 {
		y, there = parts(y, there, c.Summary)
	}
	if first > 0 {
		y, there = Concatenate([]*Node{columns, y}, 1), Concatenate([]*Node{in.ColMask, there}, 1)
	}
	return y, there
}

// parts returns the last rows of n equal parts of the existing rows of y [batch, rows, dim],
// [batch, n, dim]. there [batch, rows] is true up to the last row, and then false.
func parts(y, there *Node, n int) (last, present *Node) {
	g, batch, rows := y.Graph(), y.Shape().Dim(0), y.Shape().Dim(1)
	count := ReduceAndKeep(ConvertDType(there, dtypes.Int32), ReduceSum, 1) // [batch, 1]
	part := make([]int32, n)
	for i := range part {
		part[i] = int32(i + 1)
	}
	ends := BroadcastToDims(InsertAxes(Const(g, part), 0), batch, n)
	place := SubScalar(DivScalar(AddScalar(Mul(ends, BroadcastToDims(count, batch, n)), n-1), n), 1) // ⌈i·count/n⌉ - 1
	place = Max(place, ZerosLike(place))
	chosen := OneHot(place, rows, y.DType())
	last = DotGeneral(chosen, []int{2}, []int{0}, y, []int{1}, []int{0})
	return last, BroadcastToDims(GreaterThan(count, ZerosLike(count)), batch, n)
}
