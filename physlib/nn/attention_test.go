package nn_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/nn"
)

// TestAttentionLoop compares attention with plain loops of its formula.
func TestAttentionLoop(t *testing.T) {
	const batch, seq, slots, dim, heads, kvHeads, headDim = 2, 3, 5, 8, 4, 2, 3
	mask := [][]bool{{true, true, false, true, true}, {true, false, false, false, false}}
	x, memory := normal(1, batch, seq, dim), normal(2, batch, slots, dim)
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		store := seeded(3)
		a := nn.Attention{Heads: heads, KVHeads: kvHeads, HeadDim: headDim}
		got := run(t, b, store, func(s *model.Scope, in []*Node) []*Node {
			return []*Node{a.Apply(s.In("a"), in[0], in[1], in[2])}
		}, x, memory, mask)[0]

		project := func(x []float64, rows int, name string, out int) [][]float64 { // x·w, by row
			in := len(x) / rows
			w := floats(store.GetVariable("/a/" + name + "/w").MustValue())
			y := make([][]float64, rows)
			for r := range y {
				y[r] = make([]float64, out)
				for i := range in {
					for o := range out {
						y[r][o] += x[r*in+i] * w[i*out+o]
					}
				}
			}
			return y
		}
		q := project(floats(x), batch*seq, "query", heads*headDim)
		k := project(floats(memory), batch*slots, "key", kvHeads*headDim)
		v := project(floats(memory), batch*slots, "value", kvHeads*headDim)
		o := make([]float64, batch*seq*heads*headDim)
		for n := range batch {
			for i := range seq {
				for h := range heads {
					kv := h / (heads / kvHeads) // neighbouring heads share keys and values
					p, sum := make([]float64, slots), 0.0
					for j := range slots {
						if !mask[n][j] {
							continue
						}
						var score float64
						for d := range headDim {
							score += q[n*seq+i][h*headDim+d] * k[n*slots+j][kv*headDim+d]
						}
						p[j] = math.Exp(score / math.Sqrt(headDim))
						sum += p[j]
					}
					for j := range slots {
						for d := range headDim {
							o[((n*seq+i)*heads+h)*headDim+d] += p[j] / sum * v[n*slots+j][kv*headDim+d]
						}
					}
				}
			}
		}
		var want []float64
		for _, row := range project(o, batch*seq, "output", dim) {
			want = append(want, row...)
		}
		if d := maxDiff(got, want); d > 1e-5 {
			t.Errorf("differs from the loop by %g", d)
		}
	})
}

// TestMaskedSlots: the content of a masked slot has no influence, unless it is NaN.
func TestMaskedSlots(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		layer := compile(t, b, seeded(1), func(s *model.Scope, in []*Node) []*Node {
			return []*Node{nn.Attention{Heads: 2}.Apply(s, in[0], in[1], in[2])}
		})
		f := func(memory [][][]float32) []float64 {
			return layer(normal(1, 1, 3, 4), memory, [][]bool{{true, true, false}})[0]
		}
		a := f([][][]float32{{{1, 2, 3, 4}, {5, -6, 7, -8}, {0, 0, 0, 0}}})
		c := f([][][]float32{{{1, 2, 3, 4}, {5, -6, 7, -8}, {1e4, -1e4, 1e3, 9}}})
		if d := maxDiff(a, c); d != 0 {
			t.Errorf("a masked slot changes the result by %g", d)
		}
	})
}

// TestMaskShapes: a mask of two, three or four axes has the same meaning.
func TestMaskShapes(t *testing.T) {
	f := func(mask any) []float64 {
		return run(t, backendtest.Go(t), seeded(1), func(s *model.Scope, in []*Node) []*Node {
			return []*Node{nn.Attention{Heads: 2}.Apply(s, in[0], nil, in[1])}
		}, normal(1, 1, 3, 4), mask)[0]
	}
	row := []bool{true, true, false}
	want := f([][]bool{row})
	for _, mask := range []any{[][][]bool{{row}}, [][][]bool{{row, row, row}}, [][][][]bool{{{row}}}} {
		if d := maxDiff(f(mask), want); d != 0 {
			t.Errorf("mask %v differs by %g from %v", mask, d, row)
		}
	}
}

// TestWindowInBlocks: attention to a window in blocks equals attention under a mask.
func TestWindowInBlocks(t *testing.T) {
	const window = 3
	for _, causal := range []bool{false, true} {
		for _, seq := range []int{10, 11, 12, 19} {
			present := make([]bool, seq)
			for i := range present {
				present[i] = i%5 != 2
			}
			x := normal(1, 2, seq, 8)
			f := func(a nn.Attention, bias bool) []float64 {
				return run(t, backendtest.Go(t), seeded(1), func(s *model.Scope, in []*Node) []*Node {
					if bias { // with a bias the whole matrix of scores is computed
						a.Bias = MulScalar(Slice(in[0], AxisElem(0), AxisElem(0), AxisElem(0)), 0)
						a.Bias = Reshape(a.Bias, 1, 1, 1, 1)
					}
					return []*Node{a.Apply(s, in[0], nil, in[1])}
				}, x, [][]bool{present, present})[0]
			}
			a := nn.Attention{Heads: 2, Window: window, Causal: causal, Rotary: nn.RoPE()}
			if d := maxDiff(f(a, false), f(a, true)); d > 1e-6 {
				t.Errorf("causal %t, seq %d: differs by %g", causal, seq, d)
			}
		}
	}
}

// TestRoPEIsRelative: if rotary positions are the only positions, shifting all of them changes
// nothing. Exchanging two of them does.
func TestRoPEIsRelative(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		layer := compile(t, b, seeded(1), func(s *model.Scope, in []*Node) []*Node {
			return []*Node{nn.Attention{Heads: 2, Rotary: nn.TreeRoPE(nil, in[1], in[2], nil)}.Apply(s, in[0], nil, nil)}
		})
		f := func(depth, across []int32) []float64 {
			return layer(normal(1, 1, 4, 16), [][]int32{depth}, [][]int32{across})[0]
		}
		a := f([]int32{0, 1, 1, 2}, []int32{0, 0, 1, 0})
		if d := maxDiff(a, f([]int32{3, 4, 4, 5}, []int32{7, 7, 8, 7})); d > 1e-5 {
			t.Errorf("a shift of the tree changes the result by %g", d)
		}
		if d := maxDiff(a, f([]int32{0, 1, 2, 1}, []int32{0, 0, 1, 0})); d < 1e-3 {
			t.Errorf("another tree changes the result by %g only", d)
		}
	})
}

// TestUnknownPosition: the position given for an unknown token has no influence. An unknown
// position differs from position 0.
func TestUnknownPosition(t *testing.T) {
	f := func(depth []int32, known bool) []float64 {
		return run(t, backendtest.Go(t), seeded(1), func(s *model.Scope, in []*Node) []*Node {
			r := nn.DepthSiblingRoPE(s.At("positions"), in[1], in[1], in[2])
			return []*Node{nn.Attention{Heads: 2, Rotary: r}.Apply(s.In("a"), in[0], nil, nil)}
		}, normal(1, 1, 3, 8), [][]int32{depth}, [][]bool{{true, true, known}})[0]
	}
	a := f([]int32{0, 1, 2}, false)
	if maxDiff(a, f([]int32{0, 1, 99}, false)) != 0 {
		t.Error("the position of an unknown token matters")
	}
	if maxDiff(a, f([]int32{0, 1, 0}, true)) < 1e-4 {
		t.Error("unknown looks like position 0")
	}
}

// TestBFloat16: under ParamCompute the output of a block is bfloat16, near the float32 output, with
// float32 variables.
func TestBFloat16(t *testing.T) {
	backendtest.Each(t, func(t *testing.T, b compute.Backend) {
		store := seeded(1)
		out := run(t, b, store, func(s *model.Scope, in []*Node) (out []*Node) {
			for _, dt := range []string{"", "bfloat16"} {
				s.SetParam(nn.ParamCompute, dt)
				x := nn.Linear(s.At("in"), in[0], 8)
				y := nn.Block{Self: nn.Attention{Heads: 2, Rotary: nn.RoPE()}, Norm: nn.RMSNorm}.Apply(s.At("block"), x, nil, nil, nil)
				if (y.DType() == dtypes.BFloat16) != (dt != "") {
					t.Errorf("under %q computes in %s", dt, y.DType())
				}
				out = append(out, ConvertDType(y, dtypes.Float32))
			}
			return out
		}, normal(1, 2, 5, 8))
		if d := maxDiff(out[0], out[1]); d > 0.1 || d == 0 {
			t.Errorf("bfloat16 differs from float32 by %g", d)
		}
		for v := range store.IterVariables() {
			if v.DType() == dtypes.BFloat16 {
				t.Errorf("%s is kept in %s", v.Path(), v.DType())
			}
		}
	})
}

func TestErrors(t *testing.T) {
	x := normal(1, 1, 3, 6)
	for _, c := range []struct {
		want string
		f    func(s *model.Scope, x *Node) *Node
	}{
		{"dim 6 is not a multiple of 4 heads", func(s *model.Scope, x *Node) *Node { return nn.Attention{Heads: 4}.Apply(s, x, nil, nil) }},
		{"3 heads are not a multiple of 2", func(s *model.Scope, x *Node) *Node { return nn.Attention{Heads: 3, KVHeads: 2}.Apply(s, x, nil, nil) }},
		{"must be a multiple of 8", func(s *model.Scope, x *Node) *Node {
			p := Slice(x, AxisRange(), AxisRange(), AxisElem(0))
			p = Reshape(p, 1, 3)
			return nn.Attention{Rotary: nn.TreeRoPE(nil, p, p, nil)}.Apply(s, x, nil, nil)
		}},
		{"want bool", func(s *model.Scope, x *Node) *Node { return nn.Attention{}.Apply(s, x, nil, x) }},
		{`"float23" is not a type`, func(s *model.Scope, x *Node) *Node {
			s.SetParam(nn.ParamCompute, "float23")
			return nn.Linear(s, x, 2)
		}},
	} {
		e, err := model.NewExec1(backendtest.Go(t), seeded(1), c.f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Call(x); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
