package nn_test

import (
	_ "embed"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
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

//go:embed testdata/golden.json
var goldenJSON []byte

// wave returns the input or weight of that name, as testdata/golden.py computes it.
func wave(name string, n int) []float64 {
	sum := 0
	for _, b := range []byte(name) {
		sum += int(b)
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(float32(math.Sin(1.3*float64(i) + 0.001*float64(i*i) + 0.1*float64(sum))))
	}
	return x
}

// variable returns the weight of that path, as golden.py computes it.
func variable(path string, n int) []float64 {
	v := wave(path, n)
	for i := range v {
		if strings.HasSuffix(path, "/scale") {
			v[i] = float64(float32(1 + v[i]/4))
		} else {
			v[i] = float64(float32(v[i] / 2))
		}
	}
	return v
}

// tensor returns x as a tensor of float32 or float64.
func tensor(dt dtypes.DType, x []float64, dims ...int) *tensors.Tensor {
	if dt == dtypes.Float64 {
		return tensors.FromFlatDataAndDimensions(x, dims...)
	}
	f := make([]float32, len(x))
	for i := range x {
		f[i] = float32(x[i])
	}
	return tensors.FromFlatDataAndDimensions(f, dims...)
}

// inputs are the inputs of the layers in the table below.
type inputs struct {
	x        *Node // [batch 2, seq 5, dim 16]
	memory   *Node // [2, 4, 16]
	long     *Node // [1, 19, 16]
	value    *Node // [2, 5], with magnitudes from 0.001 to 1000
	progress *Node // [2]
}

// inputTensors returns the inputs in the given type.
func inputTensors(dt dtypes.DType) []any {
	value := wave("value", 10)
	for i := range value {
		value[i] = math.Pow(10, 3*value[i])
	}
	return []any{tensor(dt, wave("x", 160), 2, 5, 16), tensor(dt, wave("memory", 128), 2, 4, 16), tensor(dt, wave("long", 19*16), 1, 19, 16),
		tensor(dt, value, 2, 5), tensor(dt, []float64{0.25, 1}, 2)}
}

func present(g *Graph) *Node {
	return Const(g, [][]bool{{true, true, true, false}, {true, false, true, true}})
}
func here(g *Graph) *Node {
	return Const(g, [][]bool{{true, true, false, true, true}, {true, true, true, true, false}})
}
func depth(g *Graph) *Node  { return Const(g, [][]int32{{0, 1, 2, 2, 1}, {0, 1, 2, 3, 1}}) }
func across(g *Graph) *Node { return Const(g, [][]int32{{0, 0, 0, 1, 1}, {0, 0, 0, 0, 1}}) }

// layers are all layers of the package, in the scope /c, under the names of golden.json.
var layers = map[string]func(s *model.Scope, in inputs) *Node{
	"linear":         func(s *model.Scope, in inputs) *Node { return nn.Linear(s, in.x, 3) },
	"linear_no_bias": func(s *model.Scope, in inputs) *Node { return nn.LinearNoBias(s, in.x, 3) },
	"lora": func(s *model.Scope, in inputs) *Node {
		s.SetParams(map[string]any{nn.ParamLoRARank: 2, nn.ParamLoRAAlpha: 8.0})
		return nn.Linear(s, in.x, 3)
	},
	"layer_norm":   func(s *model.Scope, in inputs) *Node { return nn.LayerNorm(s, in.x) },
	"rms_norm":     func(s *model.Scope, in inputs) *Node { return nn.RMSNorm(s, in.x) },
	"gelu":         func(s *model.Scope, in inputs) *Node { return nn.GELU(MulScalar(in.x, 3)) },
	"silu":         func(s *model.Scope, in inputs) *Node { return nn.SiLU(MulScalar(in.x, 3)) },
	"feed_forward": func(s *model.Scope, in inputs) *Node { return nn.FeedForward(s, in.x, 12, nil) },
	"swiglu":       func(s *model.Scope, in inputs) *Node { return nn.SwiGLU(s, in.x, 12) },
	"conv_swiglu":  func(s *model.Scope, in inputs) *Node { return nn.ConvSwiGLU(s, in.x, 12) },
	"attention": func(s *model.Scope, in inputs) *Node {
		return nn.Attention{Heads: 2}.Apply(s, in.x, in.memory, present(in.x.Graph()))
	},
	"attention_gqa": func(s *model.Scope, in inputs) *Node {
		return nn.Attention{Heads: 4, KVHeads: 2, Window: 2, QKNorm: true}.Apply(s, in.x, nil, nil)
	},
	"attention_causal": func(s *model.Scope, in inputs) *Node {
		return nn.Attention{Heads: 2, Window: 3, Causal: true}.Apply(s, in.long, nil, nil)
	},
	"attention_window": func(s *model.Scope, in inputs) *Node {
		return nn.Attention{Heads: 2, Window: 3}.Apply(s, in.long, nil, nil)
	},
	"rope": func(s *model.Scope, in inputs) *Node { return turned(s, in, nn.RoPE()) },
	"rope_tree": func(s *model.Scope, in inputs) *Node {
		g := in.x.Graph()
		return turned(s, in, nn.TreeRoPE(s, depth(g), across(g), here(g)))
	},
	"rope_depth_sibling": func(s *model.Scope, in inputs) *Node {
		g := in.x.Graph()
		return turned(s, in, nn.DepthSiblingRoPE(nil, depth(g), across(g), here(g)))
	},
	"rope_multi_scale": func(s *model.Scope, in inputs) *Node {
		place := Iota(in.x.Graph(), shapes.Make(dtypes.Int32, 1, 5), 1)
		return turned(s, in, nn.MultiScaleRoPE(place, in.value))
	},
	"sinusoidal":    func(s *model.Scope, in inputs) *Node { return nn.Sinusoidal(in.x.Graph(), 7, 6) },
	"step_encoding": func(s *model.Scope, in inputs) *Node { return nn.StepEncoding(s, in.progress, 16) },
	"token_algebra": func(s *model.Scope, in inputs) *Node { return nn.TokenAlgebra(s, in.x, in.progress) },
	"mab": func(s *model.Scope, in inputs) *Node {
		return set(true).MAB(s, in.x, in.memory, present(in.x.Graph()))
	},
	"isab":      func(s *model.Scope, in inputs) *Node { return set(false).ISAB(s, in.memory, present(in.x.Graph()), 3) },
	"isab_post": func(s *model.Scope, in inputs) *Node { return set(true).ISAB(s, in.memory, present(in.x.Graph()), 3) },
	"pma":       func(s *model.Scope, in inputs) *Node { return set(false).PMA(s, in.memory, present(in.x.Graph()), 3) },
	"deep_set":  func(s *model.Scope, in inputs) *Node { return nn.DeepSet(s, in.memory, present(in.x.Graph()), 12, 3) },
	"deep_set_layer": func(s *model.Scope, in inputs) *Node {
		return nn.DeepSetLayer(s, in.memory, present(in.x.Graph()), 3)
	},
	"embedding": func(s *model.Scope, in inputs) *Node {
		ids := Const(in.x.Graph(), [][]int32{{0, 6, 3}, {2, 2, 5}})
		// Needed since ids do not determine a float type.
		s.SetParam(nn.ParamCompute, in.x.DType().String())
		both := Add(nn.Embedding(s, ids, 7, 4), nn.SoftEmbedding(s, OneHot(ids, 7, in.x.DType()), 4))
		return MulScalar(both, 0.5) // both terms are equal
	},
	"block": func(s *model.Scope, in inputs) *Node {
		b := nn.Block{Self: nn.Attention{Heads: 2}, Cross: nn.Attention{Heads: 4}, Hidden: 12}
		return b.Apply(s, in.x, nil, in.memory, present(in.x.Graph()))
	},
}

func turned(s *model.Scope, in inputs, r nn.Rotary) *Node {
	return nn.Attention{Heads: 2, Rotary: r}.Apply(s, in.x, nil, nil)
}

func set(post bool) nn.SetBlock {
	return nn.SetBlock{Attention: nn.Attention{Heads: 2}, Hidden: 12, PostNorm: post}
}

// names are the names of layers, sorted.
var names = slices.Sorted(maps.Keys(layers))

// all returns the layers in one graph, each in the scope of its name.
func all(s *model.Scope, in []*Node) (out []*Node) {
	for _, name := range names {
		out = append(out, layers[name](s.In("%s", name), inputs{in[0], in[1], in[2], in[3], in[4]}))
	}
	return out
}

// waved returns a store whose variables are those of golden.py.
func waved(t testing.TB, dt dtypes.DType) *model.Store {
	t.Helper()
	store := model.NewStore()
	e, err := model.NewExec(backendtest.Go(t), store, all)
	if err != nil {
		t.Fatal(err)
	}
	var in []shapes.Shape
	for _, x := range inputTensors(dt) {
		in = append(in, x.(*tensors.Tensor).Shape())
	}
	if _, err := e.Compile(in...); err != nil { // creates the variables
		t.Fatal(err)
	}
	for v := range store.IterVariables() {
		_, rest, _ := strings.Cut(v.Path()[1:], "/")
		x := variable("/c/"+rest, v.Shape().Size())
		if err := v.SetValue(tensor(v.DType(), x, v.Shape().Dimensions...)); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

func TestGolden(t *testing.T) {
	var golden map[string]struct {
		Shape  []int
		Values []float64
	}
	if err := json.Unmarshal(goldenJSON, &golden); err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(golden)); !slices.Equal(got, names) {
		t.Errorf("golden values are of %v, layers are %v", got, names)
	}
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		got := run(t, b, waved(t, dtypes.Float32), all, inputTensors(dtypes.Float32)...)
		for i, name := range names {
			want := golden[name]
			if d := maxDiff(got[i], want.Values); d > 2e-6*max(1, largest(want.Values)) {
				t.Errorf("%s: %d values, differing by %g from JAX's %d %v", name, len(got[i]), d, len(want.Values), want.Shape)
			}
		}
	})
}

func largest(x []float64) (m float64) {
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}

// displaced returns a graph for finite differences. Its results are Σ c ⊙ layer for each layer,
// [layers], and the gradient of the sum of these with respect to h. Each variable and input is
// displaced along one direction, by an element of h [layers, most]. what[k] lists the names of the
// variables and inputs of layer k.
func displaced(store *model.Store, names []string) (what [][]string, most int, f func(s *model.Scope, in []*Node) []*Node) {
	for _, name := range names {
		var own []string
		for v := range store.IterVariables() {
			if strings.HasPrefix(v.Path(), "/"+name+"/") {
				own = append(own, v.Path())
			}
		}
		slices.Sort(own)
		own = append(own, "x", "memory", "long", "value", "progress")
		what, most = append(what, own), max(most, len(own))
	}
	return what, most, func(s *model.Scope, in []*Node) (out []*Node) {
		g, h := in[0].Graph(), in[5]
		for k, name := range names {
			along := func(x *Node, i int) *Node {
				d := Const(g, tensor(dtypes.Float64, wave("along "+what[k][i], x.Shape().Size()), x.Shape().Dimensions...))
				return Add(x, Mul(d, Reshape(Slice(h, AxisElem(k), AxisElem(i)))))
			}
			vars := len(what[k]) - 5
			kept := make([]*Node, vars)
			for i := range vars {
				v := store.GetVariable(what[k][i])
				kept[i] = v.NodeValue(g)
				v.SetNodeValue(along(kept[i], i))
			}
			var x [5]*Node
			for i := range x {
				x[i] = along(in[i], vars+i)
			}
			y := ConvertDType(layers[name](s.In("%s", name), inputs{x[0], x[1], x[2], x[3], x[4]}), dtypes.Float64)
			c := Const(g, tensor(dtypes.Float64, wave("c", y.Shape().Size()), y.Shape().Dimensions...))
			out = append(out, ReduceAllSum(Mul(y, c)))
			for i := range vars {
				store.GetVariable(what[k][i]).SetNodeValue(kept[i])
			}
		}
		losses := Stack(out, 0)
		return []*Node{losses, Gradient(ReduceAllSum(losses), h)[0]}
	}
}

// TestGradients compares derivatives with finite differences in float64. It does so along one
// direction in each variable and input of each layer.
func TestGradients(t *testing.T) {
	what, most, eval := derivatives(t, backendtest.Go(t), names)
	h := make([]float64, len(names)*most)
	_, gradient := eval(h)
	for i := range most {
		move := func(eps float64) []float64 { // the layers are independent, so all are moved at once
			for k := range names {
				h[k*most+i] = eps
			}
			losses, _ := eval(h)
			return losses
		}
		const eps = 1e-5
		above, below := move(eps), move(-eps)
		move(0)
		for k, name := range names {
			difference := (above[k] - below[k]) / (2 * eps)
			tolerance := 1e-5 // the erf of backend go is accurate only to about 1e-11
			if name == "step_encoding" {
				tolerance = 1e-4 // progress is multiplied by 1000 in the layer
			}
			if got := gradient[k*most+i]; math.Abs(difference-got) > tolerance*max(1, math.Abs(difference)) {
				t.Errorf("%s along %s: the gradient is %g, the difference %g", name, what[k][i], got, difference)
			}
		}
	}
}

// TestGradientsAgree compares the gradients on go and on XLA. It uses only the layers that contain
// the others, since compiling takes long.
func TestGradientsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles for seconds")
	}
	some := []string{"attention_gqa", "attention_window", "block", "conv_swiglu", "embedding", "lora",
		"rope_tree", "step_encoding", "token_algebra"}
	xla := backendtest.XLA(t)
	what, most, onGo := derivatives(t, backendtest.Go(t), some)
	_, _, onXLA := derivatives(t, xla, some)
	h := make([]float64, len(some)*most)
	_, a := onGo(h)
	_, b := onXLA(h)
	for i := range a {
		if d := math.Abs(a[i] - b[i]); d > 1e-5*max(1, math.Abs(a[i])) {
			t.Errorf("%s along %s: the gradient is %g on go, %g on xla", some[i/most], what[i/most][i%most], a[i], b[i])
		}
	}
}

// derivatives compiles the graph of displaced.
func derivatives(t *testing.T, b compute.Backend, names []string) (what [][]string, most int, eval func(h []float64) (losses, gradient []float64)) {
	store := waved(t, dtypes.Float64)
	what, most, f := displaced(store, names)
	e, err := model.NewExec(b, store, f)
	if err != nil {
		t.Fatal(err)
	}
	return what, most, func(h []float64) (losses, gradient []float64) {
		out, err := e.Call(append(inputTensors(dtypes.Float64), tensor(dtypes.Float64, h, len(names), most))...)
		if err != nil {
			t.Fatal(err)
		}
		return floats(out[0]), floats(out[1])
	}
}
