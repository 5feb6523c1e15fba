package diffusion_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/diffusion"
)

// tensor returns the values of x as a tensor with dimensions dims, in row-major order.
func tensor[T float32 | float64 | int32](x []T, dims ...int) *tensors.Tensor {
	return tensors.FromFlatDataAndDimensions(x, dims...)
}

// random returns n numbers of the standard normal distribution.
func random(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func to32(x []float64) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(v)
	}
	return y
}

// call runs f once and returns its result, a scalar.
func call(t *testing.T, b compute.Backend, f any, args ...any) float64 {
	t.Helper()
	exec, err := NewExec1(b, func(in []*Node) *Node { return f.(func([]*Node) *Node)(in) })
	if err != nil {
		t.Fatal(err)
	}
	defer exec.Finalize()
	out, err := exec.Call(args...)
	if err != nil {
		t.Fatal(err)
	}
	defer out.FinalizeAll()
	switch v := out.Value().(type) {
	case float32:
		return float64(v)
	case float64:
		return v
	}
	t.Fatalf("result %s", out.Shape())
	return 0
}

func TestLoss(t *testing.T) {
	const batch, seq, vocab = 3, 4, 7
	rng := rand.New(rand.NewPCG(1, 1))
	logits := random(rng, batch*seq*vocab)
	ids, weights := make([]int32, batch*seq), make([]float32, batch*seq)
	for i := range ids {
		ids[i] = rng.Int32N(vocab)
		weights[i] = []float32{0, 1, 2.5}[rng.IntN(3)]
	}
	sum, all := 0.0, 0.0
	for i, id := range ids {
		z := 0.0
		for _, l := range logits[i*vocab : (i+1)*vocab] {
			z += math.Exp(l)
		}
		sum += float64(weights[i]) * (math.Log(z) - logits[i*vocab+int(id)])
		all += float64(weights[i])
	}
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		args := []any{tensor(to32(logits), batch, seq, vocab), tensor(ids, batch, seq), tensor(weights, batch, seq)}
		got := call(t, b, func(in []*Node) *Node { return diffusion.Loss(in[0], in[1], in[2]) }, args...)
		if want := sum / all; math.Abs(got-want) > 1e-5*want {
			t.Errorf("Loss = %v, want %v", got, want)
		}
		got = call(t, b, func(in []*Node) *Node {
			return diffusion.ELBO(in[0], in[1], in[2], Scalar(in[0].Graph(), in[0].DType(), 9))
		}, args...)
		if want := sum / 9; math.Abs(got-want) > 1e-5*want {
			t.Errorf("ELBO = %v, want %v", got, want)
		}
		// If nothing is masked, the loss is 0 rather than 0/0.
		args[2] = tensor(make([]float32, batch*seq), batch, seq)
		if got := call(t, b, func(in []*Node) *Node { return diffusion.Loss(in[0], in[1], in[2]) }, args...); got != 0 {
			t.Errorf("Loss of nothing masked = %v", got)
		}
	})
}

// The bound is tight for a network that predicts exactly: the mean of the loss over corruptions is
// the entropy of the sequences.
func TestELBOIsEntropy(t *testing.T) {
	d := dependent()
	rng := rand.New(rand.NewPCG(2, 2))
	c := diffusion.Corruption{ELBO: true, Min: 1e-3, Max: 1}
	var got, entropy float64
	for _, p := range d.p {
		entropy -= p * math.Log(p)
	}
	const n = 40000
	masked, weights := make([]int32, 4), make([]float32, 4)
	logits := make([]float32, 4*d.vocab)
	for range n {
		u, k := rng.Float64(), 0
		for ; u > d.p[k] && k < len(d.p)-1; k++ {
			u -= d.p[k]
		}
		c.MaskTokens(rng, d.seqs[k], d.mask, -1, masked, weights)
		_ = d.Denoise(t.Context(), diffusion.Input{N: 1, Seq: 4, IDs: masked}, logits)
		for i, id := range d.seqs[k] {
			z := 0.0
			for _, l := range logits[i*d.vocab : (i+1)*d.vocab] {
				z += math.Exp(float64(l))
			}
			got += float64(weights[i]) * (math.Log(z) - float64(logits[i*d.vocab+int(id)])) / n
		}
	}
	if math.Abs(got-entropy) > 0.04*entropy {
		t.Errorf("bound %.3f, entropy %.3f", got, entropy)
	}
}
