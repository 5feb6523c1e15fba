package system

import (
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/diffusion"
	"github.com/physlib/lab/physlib/encoder"
	"github.com/physlib/lab/physlib/token"
)

// network builds the graphs of a system in the scope of its weights.
type network struct {
	Config
	vocab *token.Vocabulary
	dims  *diffusion.Dimensions // for the dimensional loss
	hide  diffusion.Corruption  // of the tokens of a batch
}

func newNetwork(c *Config) (*network, error) {
	v, err := c.Vocabulary()
	if err != nil {
		return nil, err
	}
	return &network{Config: *c, vocab: v, dims: diffusion.NewDimensions(v)}, nil
}

// memory encodes tables: see encoder.Config.Encode.
func (n *network) memory(s *model.Scope, in encoder.Inputs) (memory, present *Node) {
	return n.encoder().Encode(s.In("encoder"), in)
}

// lengthLogits [batch, seq] of an expression having 1 … seq tokens, from the slot of the target's column.
func (n *network) lengthLogits(s *model.Scope, memory *Node) *Node {
	slot := 0
	if !n.Encoder.Raw && n.Encoder.Summary == 0 {
		slot = n.Encoder.Cols
	}
	at := Squeeze(Slice(memory, AxisRange(), AxisElem(slot), AxisRange()), 1)
	return n.decoder(n.vocab.Size()).Lengths(s.In("length"), at)
}

// denoise gives logits [samples, seq, vocab] for tokens ids [samples, seq], see decoder.Config.Denoise.
func (n *network) denoise(s *model.Scope, ids, lengths, memory, present *Node) *Node {
	d := n.decoder(n.vocab.Size())
	s = s.In("decoder")
	return d.Denoise(s, d.Tokens(s, ids), lengths, memory, present)
}

// denoiseSoft is denoise for weights over tokens [samples, seq, vocab].
func (n *network) denoiseSoft(s *model.Scope, weights, lengths, memory, present *Node) *Node {
	d := n.decoder(n.vocab.Size())
	s = s.In("decoder")
	return d.Denoise(s, d.Soft(s, weights), lengths, memory, present)
}

// names of the metrics of loss.
func (n *network) metrics() []string {
	names := []string{"tokens_loss"}
	if n.Lengths == "head" {
		names = append(names, "length_loss")
	}
	if n.Train.DimLoss > 0 {
		names = append(names, "dim_loss")
	}
	return names
}

// loss of a batch as Task.Batch makes it, and its parts.
func (n *network) loss(s *model.Scope, batch []*Node) (*Node, []*Node) {
	in := encoder.Inputs{Rows: batch[0], RowMask: batch[1], Cols: batch[2], ColMask: batch[3]}
	hidden, ids, weights, lengths := batch[4], batch[5], batch[6], batch[7]
	memory, present := n.memory(s, in)
	masks := hidden.Shape().Dim(0) / memory.Shape().Dim(0)
	logits := n.denoise(s, hidden, lengths, memory, present)
	l := diffusion.Loss(logits, ids, weights)
	parts := []*Node{l}
	if n.Lengths == "head" {
		all := Reshape(lengths, -1, masks)
		length := Squeeze(Slice(all, AxisRange(), AxisElem(0)), 1)
		longer := ReduceAllMean(diffusion.CrossEntropy(n.lengthLogits(s, memory), AddScalar(length, -1)))
		parts = append(parts, longer)
		l = Add(l, MulScalar(longer, n.Train.Length))
	}
	if n.Train.DimLoss > 0 { // PhysDiffuse §5
		d := n.dims.Loss(logits, ids, weights, batch[8], batch[9], batch[10], batch[11])
		parts = append(parts, d)
		l = Add(l, MulScalar(d, n.Train.DimLoss))
	}
	return ConvertDType(l, dtypes.Float32), parts
}
