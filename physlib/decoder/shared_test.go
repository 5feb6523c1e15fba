package decoder

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/backend/backendtest"
	"github.com/physlib/lab/physlib/token"
)

const loops = 5

func recurrent() Config {
	c := variants()["shared"]
	c.Loops, c.BlockLayers = loops, 1
	return c
}

// loss returns the mean of squared logits, as an arbitrary loss.
func loss(logits *Node) *Node { return ReduceAllMean(Square(logits)) }

// slopes returns the gradients of l for all weights in the order of their paths. A weight without a
// gradient has zeros.
func slopes(s *model.Scope, l *Node) []*Node {
	var list []*model.Variable
	for v := range s.Store().IterVariables() {
		if v.Trainable {
			list = append(list, v)
		}
	}
	slices.SortFunc(list, func(a, b *model.Variable) int {
		if a.Path() < b.Path() {
			return -1
		}
		return 1
	})
	var nodes []*Node
	for _, v := range list {
		nodes = append(nodes, v.NodeValue(l.Graph()))
	}
	return Gradient(l, nodes...)
}

// TestTruncatedGradient compares the gradient of Refine with that of a truncated unrolled loop,
// whose first embeddings are constants computed beforehand. Either the last loops form one chain,
// or each loop is separate.
func TestTruncatedGradient(t *testing.T) {
	b, v := backendtest.Go(t), token.Small()
	ids, lengths := expressions(v, 6)
	for _, test := range []struct {
		backprop int
		truncate Truncate
	}{{1, Last}, {3, Last}, {loops, Last}, {0, ""}, {2, Each}} {
		name := fmt.Sprintf("K_bp %d, %q", test.backprop, test.truncate)
		c, store := recurrent(), model.NewStore()
		c.Backprop, c.Truncate = test.backprop, test.truncate
		got := answer(t, b, store, func(s *model.Scope, g *Graph) []*Node {
			in := shown(g, v, ids, lengths, 6)
			sum := ScalarZero(g, dtypes.Float32)
			for k, l := range c.Refine(s, c.Tokens(s, in.IDs), in) {
				if c.Learned(k) {
					sum = Add(sum, MulScalar(loss(l), float64(k+1)))
				}
			}
			return slopes(s, sum)
		})
		// The reference: chains of loops that begin from constants.
		first, chain := loops-test.backprop, true
		if test.backprop == 0 || test.truncate == Each {
			first, chain = 0, test.truncate != Each
		}
		embeddings := forward(t, b, store, c, ids, lengths)
		want := make([][]float32, len(got))
		add := func(from, to int) {
			for i, g := range answer(t, b, store, func(s *model.Scope, g *Graph) []*Node {
				in := shown(g, v, ids, lengths, 6)
				given := c.Tokens(s, in.IDs)
				hidden, sum := Reshape(Const(g, embeddings[from]), samples, 6, dim), ScalarZero(g, dtypes.Float32)
				if from == 0 && chain {
					hidden = given
				}
				look := c.view(s, given, in)
				for k := from; k < to; k++ {
					var l *Node
					progress := Scalar(g, dtypes.Float32, float64(k)/loops)
					hidden, l = c.loop(s, given, hidden, progress, Scalar(g, dtypes.Float32, c.Alpha(k, loops)), in, look)
					sum = Add(sum, MulScalar(loss(l), float64(k+1)))
				}
				return slopes(s, sum)
			}) {
				if want[i] == nil {
					want[i] = make([]float32, len(g))
				}
				for j := range g {
					want[i][j] += g[j]
				}
			}
		}
		if chain {
			add(first, loops)
		} else {
			for k := range loops {
				add(k, k+1)
			}
		}
		size := 0.0
		for i := range got {
			size = max(size, apart(got[i], make([]float32, len(got[i]))))
			if d := apart(got[i], want[i]); d > 1e-4 {
				t.Errorf("%s: gradient %d differs by %g", name, i, d)
			}
		}
		if size < 1e-3 {
			t.Errorf("%s: the gradient is zero", name)
		}
	}
}

// forward returns the embeddings before each loop.
func forward(t *testing.T, b compute.Backend, store *model.Store, c Config, ids, lengths []int32) [][]float32 {
	return answer(t, b, store, func(s *model.Scope, g *Graph) (all []*Node) {
		in := shown(g, token.Small(), ids, lengths, 6)
		given := c.Tokens(s, in.IDs)
		look, e := c.view(s, given, in), given
		for k := range loops {
			all = append(all, e)
			e, _ = c.loop(s, given, e, Scalar(g, dtypes.Float32, float64(k)/loops), Scalar(g, dtypes.Float32, c.Alpha(k, loops)), in, look)
		}
		return all
	})
}

// Visible tokens keep their embeddings in all loops.
func TestLoopKeepsVisibleTokens(t *testing.T) {
	v, c := token.Small(), recurrent()
	ids, lengths := expressions(v, 6)
	all := answer(t, backendtest.Go(t), model.NewStore(), func(s *model.Scope, g *Graph) []*Node {
		in := shown(g, v, ids, lengths, 6)
		given := c.Tokens(s, in.IDs)
		hidden := Equal(in.IDs, Scalar(g, dtypes.Int32, c.Mask))
		spoiled := Where(InsertAxes(hidden, -1), given, AddScalar(given, 7))
		half := Scalar(g, dtypes.Float32, 0.5)
		_, a := c.Loop(s.At("loop").ResetVisited(), given, given, half, half, in)
		_, b := c.Loop(s.At("loop").ResetVisited(), given, spoiled, half, half, in)
		return []*Node{a, b}
	})
	if d := apart(all[0], all[1]); d > 1e-6 {
		t.Errorf("logits differ by %g", d)
	}
}

// The weight α of the blend goes from 0.3 in the first loop to 1 in the last (PARR §2.2).
func TestAlpha(t *testing.T) {
	c := Config{}
	for _, test := range []struct {
		k, of int
		want  float64
	}{{0, 8, 0.3}, {7, 8, 1}, {0, 1, 1}, {1, 3, 0.65}} {
		if got := c.Alpha(test.k, test.of); got < test.want-1e-9 || got > test.want+1e-9 {
			t.Errorf("α of loop %d of %d is %v, want %v", test.k, test.of, got, test.want)
		}
	}
}

// BenchmarkBackprop measures the time of a gradient through 8 loops, for several values of K_bp.
func BenchmarkBackprop(b *testing.B) {
	backend, v := backendtest.Go(b), token.Small()
	ids, lengths := expressions(v, 12)
	for _, k := range []int{1, 3, 8} {
		b.Run(fmt.Sprint("K_bp=", k), func(b *testing.B) {
			c := recurrent()
			c.Loops, c.Backprop = 8, k
			exec, err := model.NewExec(backend, model.NewStore(), func(s *model.Scope, g *Graph) []*Node {
				in := shown(g, v, ids, lengths, 12)
				sum := ScalarZero(g, dtypes.Float32)
				for _, l := range c.Refine(s, c.Tokens(s, in.IDs), in) {
					sum = Add(sum, loss(l))
				}
				return slopes(s, sum)
			})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				out, err := exec.Call()
				if err != nil {
					b.Fatal(err)
				}
				for _, o := range out {
					o.FinalizeAll()
				}
			}
		})
	}
}
