package system

import (
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/physlib/lab/physlib/decoder"
	"github.com/physlib/lab/physlib/encoder"
	"github.com/physlib/lab/physlib/encoder/features"
)

// inputs holds the encoder's inputs for several tables, concatenated.
type inputs struct {
	tables  int
	all     features.Vectors
	numbers []int32   // [tables, encoder.Numbers.Len]; nil unless the encoder reads numbers
	values  []float32 // values of the numbers, with the same shape
}

func (n *network) newInputs(tables int) *inputs {
	one := n.shape().New()
	in := &inputs{tables: tables, all: features.Vectors{
		Rows: make([]float32, tables*len(one.Rows)), RowMask: make([]bool, tables*len(one.RowMask)),
		Cols: make([]float32, tables*len(one.Cols)), ColMask: make([]bool, tables*len(one.ColMask)),
	}}
	if n.Encoder.Kind == encoder.Digits {
		size := tables * n.encoder().Numbers.Len()
		in.numbers, in.values = make([]int32, size), make([]float32, size)
	}
	return in
}

// put sets table i to t.
func (in *inputs) put(n *network, i int, t *features.Table) {
	v := &features.Vectors{}
	in.view(n.shape(), i, v)
	n.shape().Extract(t, v)
	if in.numbers != nil {
		n.encoder().Numbers.Write(t, part(in.numbers, i, in.tables), part(in.values, i, in.tables))
	}
}

// view sets v to the vectors of table i, without copying them.
func (in *inputs) view(shape features.Shape, i int, v *features.Vectors) {
	v.Rows, v.RowMask = part(in.all.Rows, i, in.tables), part(in.all.RowMask, i, in.tables)
	v.Cols, v.ColMask = part(in.all.Cols, i, in.tables), part(in.all.ColMask, i, in.tables)
}

// part returns the part with index i of n equal parts of s.
func part[T any](s []T, i, n int) []T { return s[i*len(s)/n : (i+1)*len(s)/n] }

// tensors returns the inputs in the order of network.tables.
func (in *inputs) tensors(shape features.Shape) []*tensors.Tensor {
	n := in.tables
	all := []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(in.all.Rows, n, len(in.all.RowMask)/n, shape.RowDim()),
		tensors.FromFlatDataAndDimensions(in.all.RowMask, n, len(in.all.RowMask)/n),
		tensors.FromFlatDataAndDimensions(in.all.Cols, n, shape.Slots(), shape.ColDim()),
		tensors.FromFlatDataAndDimensions(in.all.ColMask, n, shape.Slots()),
	}
	if in.numbers != nil {
		all = append(all, tensors.FromFlatDataAndDimensions(in.numbers, n, len(in.numbers)/n),
			tensors.FromFlatDataAndDimensions(in.values, n, len(in.values)/n))
	}
	return all
}

// places holds the tree positions of the tokens of several sequences. It is nil if the decoder does
// not need them.
type places struct {
	seq int
	all []int32 // [sequences, seq, decoder.NumPlaces]
}

func (n *network) newPlaces(sequences, seq int) *places {
	if !n.tree() {
		return nil
	}
	return &places{seq, make([]int32, sequences*seq*decoder.NumPlaces)}
}

// put sets the positions of sequence i from its visible tokens. The first length tokens belong to
// the expression. With lengths: pad this is the whole window, in which end and padding tokens mark
// the end of the expression.
func (p *places) put(n *network, i int, ids []int32, length int) {
	if p == nil {
		return
	}
	decoder.Places(n.vocab, ids[:length], p.all[i*p.seq*decoder.NumPlaces:][:length*decoder.NumPlaces])
}

// tensors returns one tensor, or none if p is nil.
func (p *places) tensors() []*tensors.Tensor {
	if p == nil {
		return nil
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(p.all, len(p.all)/(p.seq*decoder.NumPlaces), p.seq, decoder.NumPlaces)}
}

// decoderInputs returns the decoder's inputs other than the visible ids [n, seq], in the order of
// network.shown. These are the lengths and, if the network uses them, tree positions and earlier
// candidates.
func (n *network) decoderInputs(ids []int32, seq int, lengths []int32, before *prior) []*tensors.Tensor {
	p := n.newPlaces(len(lengths), seq)
	for i, length := range lengths {
		p.put(n, i, ids[i*seq:(i+1)*seq], int(length))
	}
	if before == nil {
		before = n.newPrior(len(lengths), seq)
	}
	all := append([]*tensors.Tensor{tensors.FromFlatDataAndDimensions(lengths, len(lengths))}, p.tensors()...)
	return append(all, before.tensors()...)
}

// visible returns a token for each row of weights [n, vocab]: the token whose weight is above one
// half, or the mask if there is none. Tree positions of soft tokens are computed from these tokens.
func (n *network) visible(weights []float32) []int32 {
	vocab := n.vocab.Size()
	ids := make([]int32, len(weights)/vocab)
	for i := range ids {
		ids[i] = n.vocab.Mask()
		for id, w := range weights[i*vocab : (i+1)*vocab] {
			if w > 0.5 && int32(id) != ids[i] {
				ids[i] = int32(id)
				break
			}
		}
	}
	return ids
}
