package encoder

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/pdr"
)

// Series holds the settings that only the encoder PDR has. Config.Layers counts both its
// recurrences and its attentions.
type Series struct {
	Rank   int // rank of each head's state; 0: 16
	Every  int // each Every-th layer is windowed attention; 0: none
	Window int // number of rows that windowed attention sees; 0: 64
}

// Stack returns the configuration of the recurrent network that reads the rows.
func (c Config) Stack() pdr.Config {
	return pdr.Config{Layers: c.Layers, Dim: c.Dim, Rank: c.Series.Rank, Heads: c.Heads, Every: c.Series.Every, QHeads: c.Heads,
		Window: c.Series.Window, Hidden: c.Hidden}
}

// encodeSeries reads the rows in order, by a stack of perspective decay recurrences and windowed
// attention. Time and memory are linear in the number of rows. The output at each row depends on
// that row and all previous rows.
//
// If Summary is 0, the memory holds the outputs at all rows. Otherwise the series is divided into
// Summary equal parts, and the memory holds the output at the end of each. If there are slots for
// columns, they come first.
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

// parts divides the existing rows of y [batch, rows, dim] into n equal parts, and returns the last
// row of each, [batch, n, dim]. there [batch, rows] must be true up to the last existing row and
// false after it.
func parts(y, there *Node, n int) (last, present *Node) {
	g, batch, rows := y.Graph(), y.Shape().Dim(0), y.Shape().Dim(1)
	count := ReduceAndKeep(ConvertDType(there, dtypes.Int32), ReduceSum, 1) // [batch, 1]
	part := make([]int32, n)
	for i := range part {
		part[i] = int32(i + 1)
	}
	ends := BroadcastToDims(InsertAxes(Const(g, part), 0), batch, n)
	// index of the last row of a part: ⌈i·count/n⌉ - 1
	place := SubScalar(DivScalar(AddScalar(Mul(ends, BroadcastToDims(count, batch, n)), n-1), n), 1)
	place = Max(place, ZerosLike(place))
	chosen := OneHot(place, rows, y.DType())
	last = DotGeneral(chosen, []int{2}, []int{0}, y, []int{1}, []int{0})
	return last, BroadcastToDims(GreaterThan(count, ZerosLike(count)), batch, n)
}
