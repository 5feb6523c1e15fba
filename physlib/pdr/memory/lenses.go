package memory

import (
	"fmt"
	"math/rand/v2"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// Word returns a token in the notation of the package comment: ~ for noise, go, s4 for symbols, k3
// and v7 for keys and values.
func (t Task) Word(token int32) string {
	t = t.withDefaults()
	switch n := int(token) - t.Noise; {
	case n < 0:
		return "~"
	case n == 0:
		return "go"
	case t.Kind == Copy:
		return fmt.Sprint("s", n)
	case n <= t.Symbols:
		return fmt.Sprint("k", n)
	default:
		return fmt.Sprint("v", n-t.Symbols)
	}
}

// Lenses draws a series of seq tokens. It returns the tokens and, for the trained weights in store,
// the gates γ [seq][dim] of each recurrent layer (PDR §3.3).
func (t Task) Lenses(b compute.Backend, store *model.Store, seq int) (tokens []int32, gates [][][]float32, err error) {
	tokens, _ = t.Draw(rand.New(rand.NewPCG(^uint64(0), 1)), seq)
	exec, err := model.NewExec(b, store, func(s *model.Scope, in []*Node) []*Node {
		return t.Network.Lenses(s, t.embed(s, in[0]))
	})
	if err != nil {
		return nil, nil, err
	}
	defer exec.Finalize()
	out, err := exec.Call(tensors.FromFlatDataAndDimensions(tokens, 1, seq))
	if err != nil {
		return nil, nil, err
	}
	dim := t.Network.Dim
	for _, x := range out {
		flat, err := tensors.CopyFlatData[float32](x)
		if err != nil {
			return nil, nil, err
		}
		var layer [][]float32
		for i := range seq {
			layer = append(layer, flat[i*dim:(i+1)*dim])
		}
		gates = append(gates, layer)
		if err := x.FinalizeAll(); err != nil {
			return nil, nil, err
		}
	}
	return tokens, gates, nil
}
