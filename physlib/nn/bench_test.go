package nn_test

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/nn"
)

// BenchmarkLayers times layers at the width of the small presets, with x [batch 16, seq 32, dim
// 128]. It times the forward pass alone, and the forward pass with the gradients of all variables
// and of x.
func BenchmarkLayers(b *testing.B) {
	place := func(x *Node) *Node { return Iota(x.Graph(), shapes.Make(dtypes.Int32, 1, 32), 1) }
	for _, c := range []struct {
		name string
		f    func(s *model.Scope, x *Node) *Node
	}{
		{"linear", func(s *model.Scope, x *Node) *Node { return nn.Linear(s, x, 128) }},
		{"layernorm", func(s *model.Scope, x *Node) *Node { return nn.LayerNorm(s, x) }},
		{"rmsnorm", func(s *model.Scope, x *Node) *Node { return nn.RMSNorm(s, x) }},
		{"attention", func(s *model.Scope, x *Node) *Node { return nn.Attention{Heads: 8}.Apply(s, x, nil, nil) }},
		{"attention-rope", func(s *model.Scope, x *Node) *Node {
			return nn.Attention{Heads: 8, Rotary: nn.RoPE()}.Apply(s, x, nil, nil)
		}},
		{"attention-tree", func(s *model.Scope, x *Node) *Node {
			return nn.Attention{Heads: 8, Rotary: nn.TreeRoPE(s, place(x), place(x), nil)}.Apply(s, x, nil, nil)
		}},
		{"attention-gqa", func(s *model.Scope, x *Node) *Node { return nn.Attention{Heads: 8, KVHeads: 2}.Apply(s, x, nil, nil) }},
		{"feedforward", func(s *model.Scope, x *Node) *Node { return nn.FeedForward(s, x, 512, nil) }},
		{"swiglu", func(s *model.Scope, x *Node) *Node { return nn.SwiGLU(s, x, 512) }},
		{"convswiglu", func(s *model.Scope, x *Node) *Node { return nn.ConvSwiGLU(s, x, 512) }},
		{"isab", func(s *model.Scope, x *Node) *Node { return nn.ISAB(s, x, 16, 8, 512, nil) }},
		{"block", func(s *model.Scope, x *Node) *Node {
			return nn.Block{Self: nn.Attention{Heads: 8}}.Apply(s, x, nil, nil, nil)
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			backendtest.EachB(b, func(b *testing.B, backend compute.Backend) {
				b.Run("forward", func(b *testing.B) {
					measure(b, backend, func(s *model.Scope, x *Node) *Node { return ReduceAllSum(c.f(s, x)) }, 16, 32, 128)
				})
				b.Run("gradient", func(b *testing.B) {
					measure(b, backend, func(s *model.Scope, x *Node) *Node { return gradients(s, x, c.f(s, x)) }, 16, 32, 128)
				})
			})
		})
	}
}

// BenchmarkWindow compares attention to a window of 64 over a long series, in blocks, with
// attention to all positions.
func BenchmarkWindow(b *testing.B) {
	backendtest.EachB(b, func(b *testing.B, backend compute.Backend) {
		for name, a := range map[string]nn.Attention{"blocks": {Heads: 4, Window: 64}, "all": {Heads: 4}} {
			b.Run(name, func(b *testing.B) {
				measure(b, backend, func(s *model.Scope, x *Node) *Node { return ReduceAllSum(a.Apply(s, x, nil, nil)) }, 1, 2048, 64)
			})
		}
	})
}

// gradients returns the sum of all elements of the gradients of Σ y² with respect to x and all
// variables. So the compiler cannot leave out any gradient.
func gradients(s *model.Scope, x, y *Node) *Node {
	at := []*Node{x}
	for v := range s.Store().IterVariables() {
		at = append(at, v.NodeValue(x.Graph()))
	}
	sum := ScalarZero(x.Graph(), x.DType())
	for _, g := range Gradient(ReduceAllSum(Square(y)), at...) {
		sum = Add(sum, ReduceAllSum(g))
	}
	return sum
}

func measure(b *testing.B, backend compute.Backend, f func(s *model.Scope, x *Node) *Node, dims ...int) {
	b.Helper()
	store := seeded(1)
	e, err := model.NewExec1(backend, store, f)
	if err != nil {
		b.Fatal(err)
	}
	x := normal(1, dims...)
	call := func() *tensors.Tensor {
		out, err := e.Call(x)
		if err != nil {
			b.Fatal(err)
		}
		out.MustConstFlatData(func(any) {}) // wait for it
		return out
	}
	call().FinalizeAll()
	for b.Loop() {
		call().FinalizeAll()
	}
}
