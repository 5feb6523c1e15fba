package train

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
	"gonum.org/v1/gonum/mat"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/nn/safetensors"
)

// slope is a task whose gradients are its batches: the loss is Σ W⊙G over all weights W.
type slope struct{}

// slopeWeights holds two matrices of one shape, a tall one, a bias, and a table of embeddings.
var slopeWeights = []struct {
	path string
	dims []int
	muon bool
}{
	{"/a/w", []int{3, 5}, true}, {"/b/w", []int{3, 5}, true}, {"/c/w", []int{6, 2}, true}, {"/a/b", []int{1, 5}, false}, {"/tokens/table", []int{4, 3}, false},
}

func (slope) Name() string      { return "slope" }
func (slope) Metrics() []string { return nil }
func (slope) Config() any       { return nil }

func (slope) Loss(s *model.Scope, batch []*Node) (*Node, []*Node) {
	loss := ScalarZero(batch[0].Graph(), dtypes.Float32)
	for i, w := range slopeWeights {
		start := make([]float32, shapes.Make(dtypes.Float32, w.dims...).Size())
		for k := range start {
			start[k] = float32(slopeStart(k))
		}
		v := s.Store().VariableWithValue(w.path, tensors.FromFlatDataAndDimensions(start, w.dims...))
		loss = Add(loss, ReduceAllSum(Mul(v.NodeValue(loss), batch[i])))
	}
	return loss, nil
}

func slopeStart(k int) float64 { return float64(float32(math.Sin(float64(k + 1)))) }

func (slope) Batch(step int64) (batch []*tensors.Tensor, err error) {
	for i, w := range slopeWeights {
		g := slopeGradient(step, i)
		flat := make([]float32, len(g))
		for k := range g {
			flat[k] = float32(g[k])
		}
		batch = append(batch, tensors.FromFlatDataAndDimensions(flat, w.dims...))
	}
	return batch, nil
}

func slopeGradient(step int64, i int) []float64 {
	rng := rand.New(rand.NewPCG(uint64(step), uint64(i)))
	g := make([]float64, shapes.Make(dtypes.Float32, slopeWeights[i].dims...).Size())
	for k := range g {
		g[k] = float64(float32(rng.NormFloat64()))
	}
	return g
}

// reference computes the formulas of the optimizers by plain loops in float64. It returns the
// weights and their averages after some steps.
func reference(s Settings) (weights, averages [][]float64) {
	s = s.withDefaults()
	n := len(slopeWeights)
	m, v := make([][]float64, n), make([][]float64, n)
	for i, w := range slopeWeights {
		weights = append(weights, make([]float64, shapes.Make(dtypes.Float32, w.dims...).Size()))
		for k := range weights[i] {
			weights[i][k] = slopeStart(k)
		}
		m[i], v[i] = make([]float64, len(weights[i])), make([]float64, len(weights[i]))
		averages = append(averages, make([]float64, len(weights[i])))
	}
	for t := range s.Steps {
		lr := s.rate(t, position{})
		grads, norm := make([][]float64, n), 0.0
		for i := range grads {
			grads[i] = make([]float64, len(weights[i]))
			for j := range s.Accumulate {
				for k, g := range slopeGradient(t*int64(s.Accumulate)+int64(j), i) {
					grads[i][k] += g / float64(s.Accumulate)
				}
			}
			for _, g := range grads[i] {
				norm += g * g
			}
		}
		scale := 1.0
		if s.Clip > 0 {
			scale = min(1, s.Clip/math.Sqrt(norm))
		}
		for i, w := range slopeWeights {
			direction := make([]float64, len(grads[i]))
			for k := range direction {
				g := grads[i][k] * scale
				if s.Optimizer == Muon && w.muon {
					m[i][k] = 0.95*m[i][k] + 0.05*g
					direction[k] = 0.95*m[i][k] + 0.05*g
					continue
				}
				m[i][k] = s.Beta1*m[i][k] + (1-s.Beta1)*g
				v[i][k] = s.Beta2*v[i][k] + (1-s.Beta2)*g*g
				c1, c2 := 1-math.Pow(s.Beta1, float64(t+1)), 1-math.Pow(s.Beta2, float64(t+1))
				direction[k] = m[i][k] / c1 / (math.Sqrt(v[i][k]/c2) + s.Eps)
			}
			if s.Optimizer == Muon && w.muon {
				direction = orthogonal(direction, w.dims)
			}
			for k := range direction {
				if w.path != "/a/b" && w.path != "/tokens/table" {
					direction[k] += s.WeightDecay * weights[i][k]
				}
				weights[i][k] -= lr * direction[k]
				averages[i][k] = s.EMA*averages[i][k] + (1-s.EMA)*weights[i][k]
			}
		}
	}
	return weights, averages
}

// orthogonal returns 0.2·√max(rows, cols)·NewtonSchulz5(x), with plain matrices.
func orthogonal(x []float64, dims []int) []float64 {
	var X mat.Dense
	X.CloneFrom(mat.NewDense(dims[0], dims[1], x))
	if dims[0] > dims[1] {
		X.CloneFrom(X.T())
	}
	X.Scale(1/(mat.Norm(&X, 2)+1e-7), &X)
	for range 5 {
		var A, B, C mat.Dense
		A.Mul(&X, X.T())
		B.Mul(&A, &A)
		B.Scale(2.0315, &B)
		A.Scale(-4.7750, &A)
		B.Add(&A, &B)
		C.Mul(&B, &X)
		X.Scale(3.4445, &X)
		X.Add(&X, &C)
	}
	if dims[0] > dims[1] {
		X.CloneFrom(X.T())
	}
	X.Scale(0.2*math.Sqrt(float64(max(dims[0], dims[1]))), &X)
	return append([]float64{}, X.RawMatrix().Data...)
}

func floats(data []byte) []float64 {
	var all []float64
	for i := 0; i < len(data); i += 4 {
		all = append(all, float64(math.Float32frombits(binary.LittleEndian.Uint32(data[i:]))))
	}
	return all
}

func TestOptimizersEqualThePlainLoop(t *testing.T) {
	for name, s := range map[string]Settings{
		"adamw":              {},
		"adamw, all the way": {WeightDecay: 0.1, EMA: 0.9, Warmup: 3, Clip: 2, Schedule: Cosine, Floor: 0.1},
		"accumulated":        {Accumulate: 3, WeightDecay: 0.1, Clip: -1},
		"muon":               {Optimizer: Muon, WeightDecay: 0.1, EMA: 0.8, Warmup: 2},
	} {
		s.Steps, s.LR = 12, 0.05
		if s.Schedule == "" {
			s.Schedule = Constant
		}
		t.Run(name, func(t *testing.T) {
			backendtest.Each(t, func(t *testing.T, b compute.Backend) {
				if b != backendtest.Go(t) && name != "muon" {
					t.Skip("seconds of compilation; muon shows AdamW too")
				}
				dir := t.TempDir()
				if _, err := Run(context.Background(), b, noBiasDecay{}, s, dir, nil); err != nil {
					t.Fatal(err)
				}
				got := map[string]safetensors.Tensor{}
				for _, x := range state(t, dir).tensors {
					got["/"+x.Name] = x
				}
				weights, averages := reference(s)
				for i, w := range slopeWeights {
					near(t, w.path, floats(got[w.path].Data), weights[i])
					if s.EMA > 0 {
						near(t, "average of "+w.path, floats(got["/ema"+w.path].Data), averages[i])
					}
				}
			})
		})
	}
}

// noBiasDecay is like slope, but its row of biases does not decay, although it is a matrix here.
type noBiasDecay struct{ slope }

func (noBiasDecay) Decays(path string, shape shapes.Shape) bool {
	return Decays(path, shape) && path != "/a/b"
}

func near(t *testing.T, name string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", name, len(got), len(want))
	}
	for k := range want {
		if math.Abs(got[k]-want[k]) > 2e-5*(1+math.Abs(want[k])) {
			t.Errorf("%s[%d] = %.7g, want %.7g", name, k, got[k], want[k])
			return
		}
	}
}

// The orthogonalized random matrices of all shapes have singular values between 0.3 and 1.3, most
// of them near 1.
func TestOrthogonalize(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		for _, dims := range [][]int{{2, 8, 8}, {1, 16, 3}, {3, 3, 16}, {1, 1, 7}} {
			x := make([]float32, dims[0]*dims[1]*dims[2])
			for i := range x {
				x[i] = float32(rng.NormFloat64())
			}
			e, err := NewExec1(b, Orthogonalize)
			if err != nil {
				t.Fatal(err)
			}
			y, err := e.Call(tensors.FromFlatDataAndDimensions(x, dims...))
			if err != nil {
				t.Fatal(err)
			}
			flat := tensors.MustCopyFlatData[float32](y)
			for k := range dims[0] {
				m := mat.NewDense(dims[1], dims[2], nil)
				for i := range dims[1] {
					for j := range dims[2] {
						m.Set(i, j, float64(flat[(k*dims[1]+i)*dims[2]+j]))
					}
				}
				var svd mat.SVD
				if !svd.Factorize(m, mat.SVDNone) {
					t.Fatal("no singular values")
				}
				for _, sigma := range svd.Values(nil) {
					if sigma < 0.3 || sigma > 1.3 {
						t.Errorf("shape %v: singular value %g", dims, sigma)
					}
				}
			}
		}
	})
}

func TestDefaultChoices(t *testing.T) {
	for _, c := range []struct {
		path         string
		dims         []int
		muon, decays bool
	}{
		{"/decoder/layer_0/attention/query/w", []int{8, 8}, true, true},
		{"/decoder/layer_0/attention/query/b", []int{8}, false, false},
		{"/decoder/norm/scale", []int{8}, false, false},
		{"/decoder/tokens/table", []int{8, 8}, false, false},
		{"/decoder/embed/w", []int{8, 8}, false, false},
		{"/encoder/pool/seeds", []int{4, 8}, false, false},
		{"/decoder/head/w", []int{8, 73}, false, true},
		{"/encoder/input/w", []int{8, 73}, false, true},
		{"/decoder/feed/conv/kernel", []int{5, 8}, false, true},
	} {
		shape := shapes.Make(dtypes.Float32, c.dims...)
		if MuonWeights(c.path, shape) != c.muon || Decays(c.path, shape) != c.decays {
			t.Errorf("%s: muon %v, decays %v", c.path, !c.muon, !c.decays)
		}
	}
}

// Export gives the bias-corrected averages.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	s := Settings{Steps: 7, LR: 0.05, EMA: 0.9, Schedule: Constant}
	r, err := Run(context.Background(), backendtest.Go(t), noBiasDecay{}, s, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, averages := reference(s)
	for _, half := range []bool{false, true} {
		path := filepath.Join(dir, "weights.safetensors")
		if err := Export(r.Checkpoint, path, half); err != nil {
			t.Fatal(err)
		}
		store := imported(t, path)
		for i, w := range slopeWeights {
			v := store.GetVariable(w.path)
			if v == nil || v.DType() != dtypes.Float32 {
				t.Fatalf("%s was not imported as float32", w.path)
			}
			for k, x := range tensors.MustCopyFlatData[float32](v.MustValue()) {
				want := averages[i][k] / (1 - math.Pow(0.9, 7))
				tolerance := 2e-5
				if half {
					tolerance = 1.0 / 256
				}
				if math.Abs(float64(x)-want) > tolerance*(1+math.Abs(want)) {
					t.Errorf("half %v: %s[%d] = %g, want %g", half, w.path, k, x, want)
				}
			}
		}
		if n := store.NumVariables(); n != len(slopeWeights) {
			t.Errorf("%d variables were exported", n)
		}
	}
}
