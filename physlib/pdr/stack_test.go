package pdr_test

import (
	"math"
	"testing"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/nn"
	"github.com/physlib/lab/physlib/pdr"
)

var tiny = pdr.Config{Layers: 2, Dim: 8, Rank: 3, Heads: 2, Every: 2, QHeads: 2, KVHeads: 1, Window: 4, Hidden: 8, Chunk: 4, Renorm: 8}

// apply evaluates f on the store's variables once.
func apply(t testing.TB, b compute.Backend, store *model.Store, f func(s *model.Scope, x *Node) []*Node, x *tensors.Tensor) [][]float64 {
	t.Helper()
	e, err := model.NewExec(b, store, func(s *model.Scope, in []*Node) []*Node { return f(s, in[0]) })
	if err != nil {
		t.Fatal(err)
	}
	clone, err := x.LocalClone()
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.Call(clone)
	if err != nil {
		t.Fatal(err)
	}
	var flat [][]float64
	for _, o := range out {
		flat = append(flat, floats(o))
		o.FinalizeAll()
	}
	return flat
}

func seeded(seed int64) *model.Store {
	store := model.NewStore()
	store.SetParam(nn.ParamSeed, seed)
	return store
}

// normal returns an input [batch, seq, dim].
func normal(seed uint64, dims ...int) *tensors.Tensor {
	x := draw(seed, dims[0], dims[1], dims[2], 1, 0, 1)
	single := make([]float32, len(x.v))
	for i, v := range x.v {
		single[i] = float32(v)
	}
	return tensors.FromFlatDataAndDimensions(single, dims...)
}

// TestModes: outputs and states are equal whether a series is processed in one piece as in
// training, in two pieces (prefill), or mostly token by token. The pieces also end at borders of
// windows and at renormalisations.
func TestModes(t *testing.T) {
	x := normal(1, 2, 19, tiny.Dim)
	for _, form := range []pdr.Form{pdr.Chunk, pdr.Scan} {
		c := tiny
		c.Form = form
		in := func(lengths ...int) [][]float64 {
			return apply(t, backendtest.Go(t), seeded(1), func(s *model.Scope, x *Node) []*Node {
				var ys, state []*Node
				at := 0
				for _, n := range lengths {
					var y *Node
					y, state = c.Apply(s.At("model").ResetVisited(), Slice(x, AxisRange(), AxisRange(at, at+n)), state, at)
					ys = append(ys, y)
					at += n
				}
				return append([]*Node{Concatenate(ys, 1)}, state...)
			}, x)
		}
		train := in(19)
		for name, lengths := range map[string][]int{
			"prefill": {6, 13}, "stream": {3, 4, 5, 1, 1, 1, 1, 1, 1, 1},
		} {
			for i, y := range in(lengths...) {
				if d := maxDiff(y, train[i]); !(d < 2e-5) {
					t.Errorf("%s %s: result %d differs from training's by %g", form, name, i, d)
				}
			}
		}
	}
}

// TestAttentionIsNNs: windowed attention in blocks equals nn.Attention, which does not use blocks.
func TestAttentionIsNNs(t *testing.T) {
	c := pdr.Config{Layers: 1, Dim: 8, Every: 1, QHeads: 2, KVHeads: 1, Window: 4, Hidden: 8}
	x := normal(2, 2, 11, 8)
	store := seeded(1)
	ours := apply(t, backendtest.Go(t), store, func(s *model.Scope, x *Node) []*Node {
		y, _ := c.Apply(s, x, nil, 0)
		return []*Node{y}
	}, x)
	theirs := apply(t, backendtest.Go(t), store, func(s *model.Scope, x *Node) []*Node {
		s.ResetVisited()
		l := s.In("layer_0")
		a := nn.Attention{Heads: 2, KVHeads: 1, Window: 4, Causal: true, Rotary: nn.RoPE(), NoBias: true}
		x = Add(x, a.Apply(l.In("attention"), nn.RMSNorm(l.In("mixer_norm"), x), nil, nil))
		x = Add(x, nn.SwiGLU(l.In("feed"), nn.RMSNorm(l.In("feed_norm"), x), 8))
		return []*Node{nn.RMSNorm(s.In("norm"), x)}
	}, x)
	if d := maxDiff(ours[0], theirs[0]); !(d < 1e-5) {
		t.Errorf("differs by %g", d)
	}
}

// TestInitialLayer: W_p is near the identity, gates are 0.95 for an input of zeros, and only W_p
// has adapters.
func TestInitialLayer(t *testing.T) {
	store := seeded(1)
	pdr.Adapt(store.RootScope(), 4)
	x := normal(3, 1, 5, 8)
	apply(t, backendtest.Go(t), store, func(s *model.Scope, x *Node) []*Node {
		y, last := pdr.Layer{Rank: 3}.Apply(s, x, nil, 0)
		return []*Node{y, last}
	}, x)
	w, b := floats(store.GetVariable("/perspective/w").MustValue()), floats(store.GetVariable("/perspective/b").MustValue())
	var sum2 float64
	for i := range w {
		if i%9 == 0 {
			w[i]--
		}
		sum2 += w[i] * w[i]
	}
	if sd := math.Sqrt(sum2 / 64); sd < 0.007 || sd > 0.013 {
		t.Errorf("W_p is %g off the identity, want 0.01", sd)
	}
	if keep := 1 / (1 + math.Exp(-b[0])); math.Abs(keep-0.95) > 1e-6 {
		t.Errorf("σ(b) = %g", keep)
	}
	var adapters []string
	for v := range store.IterVariables() {
		if v.Name() == "a" {
			adapters = append(adapters, v.Path())
		}
	}
	if len(adapters) != 1 || adapters[0] != "/perspective/lora/a" {
		t.Errorf("adapters %v", adapters)
	}
}

// TestTrains: a step against the gradient lowers the loss, for every kind of gate.
func TestTrains(t *testing.T) {
	x := normal(4, 1, 9, 8)
	for _, gate := range []pdr.Gate{pdr.FullGate, pdr.DiagonalGate, pdr.LowGate, pdr.FixedGate} {
		c := tiny
		c.Gate, c.Renorm = gate, 0
		got := apply(t, backendtest.Go(t), seeded(1), func(s *model.Scope, x *Node) []*Node {
			y, _ := c.Apply(s, x, nil, 0)
			loss := ReduceAllSum(Square(Sub(Slice(y, AxisRange(), AxisRange(1)), Slice(x, AxisRange(), AxisRange(0, 8)))))
			var norm2 *Node
			for _, g := range s.BuildTrainableVariablesGradientsGraph(loss) {
				n := ReduceAllSum(Square(g))
				if norm2 == nil {
					norm2 = n
				} else {
					norm2 = Add(norm2, n)
				}
			}
			return []*Node{loss, norm2}
		}, x)
		if !(got[1][0] > 1e-3) || math.IsInf(got[1][0], 0) {
			t.Errorf("%s: loss %g, squared gradient %g", gate, got[0][0], got[1][0])
		}
	}
}

// TestPresets: the presets are read, and the full one has PDR's state of 2 MB a layer in 16
// bits.
func TestPresets(t *testing.T) {
	for _, name := range pdr.Presets() {
		if _, err := pdr.Preset(name); err != nil {
			t.Error(err)
		}
	}
	c, _ := pdr.Preset("pdr")
	var states, bytes int
	for _, a := range c.Arrays(1) {
		if a.Name[len(a.Name)-5:] == "state" {
			states++
			bytes += 2 * a.Shape.Size()
		}
	}
	if states != 45 || bytes != 45*4096*256*2 {
		t.Errorf("%d states of %d bytes", states, bytes)
	}
	if _, err := pdr.Preset("prd"); err == nil {
		t.Error("an unknown preset is not an error")
	}
	if _, err := pdr.Read([]byte("layers: 1\ndim: 8\nranks: 4\n")); err == nil {
		t.Error("an unknown key is not an error")
	}
}
