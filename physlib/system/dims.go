package system

import (
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/unit"
)

// dimensional holds the arrays of a batch for the dimensional loss, see diffusion.Dimensions.Loss.
type dimensional struct {
	rows, seq, cols int
	children        []int32
	power           []float32
	units, known    []float32
}

func (n *network) newDimensional(rows, seq int) *dimensional {
	cols := n.Encoder.Cols
	return &dimensional{rows, seq, cols, make([]int32, rows*seq*2), make([]float32, rows*seq),
		make([]float32, rows*cols*len(unit.Dim{})), make([]float32, rows*cols)}
}

// set sets row r to the tree of the tokens target and to the units of the columns of p.
func (d *dimensional) set(n *network, r int, target []int32, p *stream.Problem) {
	children, power := d.children[2*r*d.seq:2*(r+1)*d.seq], d.power[r*d.seq:(r+1)*d.seq]
	if n.Lengths == "pad" { // the expression follows the start token
		children[0], children[1] = -1, -1
		n.dims.Layout(target[1:], children[2:], power[1:])
		for i := 2; i < len(children); i++ {
			if children[i] >= 0 {
				children[i]++
			}
		}
	} else {
		n.dims.Layout(target, children, power)
	}
	if !p.Units {
		return
	}
	for c, dim := range p.Dims {
		d.known[r*d.cols+c] = 1
		for k, e := range dim {
			d.units[(r*d.cols+c)*len(dim)+k] = float32(e.Float64())
		}
	}
}

func (d *dimensional) tensors() []*tensors.Tensor {
	return []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(d.children, d.rows, d.seq, 2), tensors.FromFlatDataAndDimensions(d.power, d.rows, d.seq),
		tensors.FromFlatDataAndDimensions(d.units, d.rows, d.cols, len(unit.Dim{})), tensors.FromFlatDataAndDimensions(d.known, d.rows, d.cols),
	}
}
