package timing

import (
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn"
	"github.com/physlib/lab/physlib/pdr"
)

// FullLayer runs one layer of the size in PDR, dim 4096 and rank 256, forward and backward on a
// series of seq tokens. It prints its times, and its FLOPs next to PDR's claim (§4.1: about 110 M
// per token).
func FullLayer(w io.Writer, b compute.Backend, seq, reps int) error {
	c, err := pdr.Preset("pdr")
	if err != nil {
		return err
	}
	layer := pdr.Layer{Rank: c.Rank, Norm: true}
	store := model.NewStore()
	store.SetParam(nn.ParamSeed, int64(1))
	e, err := model.NewExec(b, store, func(s *model.Scope, in []*Node) []*Node {
		y, _ := layer.Apply(s, in[0], nil, 0)
		loss := ReduceAllSum(Square(y))
		sum := loss
		for _, g := range s.BuildTrainableVariablesGradientsGraph(loss) {
			sum = Add(sum, ReduceAllSum(Square(g)))
		}
		return []*Node{loss, sum}
	})
	if err != nil {
		return err
	}
	x := make([]float32, seq*c.Dim)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	in := tensors.FromFlatDataAndDimensions(x, 1, seq, c.Dim)
	best := never
	var loss float32
	for range reps + 1 { // the first run compiles
		took, err := timed(func() error {
			out, err := e.Call(in)
			if err != nil {
				return err
			}
			loss = tensors.ToScalar[float32](out[0])
			for _, t := range out {
				t.FinalizeAll()
			}
			return nil
		})
		if err != nil {
			return err
		}
		best = best.min(took)
	}
	fmt.Fprintf(w, "layer dim %d rank %d seq %d: forward and backward %.0f ms (processor time %.0f ms), loss %g, peak %.0f MiB resident\n",
		c.Dim, c.Rank, seq, best.wall*1e3, best.cpu*1e3, loss, resident("VmHWM:", false)/(1<<20))
	fmt.Fprintf(w, "layer FLOPs a token %.1f M (seed: about 110 M), parameters %.1f M (seed: 52.5 M)\n",
		float64(c.LayerFLOPs())/1e6, float64(c.LayerParams())/1e6)
	return nil
}
