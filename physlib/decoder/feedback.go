package decoder

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn"
)

// Prior is a candidate that was decoded and measured before: PARR's numerical verification feedback
// (§7).
type Prior struct {
	IDs *Node // [samples, seq] int32
	R2  *Node // [samples], its R² on the table from 0 to 1, -1 where there is no candidate yet
}

// feedback gives the decoder the candidate before and its R² r,
//
//	f_i = W·E(candidate_i) + V·(r, r², lg(1.000001 - r)/6) + b,
//
// [samples, seq, Dim] to be added to the tokens; zero where there is none.
func (c Config) feedback(s *model.Scope, p *Prior) *Node {
	r := ConvertDType(InsertAxes(p.R2, -1), dtypes.Float32)
	some := InsertAxes(GreaterOrEqual(p.R2, ZerosLike(p.R2)), -1, -1)
	clipped := MaxScalar(r, 0)
	miss := MulScalar(Log(MaxScalar(Sub(Scalar(r.Graph(), r.DType(), 1.000001), clipped), 1e-6)), 1/(6*2.302585))
	f := nn.Linear(s.In("tokens"), nn.Embedding(s.In("candidate"), p.IDs, c.Vocab, c.Dim), c.Dim)
	f = Add(f, InsertAxes(nn.Linear(s.In("r2"), Concatenate([]*Node{clipped, Square(clipped), miss}, -1), c.Dim), 1))
	return Where(some, f, ScalarZero(f.Graph(), f.DType()))
}

// Verify returns PARR's verification head: the logits [samples] of the R² of the candidates p.IDs,
// which the network is not given, from the memory. It is one block of attention with half the usual
// width, 12·Dim² weights, which are PARR's 3 M at Dim 512.
//
// It is an auxiliary task in training and not used at inference. PARR gives the head no use (§5
// counts its weights; §4.3 ranks candidates by their R² on the table). A fit measures that R² in
// less time than the head needs to predict it.
func (c Config) Verify(s *model.Scope, p Prior, in Shown) *Node {
	batch, samples, seq := in.Memory.Shape().Dim(0), p.IDs.Shape().Dim(0), p.IDs.Shape().Dim(1)
	g, masks := p.IDs.Graph(), samples/batch
	each := func(x *Node, dims ...int) *Node { // a table's for each of its samples
		x = BroadcastToDims(InsertAxes(x, 1), append([]int{batch, masks}, dims...)...)
		return Reshape(x, append([]int{samples}, dims...)...)
	}
	slots := in.Memory.Shape().Dim(1)
	at := BroadcastToDims(Iota(g, shapes.Make(dtypes.Int32, 1, seq), 1), samples, seq)
	inside := LessThan(at, BroadcastToDims(InsertAxes(in.Lengths, 1), samples, seq))
	x := nn.Embedding(s.In("tokens"), p.IDs, c.Vocab, c.Dim)
	x = Add(x, ConvertDType(InsertAxes(nn.Sinusoidal(g, seq, c.Dim), 0), x.DType()))
	attention := nn.Attention{Heads: c.Heads}
	block := nn.Block{Self: attention, Cross: attention, Hidden: 2 * c.Dim, Dropout: c.Dropout}
	x = block.Apply(s.In("block"), x, inside, each(in.Memory, slots, c.Dim), each(in.Present, slots))
	w := InsertAxes(ConvertDType(inside, x.DType()), -1)
	mean := Div(ReduceSum(Mul(x, w), 1), MaxScalar(ReduceSum(w, 1), 1.0))
	return Squeeze(nn.Linear(s.In("out"), nn.LayerNorm(s.In("norm"), mean), 1), -1)
}
