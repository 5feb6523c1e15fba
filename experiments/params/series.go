package params

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/physlib/lab/physlib/nn"
	"github.com/physlib/lab/physlib/pdr"
	"github.com/physlib/lab/physlib/train"
)

// Series is a task for the recurrent network: predict the next vector of random series. It serves
// to measure a training step at full size. It implements train.Task.
type Series struct {
	Network pdr.Config
	Seq     int // tokens of a series; a batch is one series
}

// Name implements train.Task.
func (t Series) Name() string { return "pdr" }

// Metrics implements train.Task.
func (t Series) Metrics() []string { return nil }

// Config implements train.Task.
func (t Series) Config() any { return t.Network }

// Tokens implements train.TokenCounter.
func (t Series) Tokens() int { return t.Seq }

// Loss implements train.Task.
func (t Series) Loss(s *model.Scope, batch []*Node) (*Node, []*Node) {
	x := batch[0]
	y, _ := t.Network.Apply(s, x, nil, 0)
	return ReduceAllMean(Square(Sub(Slice(y, AxisRange(), AxisRange(0, t.Seq-1)), Slice(x, AxisRange(), AxisRange(1))))), nil
}

// Batch implements train.Task.
func (t Series) Batch(step int64) ([]*tensors.Tensor, error) {
	rng := rand.New(rand.NewPCG(1, uint64(step)))
	x := make([]float32, t.Seq*t.Network.Dim)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(x, 1, t.Seq, t.Network.Dim)}, nil
}

// bytesPerWeight is the memory in training per weight: the weight, its gradient and two moments,
// and copies of all but the gradient during the update.
const bytesPerWeight = 16 + 12

// LayerWeights returns the number of parameters of a layer together with its feed-forward layer. It
// is the larger of the numbers with attention and with a recurrence.
func LayerWeights(c pdr.Config) int {
	one := c
	one.Layers, one.Every = 1, 0
	other := one
	other.Every = 1
	return max(one.Params(), other.Params())
}

// Fitting returns c with as many of its layers as can be trained in the given memory in bytes, but
// at least one.
func Fitting(c pdr.Config, bytes float64) pdr.Config {
	c.Layers = min(c.Layers, max(1, int(bytes/(bytesPerWeight*float64(LayerWeights(c))))))
	return c
}

// pdrName is the preset of the recurrent network, which is not a system. It is measured with as
// many of its layers as fit into the memory.
const pdrName = "pdr"

// series returns the recurrent network in the form Chunk: with all layers, and with as many as fit
// into --memory.
func (c *Cmd) series() (all, fitting pdr.Config, err error) {
	all, err = pdr.Preset(pdrName)
	all.Form = pdr.Chunk
	return all, Fitting(all, c.Memory*(1<<30)), err
}

// insideSeries measures the recurrent network in this process: a training step, and a piece of a
// stream.
func (c *Cmd) insideSeries(ctx context.Context, b compute.Backend, used string) (m Measured, err error) {
	_, config, err := c.series()
	if err != nil {
		return m, err
	}
	seq := max(16, int(1024*c.Batch))
	m = Measured{Tables: 1, Backend: used, Layers: config.Layers}
	steps := 1
	if c.Plan {
		steps = 0
	}
	if m.Cost, err = train.Measure(ctx, b, Series{config, seq}, train.Settings{LR: 1e-5}, steps); err != nil || c.Plan {
		return m, err
	}
	store := model.NewStore()
	defer store.Finalize()
	store.SetParam(nn.ParamSeed, int64(1))
	s, err := pdr.NewStream(b, store, "", config)
	if err != nil {
		return m, err
	}
	defer s.Close()
	m.Refined = 16
	x := make([]float32, m.Refined*config.Dim)
	for i := range x {
		x[i] = float32(math.Sin(math.Phi * float64(i)))
	}
	began := time.Now()
	_, err = s.Feed(x)
	m.Refine = time.Since(began).Seconds()
	return m, err
}
