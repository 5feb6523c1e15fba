package nn_test

import (
	"math"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/nn"
)

// Gradients do not change when activations are recomputed.
func TestRecomputedGradient(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		var got [2][]float32
		for i, again := range []bool{false, true} {
			store := model.NewStore()
			store.SetParam(nn.ParamRecompute, again)
			exec, err := model.NewExec(b, store, func(s *model.Scope, in []*Node) []*Node {
				x := in[0]
				for l := range 3 {
					block := s.In("block_%d", l)
					x = nn.Recomputed(s, x, func(x *Node) *Node {
						return Add(x, nn.FeedForward(block, nn.LayerNorm(block.In("norm"), x), 8, nil))
					})
				}
				loss := ReduceAllSum(Square(x))
				return append([]*Node{loss}, Gradient(loss, in[0])...)
			})
			if err != nil {
				t.Fatal(err)
			}
			out, err := exec.Call([][]float32{{1, 2, 3, 5}, {-1, 0, 2, 1}})
			if err != nil {
				t.Fatal(err)
			}
			got[i] = append(tensors.MustCopyFlatData[float32](out[1]), tensors.ToScalar[float32](out[0]))
		}
		for k := range got[0] {
			if math.Abs(float64(got[0][k]-got[1][k])) > 1e-5*(1+math.Abs(float64(got[0][k]))) {
				t.Errorf("number %d: %v, computed again %v", k, got[0][k], got[1][k])
			}
		}
	})
}
