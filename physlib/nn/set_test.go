package nn_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/nn"
)

// TestSets: if points are permuted, the outputs of ISAB and DeepSetLayer are permuted in the same
// way, and those of PMA and DeepSet do not change. Masked points have no influence.
func TestSets(t *testing.T) {
	const points, dim = 6, 8
	x := floats(normal(1, 1, points, dim))
	order := rand.New(rand.NewPCG(1, 2)).Perm(points)
	there := []bool{true, true, false, true, true, true}
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		layers := compile(t, b, seeded(1), func(s *model.Scope, in []*Node) []*Node {
			return []*Node{
				nn.ISAB(s.In("isab"), in[0], 3, 2, 8, in[1]),
				nn.DeepSetLayer(s.In("layer"), in[0], in[1], dim),
				nn.PMA(s.In("pma"), in[0], 2, 2, 8, in[1]),
				nn.DeepSet(s.In("set"), in[0], in[1], 8, 3),
			}
		})
		f := func(order []int, absent float64) [][]float64 {
			rows, present := make([]float32, points*dim), make([]bool, points)
			for i, o := range order {
				present[i] = there[o]
				for j := range dim {
					rows[i*dim+j] = float32(x[o*dim+j])
					if !there[o] {
						rows[i*dim+j] = float32(absent)
					}
				}
			}
			return layers(tensors.FromFlatDataAndDimensions(rows, 1, points, dim), [][]bool{present})
		}
		same := []int{0, 1, 2, 3, 4, 5}
		a, p, absent := f(same, 1), f(order, 1), f(same, 100)
		for layer, name := range []string{"ISAB", "DeepSetLayer", "PMA", "DeepSet"} {
			if layer < 2 { // the layer has an output for each point
				for i, o := range order {
					if d := maxDiff(p[layer][i*dim:(i+1)*dim], a[layer][o*dim:(o+1)*dim]); d > 1e-5 {
						t.Errorf("%s: a permutation changes point %d by %g", name, o, d)
					}
				}
				continue
			}
			if d := maxDiff(p[layer], a[layer]); d > 1e-5 {
				t.Errorf("%s: a permutation changes it by %g", name, d)
			}
			if d := maxDiff(absent[layer], a[layer]); d > 1e-5 {
				t.Errorf("%s: an absent point changes it by %g", name, d)
			}
		}
	})
}

// TestSoftEmbedding: the soft embedding of one token with weight 1 is its embedding, from the same
// table.
func TestSoftEmbedding(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		out := run(t, b, seeded(1), func(s *model.Scope, in []*Node) []*Node {
			tokens := s.In("tokens")
			return []*Node{nn.Embedding(tokens, in[0], 5, 3), nn.SoftEmbedding(tokens, in[1], 3)}
		}, [][]int32{{4, 0}}, [][][]float32{{{0, 0, 0, 0, 1}, {1, 0, 0, 0, 0}}})
		if d := maxDiff(out[0], out[1]); d > 1e-7 {
			t.Errorf("hard and soft differ by %g", d)
		}
	})
}

// TestDepthwiseConv compares the layer with a plain loop of its formula.
func TestDepthwiseConv(t *testing.T) {
	const seq, dim, width = 6, 3, 5
	x := normal(1, 1, seq, dim)
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		store := seeded(1)
		got := run(t, b, store, func(s *model.Scope, in []*Node) []*Node { return []*Node{nn.DepthwiseConv(s.In("c"), in[0], width)} }, x)[0]
		k, xs := values(store, "/c/k"), floats(x)
		want := make([]float64, seq*dim)
		for t := range seq {
			for j := range width {
				if u := t + j - width/2; u >= 0 && u < seq {
					for d := range dim {
						want[t*dim+d] += k[j*dim+d] * xs[u*dim+d]
					}
				}
			}
		}
		if d := maxDiff(got, want); d > 1e-6 {
			t.Errorf("differs from the loop by %g", d)
		}
	})
}
