package decoder

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn"
)

// Prior is an earlier candidate with its measured R², for PARR's numerical verification feedback
// (§7).
type Prior struct {
	IDs *Node // [samples, seq] int32: the candidate's tokens
	R2  *Node // [samples]: the candidate's R² on the table, from 0 to 1; -1 if there is none yet
}

// feedback returns what is added to the tokens for an earlier candidate with R² r, [samples, seq,
// Dim]:
//
//	f_i = W·E(candidate_i) + V·(r, r², lg(1.000001 - r)/6) + b
//
// It is zero for samples without a candidate.
func (c Config) feedback(s *model.Scope, p *Prior) *Node {
	r := ConvertDType(InsertAxes(p.R2, -1), dtypes.Float32)
	some := InsertAxes(GreaterOrEqual(p.R2, ZerosLike(p.R2)), -1, -1)
	clipped := MaxScalar(r, 0)
	miss := MulScalar(Log(MaxScalar(Sub(Scalar(r.Graph(), r.DType(), 1.000001), clipped), 1e-6)), 1/(6*2.302585))
	f := nn.Linear(s.In("tokens"), nn.Embedding(s.In("candidate"), p.IDs, c.Vocab, c.Dim), c.Dim)
	f = Add(f, InsertAxes(nn.Linear(s.In("r2"), Concatenate([]*Node{clipped, Square(clipped), miss}, -1), c.Dim), 1))
	return Where(some, f, ScalarZero(f.Graph(), f.DType()))
}

// Verify is PARR's verification head. It returns logits [samples] that predict the R² of the
// candidates p.IDs from the memory; p.R2 is not read. It is one block of attention with a
// feed-forward layer of half the usual width: 12·Dim² weights, PARR's 3 M at Dim 512.
//
// Verify is an auxiliary task in training and not used at inference. PARR counts the head's weights
// (§5) but does not use the head: §4.3 ranks candidates by their R² on the table. A fit measures
// that R² in less time than the head needs to predict it.
func (c Config) Verify(s *model.Scope, p Prior, in Shown) *Node {
	batch, samples, seq := in.Memory.Shape().Dim(0), p.IDs.Shape().Dim(0), p.IDs.Shape().Dim(1)
	g, masks := p.IDs.Graph(), samples/batch
	// each repeats the value of a table for each of its samples.
	each := func(x *Node, dims ...int) *Node {
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
