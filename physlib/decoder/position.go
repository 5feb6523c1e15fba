package decoder

import (
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/support/exceptions"

	"github.com/physlib/lab/physlib/nn"
	"github.com/physlib/lab/physlib/token"
)

// Positions names what is added to a token's embedding for its place in the sequence.
type Positions string

const (
	Sinusoidal Positions = "sinusoidal" // fixed (PhysDiffuse §4)
	BothEnds   Positions = "both-ends"  // learned, counted from the start and from the end of the expression
	None       Positions = "none"       // nothing; hidden tokens whose place in the tree is unknown then look alike
)

// Axis names a coordinate of a token's place by which attention turns queries and keys (rotary
// encoding). Each axis has an equal share of every head.
type Axis string

const (
	AxisSequence     Axis = "sequence" // position in the sequence, without another axis: the common 1-D encoding (PARR §3.2)
	AxisDepth        Axis = "depth"    // edges to the root
	AxisSibling      Axis = "sibling"  // which operand it is (ARChitects §3, with depth)
	AxisAcross       Axis = "across"   // place among the tokens of the same depth, from left to right
	AxisDiagonal     Axis = "diagonal" // depth + across (PhysMDT §4, with depth, across and antidiagonal)
	AxisAntidiagonal Axis = "antidiagonal"
)

// AxisNames are the axes there are.
var AxisNames = []Axis{AxisSequence, AxisDepth, AxisSibling, AxisAcross, AxisDiagonal, AxisAntidiagonal}

// NumPlaces is the number of values that Places writes for a token: depth, sibling, place across,
// and 1 where these are known.
const NumPlaces = 4

// Places writes the tree positions of ids, the tokens of one expression, into to, [len(ids),
// NumPlaces]. Training and inference call it with the tokens visible at that step, hidden ones
// being the mask. No position depends on a hidden token. Whether a position is known is an input of
// the network too.
func Places(v *token.Vocabulary, ids []int32, to []int32) {
	for i, p := range v.Positions(ids) {
		row := to[i*NumPlaces : (i+1)*NumPlaces]
		clear(row)
		if p.Known {
			row[0], row[1], row[2], row[3] = int32(p.Depth), int32(p.Sibling), int32(p.Horizontal), 1
		}
	}
}

// Tree reports whether the axes are positions in the tree, so that the decoder needs Places.
func Tree(axes []Axis) bool { return len(axes) > 0 && axes[0] != AxisSequence }

// rotary turns queries and keys by the positions of tokens; nil without Axes.
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

// place adds the positions in the sequence to x [samples, seq, Dim], and what is known of an
// earlier candidate.
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
