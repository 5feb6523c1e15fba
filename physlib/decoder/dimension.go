package decoder

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/model/initializer"

	"github.com/physlib/lab/physlib/unit"
)

// NumUnits is the length of a column's units. These are the exponents of the base units, and a last
// number that is 1 if they are known and 0 if not.
const NumUnits = len(unit.Dim{}) + 1

// bias returns the biases of dimensional attention. PARR §7 names it without a definition; here it
// changes the scores of attention to
//
//	score_ij + λ_h·C_ij,   C_ij = 1 for equal units, -1 for different, 0 for unknown,
//
// with a learned λ for each head h, initially 0. The biases are used among tokens and from tokens
// to the memory. A visible variable has the units of its column. A slot of the memory has the units
// of the column that it describes. The units of other tokens are unknown. Since only terms of equal
// units may be added, the bias shows which terms may be added.
//
// The biases are [samples, heads, seq, seq] and [batch, heads, samples/batch·seq, slots].
func (c Config) bias(s *model.Scope, in Shown, batch int) (self, cross *Node) {
	g, columns := in.IDs.Graph(), in.Units.Shape().Dim(1)-in.Memory.Shape().Dim(1)
	of, slots := Slice(in.Units, AxisRange(), AxisRange(0, columns)), Slice(in.Units, AxisRange(), AxisRange(columns))
	samples, seq := in.IDs.Shape().Dim(0), in.IDs.Shape().Dim(1)
	// The column of each token. For tokens that are not variables it is out of range, which means
	// unknown units.
	tokens := UnitsOf(Reshape(Sub(in.IDs, Scalar(g, in.IDs.DType(), c.FirstVar)), batch, -1), of, columns-1)
	perSample := Reshape(tokens, samples, seq, NumUnits)
	self = Mul(InsertAxes(compatible(perSample, perSample), 1), c.scale(s.In("self"), g))
	cross = Mul(InsertAxes(compatible(tokens, slots), 1), c.scale(s.In("cross"), g))
	return self, cross
}

// scale returns the learned factor λ of each head, [1, heads, 1, 1].
func (c Config) scale(s *model.Scope, g *Graph) *Node {
	lambda := s.WithInitializer(initializer.Zero).VariableWithShape("lambda", shapes.Make(dtypes.Float32, c.Heads)).NodeValue(g)
	return Reshape(lambda, 1, c.Heads, 1, 1)
}

// UnitsOf returns the units [batch, n, NumUnits] of the columns with the given numbers [batch, n].
// A number outside [0, limit) gets zeros. units [batch, columns, NumUnits] has the units of all
// columns.
func UnitsOf(columns, units *Node, limit int) *Node {
	g, all := columns.Graph(), units.Shape().Dim(1)
	valid := LogicalAnd(GreaterOrEqual(columns, ZerosLike(columns)), LessThan(columns, Scalar(g, columns.DType(), limit)))
	at := OneHot(Where(valid, columns, ZerosLike(columns)), all, dtypes.Float32)
	at = Mul(at, InsertAxes(ConvertDType(valid, dtypes.Float32), -1))
	return DotGeneral(at, []int{2}, []int{0}, units, []int{1}, []int{0})
}

// compatible returns C [batch, n, m] of bias for units a [batch, n, NumUnits] and b [batch, m,
// NumUnits].
func compatible(a, b *Node) *Node {
	powers := func(x *Node) *Node { return Slice(x, AxisRange(), AxisRange(), AxisRange(0, NumUnits-1)) }
	known := func(x *Node) *Node { return Slice(x, AxisRange(), AxisRange(), AxisRange(NumUnits-1)) }
	apart := ReduceSum(Abs(Sub(InsertAxes(powers(a), 2), InsertAxes(powers(b), 1))), -1)
	both := Mul(known(a), TransposeAllAxes(known(b), 0, 2, 1))
	differ := ConvertDType(GreaterThan(apart, Scalar(a.Graph(), apart.DType(), 1e-3)), apart.DType())
	return Mul(both, AddScalar(MulScalar(differ, -2), 1))
}
