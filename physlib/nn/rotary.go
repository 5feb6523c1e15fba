package nn

import (
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"
)

// Axis is one coordinate of the positions of a rotary encoding.
type Axis struct {
	Position *Node   // [batch or 1, seq], integer or fractional
	Base     float64 // base of the frequencies; 0 means 10000
}

// RoPE returns the rotary encoding of the position in the sequence, 0 … seq-1, with base 10000 (J.
// Su et al., RoFormer, 2021).
func RoPE() Rotary {
	return func(x *Node) *Node {
		place := Iota(x.Graph(), shapes.Make(dtypes.Int32, 1, x.Shape().Dim(1)), 1)
		return RotaryAxes(nil, nil, Axis{Position: place})(x)
	}
}

// TreeRoPE returns PhysMDT's rotary encoding of the position in the expression tree (PhysMDT §4). A
// quarter of each head's dimensions is used for each of the coordinates
//
//	depth,   across,   depth + across,   depth - across
//
// depth counts from the root. across counts from the left among the nodes of equal depth. Both are
// [batch, seq]. The paper splits d_model. Here each head is split, so that every head sees all
// coordinates. s and known are as in RotaryAxes.
func TreeRoPE(s *model.Scope, depth, across, known *Node) Rotary {
	depth, across = exact(depth), exact(across)
	return RotaryAxes(s, known, Axis{Position: depth}, Axis{Position: across},
		Axis{Position: Add(depth, across)}, Axis{Position: Sub(depth, across)})
}

// DepthSiblingRoPE returns ARChitects' rotary encoding of the position in the expression tree
// (ARChitects §3). Half of each head's dimensions are for the depth below the root, half for the
// index among the siblings, both [batch, seq]. s and known are as in RotaryAxes.
func DepthSiblingRoPE(s *model.Scope, depth, sibling, known *Node) Rotary {
	return RotaryAxes(s, known, Axis{Position: depth}, Axis{Position: sibling})
}

// MultiScaleRoPE returns PARR's rotary encoding of observations (PARR §3.1). Half of each head's
// dimensions are for the position of a data point, with base 10000. The other half are for the
// magnitude of its value, sign(v)·log(1+|v|), with base 1000. Both are [batch, seq]. PARR splits
// d_model; here each head is split.
func MultiScaleRoPE(position, value *Node) Rotary {
	value = exact(value)
	return RotaryAxes(nil, nil, Axis{Position: position}, Axis{Position: Mul(Sign(value), Log1P(Abs(value))), Base: 1000})
}

// RotaryAxes returns a rotary encoding of positions with any number K of coordinates. Each
// coordinate has an equal share of every head, d = headDim/K dimensions. Its axis rotates the pairs
// of dimensions (2i, 2i+1) of this share by the angle
//
//	θ_i = position/base^(2i/d).
//
// The product of a rotated query and key then depends on their positions only through the
// difference of these.
//
// known, a bool [batch or 1, seq], marks the known positions; nil means all. A masked token, for
// example, has no position in a tree yet. Unknown positions are rotated by learned angles, the
// variable unknown [headDim/2] in the scope s, which all layers share. It is initially Noise with
// standard deviation 1, so that an unknown position is unlike any known one. If s is nil, unknown
// positions are not rotated, which makes them look like position 0.
func RotaryAxes(s *model.Scope, known *Node, axes ...Axis) Rotary {
	type size struct {
		headDim int
		dt      dtypes.DType
	}
	type turn struct{ cos, sin *Node }
	memo := map[size]turn{}
	return func(x *Node) *Node {
		at := size{x.Shape().Dim(3), master(x.DType())}
		t, ok := memo[at]
		if !ok {
			angle := angles(s, known, axes, at.headDim, at.dt)
			t = turn{Cos(angle), Sin(angle)}
			memo[at] = t
		}
		return rotate(x, t.cos, t.sin)
	}
}

// rotate rotates the pairs of elements (2i, 2i+1) of x [batch, seq, heads, headDim]. It returns x ⊙
// cos + swapped ⊙ sin, where swapped is x with the elements of each pair exchanged. cos and sin are
// [batch or 1, seq, 1, headDim]. For the first element of a pair, sin has a minus sign.
func rotate(x, cos, sin *Node) *Node {
	dims, dt := x.Shape().Dimensions, x.DType()
	x = exact(x)
	swapped := Reshape(Reverse(Reshape(x, dims[0], dims[1], dims[2], dims[3]/2, 2), -1), dims...)
	return ConvertDType(Add(Mul(x, cos), Mul(swapped, sin)), dt)
}

// angles returns ±θ of type dt, [batch or 1, seq, 1, headDim]. The sign is minus for the first
// element of each pair.
func angles(s *model.Scope, known *Node, axes []Axis, headDim int, dt dtypes.DType) *Node {
	share := headDim / len(axes)
	if share*len(axes) != headDim || share%2 != 0 {
		exceptions.Panicf("rotary: headDim %d does not split into pairs for %d axes; it must be a multiple of %d",
			headDim, len(axes), 2*len(axes))
	}
	batch := 1
	for _, a := range axes {
		batch = max(batch, a.Position.Shape().Dim(0))
	}
	var parts []*Node
	for _, a := range axes {
		base := a.Base
		if base == 0 {
			base = 10000
		}
		frequencies := make([]float64, share)
		for i := range frequencies {
			frequencies[i] = math.Pow(base, -float64(i/2*2)/float64(share)) * float64(2*(i%2)-1)
		}
		p := InsertAxes(ConvertDType(a.Position, dt), -1, -1) // [batch, seq, 1, 1]
		angle := Mul(p, ExpandLeftToRank(row(p.Graph(), dt, frequencies), 4))
		parts = append(parts, BroadcastToDims(angle, batch, angle.Shape().Dim(1), 1, share))
	}
	angle := Concatenate(parts, -1)
	if known == nil {
		return angle
	}
	unknown := ScalarZero(angle.Graph(), dt)
	if s != nil {
		learned := ExpandAxes(weight(s, angle.Graph(), "unknown", 1, dt, headDim/2), 1)
		unknown = Reshape(Concatenate([]*Node{Neg(learned), learned}, 1), 1, 1, 1, headDim)
	}
	return Where(InsertAxes(known, -1, -1), angle, unknown)
}

// row returns x as a constant of type dt, [len(x)].
func row(g *Graph, dt dtypes.DType, x []float64) *Node { return ConvertDType(Const(g, x), dt) }
