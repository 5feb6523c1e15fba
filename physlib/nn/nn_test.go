package nn_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/nn"
)

// run evaluates f on the store's variables once; all results are flattened to float64.
func run(t testing.TB, b compute.Backend, store *model.Store, f func(s *model.Scope, in []*Node) []*Node, in ...any) [][]float64 {
	t.Helper()
	return compile(t, b, store, f)(in...)
}

// compile returns f as a function of values. It is compiled at the first call.
func compile(t testing.TB, b compute.Backend, store *model.Store, f func(s *model.Scope, in []*Node) []*Node) func(in ...any) [][]float64 {
	t.Helper()
	e, err := model.NewExec(b, store, f)
	if err != nil {
		t.Fatal(err)
	}
	return func(in ...any) [][]float64 {
		t.Helper()
		for i := range in { // a tensor belongs to the backend that used it first
			if x, ok := in[i].(*tensors.Tensor); ok {
				if in[i], err = x.LocalClone(); err != nil {
					t.Fatal(err)
				}
			}
		}
		out, err := e.Call(in...)
		if err != nil {
			t.Fatal(err)
		}
		flat := make([][]float64, len(out))
		for i, o := range out {
			flat[i] = floats(o)
			o.FinalizeAll()
		}
		return flat
	}
}

// floats returns the elements of a tensor of float32 or float64.
func floats(t *tensors.Tensor) []float64 {
	var out []float64
	t.MustConstFlatData(func(flat any) {
		switch flat := flat.(type) {
		case []float32:
			for _, v := range flat {
				out = append(out, float64(v))
			}
		case []float64:
			out = append(out, flat...)
		}
	})
	return out
}

// normal returns a tensor of normally distributed random numbers.
func normal(seed uint64, dims ...int) *tensors.Tensor {
	rng := rand.New(rand.NewPCG(seed, 0))
	n := 1
	for _, d := range dims {
		n *= d
	}
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return tensors.FromFlatDataAndDimensions(x, dims...)
}

func seeded(seed int64) *model.Store {
	store := model.NewStore()
	store.SetParam(nn.ParamSeed, seed)
	return store
}

// maxDiff returns the largest difference between a and b, infinite if their lengths differ.
func maxDiff(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	var d float64
	for i := range a {
		d = max(d, math.Abs(a[i]-b[i]))
		if math.IsNaN(a[i]) != math.IsNaN(b[i]) {
			return math.Inf(1)
		}
	}
	return d
}

func TestLinear(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		store, x := seeded(1), normal(2, 3, 4, 5)
		got := run(t, b, store, func(s *model.Scope, in []*Node) []*Node { return []*Node{nn.Linear(s.In("l"), in[0], 7)} }, x)
		w, xs := floats(store.GetVariable("/l/w").MustValue()), floats(x)
		want := make([]float64, 3*4*7)
		for r := range 12 {
			for o := range 7 {
				for i := range 5 {
					want[r*7+o] += xs[r*5+i] * w[i*7+o]
				}
			}
		}
		if d := maxDiff(got[0], want); d > 1e-6 {
			t.Errorf("differs from the loop by %g", d)
		}
	})
}

// block returns every layer that a transformer block is made of.
func block(s *model.Scope, in []*Node) []*Node {
	x, ids := in[0], in[1]
	x = nn.Linear(s.In("in"), x, 16)
	x = Add(x, nn.Embedding(s.In("token"), ids, 9, 16))
	x = Add(x, nn.Attention{Heads: 4, KVHeads: 2, Window: 4, QKNorm: true}.Apply(s.In("attention"), nn.RMSNorm(s.In("norm0"), x), x, nil))
	x = Add(x, nn.FeedForward(s.In("ffn"), nn.LayerNorm(s.In("norm1"), x), 32, nil))
	x = Add(x, nn.SwiGLU(s.In("glu"), x, 24))
	x = Add(x, nn.ConvSwiGLU(s.In("conv"), x, 24))
	return []*Node{x}
}

func TestBackendsAgree(t *testing.T) {
	xla, goB := backendtest.XLA(t), backendtest.Go(t)
	ids := [][]int32{{0, 1, 2, 3, 4, 8}, {8, 7, 6, 5, 5, 5}}
	store1, store2 := seeded(3), seeded(3)
	a := run(t, goB, store1, block, normal(4, 2, 6, 5), ids)
	b := run(t, xla, store2, block, normal(4, 2, 6, 5), ids)
	if d := maxDiff(a[0], b[0]); d > 2e-5 {
		t.Errorf("go and xla differ by %g", d)
	}
	for v := range store1.IterVariables() {
		w := store2.GetVariable(v.Path())
		if !v.MustValue().Equal(w.MustValue()) {
			t.Errorf("initial %s differs between go and xla", v.Path())
		}
	}
}
