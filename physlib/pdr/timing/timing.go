// Package timing measures the forms of the perspective decay recurrence beside softmax attention and the recurrence in JAX: time and
// memory against the length of the series, in one run on one machine.
package timing

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn"
	"github.com/physlib/lab/physlib/pdr"
	"github.com/physlib/lab/physlib/pdr/step"
)

// Options say what to measure. The zero value of a field but Seqs means what its comment says.
type Options struct {
	Seqs      []int
	Dim, Rank int      // 0: 512 and 64
	Forms     []string // of Names; nil: all but those of JAX
	Reps      int      // turns, of which the fastest counts; 0: 5
	Memory    float64  // GiB that a form may need at most, or it is left out; 0: 4
	Python    string   // the Python that has JAX; "": python3
}

// Names are what can be measured: the forms of package pdr, one token after the other in plain Go, causal softmax attention with 8 heads,
// and in JAX a lax.scan of steps and chunks of products of matrices with e^{C} and e^{-C}, as GLA's (S. Yang et al., 2024).
func Names() []string {
	return []string{"step", "scan", "chunk-scan", "chunk", "go", "attention", "jax-scan", "jax-chunk"}
}

// row is a measurement.
type row struct {
	name          string
	seq           int
	forward, both float64 // seconds; NaN where not measured
	memory        float64 // bytes beyond the inputs that the process used at most, forward and backward
	why           string  // it was not measured
}

// Run measures and prints a line for each length and form, and ratio lines.
func Run(ctx context.Context, w io.Writer, b compute.Backend, o Options) error {
	if o.Dim == 0 {
		o.Dim = 512
	}
	if o.Rank == 0 {
		o.Rank = 64
	}
	if o.Reps == 0 {
		o.Reps = 5
	}
	if o.Memory == 0 {
		o.Memory = 4
	}
	if o.Forms == nil {
		o.Forms = Names()[:6]
	}
	fmt.Fprintf(w, "dim %d, rank %d, batch 1, float32, %s; best of %d turns\n", o.Dim, o.Rank, b.Description(), o.Reps)
	fmt.Fprintf(w, "%-11s %7s %12s %14s %12s %12s\n", "form", "seq", "forward ms", "+backward ms", "µs/token", "memory MiB")
	var python *peer
	defer func() { python.close() }()
	var rows []row
	for _, seq := range o.Seqs {
		for _, name := range o.Forms {
			if err := ctx.Err(); err != nil {
				return err
			}
			r := row{name: name, seq: seq, forward: math.NaN(), both: math.NaN()}
			var err error
			switch need := o.need(name, seq); {
			case need > o.Memory*(1<<30):
				r.why = fmt.Sprintf("left out: needs about %.1f GiB", need/(1<<30))
			case name == "go":
				r.forward = o.plain(seq)
			case strings.HasPrefix(name, "jax-"):
				if python == nil {
					python, err = startPeer(ctx, o)
				}
				if err == nil {
					r.forward, r.both, err = python.measure(name, seq)
				}
			default:
				err = o.measure(b, &r)
			}
			if err != nil {
				return fmt.Errorf("%s at seq %d: %w", name, seq, err)
			}
			rows = append(rows, r)
			if r.why != "" {
				fmt.Fprintf(w, "%-11s %7d  %s\n", name, seq, r.why)
				continue
			}
			fmt.Fprintf(w, "%-11s %7d %12.3f %14.3f %12.3f %12.1f\n", name, seq, r.forward*1e3, r.both*1e3, r.forward*1e6/float64(seq), r.memory/(1<<20))
		}
	}
	o.ratios(w, rows)
	return nil
}

// need is about how many bytes a form needs.
func (o Options) need(name string, seq int) float64 {
	n, state := float64(seq), 4*float64(o.Dim*o.Rank)
	switch name {
	case "scan":
		return 6 * n * state
	case "chunk-scan":
		return 6 * 256 * state
	case "attention":
		return 5 * 4 * 8 * n * n
	case "jax-scan":
		return 2 * n * state // the states that its gradient keeps
	}
	return 0
}

// inputs are p, v, k, q.
func (o Options) inputs(seq int) []any {
	rng := rand.New(rand.NewPCG(1, uint64(seq)))
	draw := func(width int, mean, sd float64) *tensors.Tensor {
		x := make([]float32, seq*width)
		for i := range x {
			x[i] = float32(mean + sd*rng.NormFloat64())
		}
		return tensors.FromFlatDataAndDimensions(x, 1, seq, width)
	}
	small := 1 / math.Sqrt(float64(o.Rank))
	return []any{draw(o.Dim, 3, 1), draw(o.Dim, 0, 1), draw(o.Rank, 0, small), draw(o.Rank, 0, small)}
}

// measure fills in r on a backend.
func (o Options) measure(b compute.Backend, r *row) error {
	var form pdr.Form
	function := attention
	if r.name != "attention" {
		if err := form.UnmarshalText([]byte(r.name)); err != nil {
			return err
		}
		if form == pdr.Step && b.Name() == "go" && r.seq > 256 {
			r.why = "left out: this backend has no loops for it"
			return nil
		}
		function = func(in []*Node) *Node {
			y, _ := pdr.Recurrence{Form: form}.Apply(in[0], in[1], in[2], in[3], nil, 0)
			return y
		}
	}
	forward, err := NewExec(b, func(in []*Node) []*Node { return []*Node{function(in)} })
	if err != nil {
		return err
	}
	both, err := NewExec(b, func(in []*Node) []*Node {
		used := in
		if r.name == "attention" {
			used = in[1:2]
		}
		return Gradient(ReduceAllSum(Square(function(in))), used...)
	})
	if err != nil {
		return err
	}
	in := o.inputs(r.seq)
	if r.forward, _, err = best(forward, in, o.Reps); err != nil {
		return err
	}
	r.both, r.memory, err = best(both, in, o.Reps)
	return err
}

// attention is causal softmax attention of v to itself with 8 heads.
func attention(in []*Node) *Node {
	v := in[1]
	g, seq, dim := v.Graph(), v.Shape().Dim(1), v.Shape().Dim(2)
	heads := TransposeAllAxes(Reshape(v, 1, seq, 8, dim/8), 0, 2, 1, 3)
	scores := MulScalar(DotGeneral(heads, []int{3}, []int{0, 1}, heads, []int{3}, []int{0, 1}), 1/math.Sqrt(float64(dim/8)))
	shape := shapes.Make(dtypes.Int32, 1, 1, seq, seq)
	scores = Where(GreaterOrEqual(Iota(g, shape, 2), Iota(g, shape, 3)), scores, Scalar(g, dtypes.Float32, -1e9))
	o := DotGeneral(Softmax(scores, -1), []int{3}, []int{0, 1}, heads, []int{2}, []int{0, 1})
	return Reshape(TransposeAllAxes(o, 0, 2, 1, 3), 1, seq, dim)
}

// best is the fastest of reps calls after a first one, and the memory that they took at most.
func best(e *Exec, in []any, reps int) (seconds, memory float64, err error) {
	defer e.Finalize()
	once := func() error {
		out, err := e.Call(in...)
		for _, t := range out {
			t.FinalizeAll()
		}
		return err
	}
	if err := once(); err != nil {
		return 0, 0, err
	}
	seconds = math.Inf(1)
	runtime.GC()
	before := resident("VmRSS:", true)
	for range reps {
		start := time.Now()
		if err := once(); err != nil {
			return 0, 0, err
		}
		seconds = min(seconds, time.Since(start).Seconds())
	}
	return seconds, max(0, resident("VmHWM:", false)-before), nil
}

// resident is the process's memory now (VmRSS:) or at most since the last reset (VmHWM:), in bytes; 0 where Linux does not tell.
func resident(key string, reset bool) float64 {
	if reset {
		os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // resets VmHWM
	}
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == key {
			kib, _ := strconv.ParseFloat(f[1], 64)
			return kib * 1024
		}
	}
	return 0
}

// plain is the time of package step for a series, which is the fastest of the turns.
func (o Options) plain(seq int) float64 {
	in := o.inputs(seq)
	flat := make([][]float32, 4)
	for i, x := range in {
		flat[i] = tensors.MustCopyFlatData[float32](x.(*tensors.Tensor))
	}
	for i, p := range flat[0] {
		flat[0][i] = float32(1 / (1 + math.Exp(-float64(p))))
	}
	seconds, out := math.Inf(1), make([]float32, o.Dim)
	for range o.Reps {
		s := step.New(o.Dim, o.Rank)
		start := time.Now()
		for t := range seq {
			d, r := t*o.Dim, t*o.Rank
			s.Next(out, flat[0][d:d+o.Dim], flat[1][d:d+o.Dim], flat[2][r:r+o.Rank], flat[3][r:r+o.Rank])
		}
		seconds = min(seconds, time.Since(start).Seconds())
	}
	return seconds
}

// ratios prints how much faster the form that package pdr chooses is than the others, and how it grows.
func (o Options) ratios(w io.Writer, rows []row) {
	find := func(name string, seq int) (r row, ok bool) {
		for _, r = range rows {
			if r.name == name && r.seq == seq && r.why == "" {
				return r, true
			}
		}
		return row{}, false
	}
	for _, ours := range []string{"step", "chunk"} {
		for _, seq := range o.Seqs {
			a, ok := find(ours, seq)
			if !ok {
				continue
			}
			for _, name := range []string{"scan", "attention", "jax-scan", "jax-chunk"} {
				if r, ok := find(name, seq); ok {
					fmt.Fprintf(w, "ratio %s %s seq=%d forward %.2f both %.2f\n", ours, name, seq, r.forward/a.forward, r.both/a.both)
				}
			}
		}
		if n := len(o.Seqs); n > 1 {
			a, ok1 := find(ours, o.Seqs[0])
			z, ok2 := find(ours, o.Seqs[n-1])
			if ok1 && ok2 {
				fmt.Fprintf(w, "growth %s seq=%d:%d forward %.2f both %.2f\n", ours, z.seq, a.seq, z.forward/a.forward, z.both/a.both)
			}
		}
	}
}

// FullLayer runs one layer of the seed's size, dim 4096 and rank 256, forward and backward on a series of seq tokens, and prints its
// times and its FLOPs beside those that the seed claims (§4.1: about 110 M a token).
func FullLayer(w io.Writer, b compute.Backend, seq int) error {
	c, err := pdr.Preset("pdr")
	if err != nil {
		return err
	}
	layer := pdr.Layer{Rank: c.Rank, Norm: true}
	store := model.NewStore()
	store.SetParam(nn.ParamSeed, int64(1))
	e, err := model.NewExec(b, store, func(s *model.Scope, in []*Node) []*Node {
		y, _ := layer.Apply(s, in[0], nil, 0)
		loss := ReduceAllSum(Square(y))
		sum := loss
		for _, g := range s.BuildTrainableVariablesGradientsGraph(loss) {
			sum = Add(sum, ReduceAllSum(Square(g)))
		}
		return []*Node{loss, sum}
	})
	if err != nil {
		return err
	}
	x := make([]float32, seq*c.Dim)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	in := tensors.FromFlatDataAndDimensions(x, 1, seq, c.Dim)
	seconds := math.Inf(1)
	var loss float32
	for range 3 {
		start := time.Now()
		out, err := e.Call(in)
		if err != nil {
			return err
		}
		loss = tensors.ToScalar[float32](out[0])
		for _, t := range out {
			t.FinalizeAll()
		}
		seconds = min(seconds, time.Since(start).Seconds())
	}
	fmt.Fprintf(w, "layer dim %d rank %d seq %d: forward and backward %.0f ms, loss %g, peak %.0f MiB resident\n",
		c.Dim, c.Rank, seq, seconds*1e3, loss, resident("VmHWM:", false)/(1<<20))
	fmt.Fprintf(w, "layer FLOPs a token %.1f M (seed: about 110 M), parameters %.1f M (seed: 52.5 M)\n",
		float64(c.LayerFLOPs())/1e6, float64(c.LayerParams())/1e6)
	return nil
}
