package timing

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/physlib/lab/physlib/pdr"
	"github.com/physlib/lab/physlib/pdr/step"
)

// machine holds the options and resources of the measurements.
type machine struct {
	Options
	backend compute.Backend
	python  *peer // nil until needed
}

func (m *machine) close() { m.python.close() }

// runner runs one form that is already compiled.
type runner struct {
	forward func() (spent, error) // nil: not measured
	both    func() (spent, error) // forward and backward; nil: there are no gradients
	// Whether it runs in this process, so that its memory can be measured.
	here  bool
	close func()
}

// runner returns the runner for a name, see Parse, and series of seq tokens.
func (m *machine) runner(ctx context.Context, name string, seq int) (runner, error) {
	name, chunk, err := Parse(name)
	switch {
	case err != nil:
		return runner{}, err
	case name == "go":
		return m.plain(seq), nil
	case strings.HasPrefix(name, "jax-"):
		return m.jax(ctx, name, seq)
	case name == "attention":
		return m.graph(attention, 1, 2, seq)
	}
	var form pdr.Form
	if err := form.UnmarshalText([]byte(name)); err != nil {
		return runner{}, err
	}
	return m.graph(func(in []*Node) *Node {
		y, _ := pdr.Recurrence{Form: form, Chunk: chunk}.Apply(in[0], in[1], in[2], in[3], nil, 0)
		return y
	}, 0, 4, seq)
}

// inputs returns random p, v, k, q for series of seq tokens.
func (o Options) inputs(seq int) []any {
	rng := rand.New(rand.NewPCG(1, uint64(seq)))
	draw := func(width int, mean, sd float64) *tensors.Tensor {
		x := make([]float32, o.Batch*seq*width)
		for i := range x {
			x[i] = float32(mean + sd*rng.NormFloat64())
		}
		return tensors.FromFlatDataAndDimensions(x, o.Batch, seq, width)
	}
	small := 1 / math.Sqrt(float64(o.Rank))
	return []any{draw(o.Dim, 3, 1), draw(o.Dim, 0, 1), draw(o.Rank, 0, small), draw(o.Rank, 0, small)}
}

// graph returns the runner of a function of the inputs. Its gradients are with respect to
// in[first:last].
func (m *machine) graph(function func(in []*Node) *Node, first, last, seq int) (runner, error) {
	in := m.inputs(seq)
	x := runner{here: true, close: func() {}}
	add := func(f func(in []*Node) []*Node) (func() (spent, error), error) {
		e, err := NewExec(m.backend, f)
		if err != nil {
			return nil, err
		}
		call := func() (spent, error) {
			return timed(func() error {
				out, err := e.Call(in...)
				for _, t := range out {
					t.FinalizeAll()
				}
				return err
			})
		}
		before := x.close
		x.close = func() { before(); e.Finalize() }
		_, err = call()
		return call, err
	}
	var err error
	if x.forward, err = add(func(in []*Node) []*Node { return []*Node{function(in)} }); err != nil || m.Forward {
		return x, err
	}
	x.both, err = add(func(in []*Node) []*Node { return Gradient(ReduceAllSum(Square(function(in))), in[first:last]...) })
	return x, err
}

// attention returns causal softmax self-attention of v with 8 heads.
func attention(in []*Node) *Node {
	v := in[1]
	g, batch, seq, dim := v.Graph(), v.Shape().Dim(0), v.Shape().Dim(1), v.Shape().Dim(2)
	heads := TransposeAllAxes(Reshape(v, batch, seq, 8, dim/8), 0, 2, 1, 3)
	scores := MulScalar(DotGeneral(heads, []int{3}, []int{0, 1}, heads, []int{3}, []int{0, 1}), 1/math.Sqrt(float64(dim/8)))
	shape := shapes.Make(dtypes.Int32, 1, 1, seq, seq)
	scores = Where(GreaterOrEqual(Iota(g, shape, 2), Iota(g, shape, 3)), scores, Scalar(g, dtypes.Float32, -1e9))
	o := DotGeneral(Softmax(scores, -1), []int{3}, []int{0, 1}, heads, []int{2}, []int{0, 1})
	return Reshape(TransposeAllAxes(o, 0, 2, 1, 3), batch, seq, dim)
}

// plain returns the runner of package step, one series after the other.
func (m *machine) plain(seq int) runner {
	flat := make([][]float32, 4)
	for i, x := range m.inputs(seq) {
		flat[i] = tensors.MustCopyFlatData[float32](x.(*tensors.Tensor))
	}
	for i, p := range flat[0] {
		flat[0][i] = float32(1 / (1 + math.Exp(-float64(p))))
	}
	out := make([]float32, m.Dim)
	return runner{close: func() {}, forward: func() (spent, error) {
		return timed(func() error {
			s := step.New(m.Dim, m.Rank)
			for t := range m.Batch * seq {
				if t%seq == 0 {
					s.Reset()
				}
				d, r := t*m.Dim, t*m.Rank
				s.Next(out, flat[0][d:d+m.Dim], flat[1][d:d+m.Dim], flat[2][r:r+m.Rank], flat[3][r:r+m.Rank])
			}
			return nil
		})
	}}
}

// jax returns the runner of a form in JAX, for a single series.
func (m *machine) jax(ctx context.Context, name string, seq int) (x runner, err error) {
	if m.python == nil {
		if m.python, err = startPeer(ctx, m.Options); err != nil {
			return x, err
		}
	}
	ask := func(what string) func() (spent, error) {
		return func() (spent, error) { return m.python.call(name, seq, what) }
	}
	x = runner{forward: ask("forward"), close: func() {}}
	if _, err = x.forward(); err == nil && !m.Forward {
		x.both = ask("both")
		_, err = x.both()
	}
	return x, err
}
