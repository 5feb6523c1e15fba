package decoder

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/physlib/lab/physlib/nn"
	"github.com/physlib/lab/physlib/token"
)

// Positions names what is added to a token's embedding for its position in the sequence. BothEnds
// is of this project, not in the papers.
type Positions string

const (
	Sinusoidal Positions = "sinusoidal" // fixed (PhysDiffuse §4)
	BothEnds   Positions = "both-ends"  // learned, counted from both ends of the expression
	// None adds nothing. Masked tokens whose position in the tree is unknown then cannot be
	// distinguished.
	None Positions = "none"
)

// Axis names a coordinate of a token's position for rotary encoding, which rotates queries and keys
// in attention. Each axis has an equal share of every head.
type Axis string

const (
	// AxisSequence is the position in the sequence, the usual 1-D encoding (PARR §3.2). It cannot
	// be combined with other axes.
	AxisSequence Axis = "sequence"

	// Axes of a token's position in the tree. ARChitects §3 uses depth and sibling, PhysMDT §4 uses
	// all except sibling.
	AxisDepth   Axis = "depth"   // edges to the root
	AxisSibling Axis = "sibling" // index among the operands of the parent
	// Index among the tokens of the same depth, from left to right.
	AxisAcross       Axis = "across"
	AxisDiagonal     Axis = "diagonal"     // depth + across
	AxisAntidiagonal Axis = "antidiagonal" // depth - across
)

// AxisNames lists the axes.
var AxisNames = []Axis{AxisSequence, AxisDepth, AxisSibling, AxisAcross, AxisDiagonal, AxisAntidiagonal}

// NumPlaces is the number of values that Places sets for a token: depth, sibling, across, and a
// last one that is 1 if these are known.
const NumPlaces = 4

// Places sets to [len(ids), NumPlaces] to the tree positions of ids, the tokens of one expression.
// Training and inference replace masked tokens by the mask before they call it, so no position
// depends on a masked token. The last value for each token is 1 if its position is known.
func Places(v *token.Vocabulary, ids []int32, to []int32) {
	for i, p := range v.Positions(ids) {
		row := to[i*NumPlaces : (i+1)*NumPlaces]
		clear(row)
		if p.Known {
			row[0], row[1], row[2], row[3] = int32(p.Depth), int32(p.Sibling), int32(p.Horizontal), 1
		}
	}
}

// Tree reports whether the axes are positions in the tree. If so, the decoder needs Places.
func Tree(axes []Axis) bool { return len(axes) > 0 && axes[0] != AxisSequence }

// rotary returns the rotary encoding of the tokens' positions, or nil if there are no Axes.
func (c Config) rotary(s *model.Scope, in Shown) nn.Rotary {
	switch {
	case len(c.Axes) == 0:
		return nil
	case !Tree(c.Axes):
		return nn.RoPE()
	}
	in.Places.AssertDims(-1, -1, NumPlaces)
	at := func(i int) *Node { return Squeeze(Slice(in.Places, AxisRange(), AxisRange(), AxisElem(i)), -1) }
	depth, sibling, across := at(0), at(1), at(2)
	var axes []nn.Axis
	for _, a := range c.Axes {
		var p *Node
		switch a {
		case AxisDepth:
			p = depth
		case AxisSibling:
			p = sibling
		case AxisAcross:
			p = across
		case AxisDiagonal:
			p = Add(depth, across)
		case AxisAntidiagonal:
			p = Sub(depth, across)
		default:
			exceptions.Panicf("decoder: no axis %q of a place in the tree", a)
		}
		axes = append(axes, nn.Axis{Position: p})
	}
	return nn.RotaryAxes(s.In("tree"), GreaterThan(at(3), ZerosLike(at(3))), axes...)
}

// place adds the encoding of the positions in the sequence to x [samples, seq, Dim]. It also adds
// the feedback about an earlier candidate if there is one.
func (c Config) place(s *model.Scope, x *Node, v view) *Node {
	if v.feedback != nil {
		x = Add(x, v.feedback)
	}
	switch c.Positions {
	case None:
		return x
	case BothEnds:
		x = Add(x, nn.Embedding(s.In("from_start"), v.at, c.Seq, c.Dim))
		left := MaxScalar(Sub(AddScalar(v.ends, -1), v.at), 0) // 0 for the last token
		return Add(x, nn.Embedding(s.In("from_end"), left, c.Seq, c.Dim))
	default:
		return Add(x, ConvertDType(InsertAxes(nn.Sinusoidal(x.Graph(), v.seq, c.Dim), 0), x.DType()))
	}
}
