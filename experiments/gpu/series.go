package gpu

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/layers/attention"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/experiments/params"
	"github.com/physlib/lab/physlib/nn"
	"github.com/physlib/lab/physlib/pdr"
	"github.com/physlib/lab/physlib/pdr/timing"
	"github.com/physlib/lab/physlib/train"
)

// formsResult holds the measurements of `physlib bench pdr`, and those of fused attention.
type formsResult struct {
	Rows  []formRow  `json:"rows"`
	Fused []fusedRow `json:"fused_attention"`
}

// formRow is the measurement of a form of the recurrence, or of attention.
type formRow struct {
	Form    string  `json:"form"`
	Seq     int     `json:"seq"`
	Forward float64 `json:"forward_seconds"`
	Both    float64 `json:"both_seconds"` // forward and backward; -1: not measured
	Why     string  `json:"left_out,omitempty"`
}

// pdrForms is the stage that compares the forms of the recurrence with attention.
func pdrForms(ctx context.Context, e *env) (any, error) {
	o := timing.Options{Seqs: or(e, []int{1024, 4096, 16384, 32768, 65536, 131072}, []int{64, 128}), Dim: or(e, 512, 32), Rank: or(e, 64, 4),
		Forms: []string{"chunk", "chunk-scan", "attention"}, Reps: or(e, 3, 1), Memory: or(e, 30.0, 1)}
	long, short := o, o
	// The forms step and scan are measured only on short series. The form step is a loop of many
	// small kernels, and the form scan stores all states.
	short.Seqs, short.Forms = or(e, []int{1024, 4096, 16384}, []int{64}), []string{"step", "scan"}
	var text bytes.Buffer
	for _, o := range []timing.Options{long, short} {
		if err := timing.Run(ctx, &text, e.backend, o); err != nil {
			return nil, err
		}
	}
	r := formsResult{Rows: formRows(text.String())}
	for _, seq := range o.Seqs {
		row := fusedRow{Seq: seq}
		if err := e.fused(&row, o.Dim); err != nil {
			row.Error = strings.Join(strings.Fields(err.Error()), " ")
		}
		r.Fused = append(r.Fused, row)
	}
	return r, ctx.Err()
}

// formRows parses the output of timing, whose times are in milliseconds.
func formRows(text string) (rows []formRow) {
	for line := range strings.Lines(text) {
		var r formRow
		if n, _ := fmt.Sscanf(line, "%s %d %f %f", &r.Form, &r.Seq, &r.Forward, &r.Both); n == 4 && r.Form != "ratio" && r.Form != "growth" {
			r.Forward, r.Both = r.Forward/1e3, r.Both/1e3
			for _, t := range []*float64{&r.Forward, &r.Both} {
				if math.IsNaN(*t) { // the time was not measured
					*t = -1
				}
			}
			rows = append(rows, r)
		} else if _, why, found := strings.Cut(line, "left out: "); found && n >= 2 {
			r.Forward, r.Both, r.Why = -1, -1, strings.TrimSpace(why)
			rows = append(rows, r)
		}
	}
	return rows
}

// fusedRow is the measurement of GoMLX's causal attention in bfloat16. On CUDA this is cuDNN's
// flash attention, elsewhere matrix products.
type fusedRow struct {
	Seq     int     `json:"seq"`
	Fused   bool    `json:"fused"`
	Forward float64 `json:"forward_seconds"`
	Error   string  `json:"error,omitempty"`
}

// fused measures the forward time of GoMLX's causal attention for series of r.Seq tokens of size
// dim, and writes the result to r.
func (e *env) fused(r *fusedRow, dim int) error {
	r.Fused = e.cuda()
	if !r.Fused && r.Seq > 4096 {
		return fmt.Errorf("no fused attention on this backend")
	}
	const heads = 8
	var err error
	r.Forward, err = e.time(shapes.Make(dtypes.BFloat16, 1, r.Seq, heads, dim/heads), func(x *Node) *Node {
		y, _ := attention.Core(x, x, x, attention.LayoutBSHD, attention.CoreOptions{UseCausalMask: true})
		return y
	})
	return err
}

// fullSize returns the recurrent network at the size of its paper, or tiny.
func (e *env) fullSize() (pdr.Config, error) {
	c, err := pdr.Preset(or(e, "pdr", "pdr-small"))
	if e.Tiny {
		c.Layers, c.Dim, c.Rank, c.Hidden, c.Window, c.Every = 2, 32, 4, 32, 8, 2
	}
	c.Form = pdr.Chunk
	return c, err
}

// memory returns the memory of the device in bytes, or 8 GiB for a processor.
func (e *env) memory() float64 {
	if m := smiBytes("memory.total"); e.cuda() && m > 0 {
		return float64(m)
	}
	return 8 << 30
}

// layersResult is the measurement of a training step with as many layers as fit.
type layersResult struct {
	Layers      int     `json:"layers"`
	Of          int     `json:"of_layers"`
	Seq         int     `json:"seq"`
	Step        float64 `json:"step_seconds"`
	Tokens      float64 `json:"tokens_per_second"`
	MFU         float64 `json:"mfu"`
	Planned     int64   `json:"planned_bytes"`
	Used        int64   `json:"used_bytes"`
	LayerFLOPs  int     `json:"layer_flops_per_token"` // counted as in the paper on PDR
	LayerParams int     `json:"layer_parameters"`
	train.Cost
}

// pdrTrain is the stage that trains as many layers of the full-size recurrent network as fit.
func pdrTrain(ctx context.Context, e *env) (any, error) {
	c, err := e.fullSize()
	if err != nil {
		return nil, err
	}
	r := layersResult{Of: c.Layers, Seq: or(e, 1024, 64), LayerFLOPs: c.LayerFLOPs(), LayerParams: c.LayerParams()}
	c = params.Fitting(c, 0.8*e.memory())
	for ; ; c.Layers-- {
		stop := e.watch()
		r.Cost, err = train.Measure(ctx, e.backend, params.Series{Network: c, Seq: r.Seq}, train.Settings{LR: 1e-5}, or(e, 8, 2))
		r.Used = stop()
		if err != nil && strings.Contains(err.Error(), "memory of the device is full") && c.Layers > 1 {
			continue
		}
		break
	}
	r.Layers, r.Step, r.Planned = c.Layers, r.Cost.Step(), r.Cost.Planned()
	r.Tokens = float64(r.Seq) / r.Step
	if p := peak(smi("name")); e.cuda() && p > 0 {
		r.MFU = r.FLOPs / r.Step / p
	}
	return r, err
}

// streamResult is the measurement of the recurrent network with a stream of tokens.
type streamResult struct {
	Layers int `json:"layers"`
	Of     int `json:"of_layers"`
	// State is the memory of the recurrences' states. According to the paper on PDR, it is 120 MB
	// for sixty layers in bfloat16.
	State   int64   `json:"recurrent_state_bytes"`
	Window  int64   `json:"window_bytes"`      // memory of keys and values of attention
	Tokens  float64 `json:"tokens_per_second"` // speed if 64 tokens are fed at a time
	Single  float64 `json:"single_tokens_per_second"`
	Used    int64   `json:"used_bytes"`
	Weights int64   `json:"weight_bytes"`
}

// pdrStream is the stage that feeds a stream to the full-size recurrent network.
func pdrStream(ctx context.Context, e *env) (any, error) {
	c, err := e.fullSize()
	if err != nil {
		return nil, err
	}
	r := streamResult{Of: c.Layers}
	c.Layers = min(c.Layers, max(1, int(0.75*e.memory()/(4*float64(params.LayerWeights(c))))))
	r.Layers, r.Weights = c.Layers, 4*int64(c.Params())
	for _, a := range c.Arrays(1) {
		if strings.HasSuffix(a.Name, "/state") {
			r.State += a.Shape.ByteSize()
		} else {
			r.Window += a.Shape.ByteSize()
		}
	}
	store := model.NewStore()
	store.SetParam(nn.ParamSeed, int64(1))
	stop := e.watch()
	s, err := pdr.NewStream(e.backend, store, "", c)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	feed := func(n, times int) (float64, error) {
		x := make([]float32, n*c.Dim)
		for i := range x {
			x[i] = float32(math.Sin(math.Phi * float64(i)))
		}
		if _, err := s.Feed(x); err != nil { // compiles the program
			return 0, err
		}
		began := time.Now()
		for range times {
			if ctx.Err() != nil {
				return 0, ctx.Err()
			}
			if _, err := s.Feed(x); err != nil {
				return 0, err
			}
		}
		return float64(n*times) / time.Since(began).Seconds(), nil
	}
	if r.Tokens, err = feed(64, or(e, 16, 2)); err != nil {
		return nil, err
	}
	r.Single, err = feed(1, or(e, 64, 4))
	r.Used = stop()
	return r, err
}
