package system

import (
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/physlib/lab/physlib/decoder"
	"github.com/physlib/lab/physlib/encoder"
	"github.com/physlib/lab/physlib/encoder/features"
)

// inputs are what the encoder sees of several tables, one after the other.
type inputs struct {
	tables  int
	all     features.Vectors
	numbers []int32   // [tables, encoder.Numbers.Len]; nil except for an encoder of numbers
	values  []float32 // likewise
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

// put makes t table i.
func (in *inputs) put(n *network, i int, t *features.Table) {
	v := &features.Vectors{}
	in.view(n.shape(), i, v)
	n.shape().Extract(t, v)
	if in.numbers != nil {
		n.encoder().Numbers.Write(t, part(in.numbers, i, in.tables), part(in.values, i, in.tables))
	}
}

// view makes v the vectors of table i.
func (in *inputs) view(shape features.Shape, i int, v *features.Vectors) {
	v.Rows, v.RowMask = part(in.all.Rows, i, in.tables), part(in.all.RowMask, i, in.tables)
	v.Cols, v.ColMask = part(in.all.Cols, i, in.tables), part(in.all.ColMask, i, in.tables)
}

// part returns number i of n equal parts of s.
func part[T any](s []T, i, n int) []T { return s[i*len(s)/n : (i+1)*len(s)/n] }

// tensors in the order of network.tables.
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

// places are the places of the tokens of several sequences in their trees; nil where the decoder
// needs none.
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

// put sets those of sequence i from its visible tokens, of which the first length are the
// expression. With lengths of the kind pad all are, and end and padding tokens mark its end.
func (p *places) put(n *network, i int, ids []int32, length int) {
	if p == nil {
		return
	}
	decoder.Places(n.vocab, ids[:length], p.all[i*p.seq*decoder.NumPlaces:][:length*decoder.NumPlaces])
}

// tensors returns none or one.
func (p *places) tensors() []*tensors.Tensor {
	if p == nil {
		return nil
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(p.all, len(p.all)/(p.seq*decoder.NumPlaces), p.seq, decoder.NumPlaces)}
}

// decoderInputs returns the decoder's inputs next to the visible ids [n, seq], in the order of
// network.shown. They are lengths, and positions and earlier candidates where the network uses
// them.
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

// visible returns the tokens of weights [n, vocab] whose weight is above one half, the mask
// elsewhere. Positions in the tree are computed from them as if they were shown.
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
