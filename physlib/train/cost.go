package train

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/physlib/lab/physlib/backend"
)

// Cost is the cost of a training step. Some values are calculated, some are planned by the
// compiler, and some are measured.
type Cost struct {
	Parameters int   `json:"parameters"`
	State      int64 `json:"state_bytes"` // size of weights, gradients, moments and averages
	Batch      int64 `json:"batch_bytes"` // size of one batch
	Tokens     int   `json:"tokens"`      // tokens in a batch; 0: unknown
	// Number of operations in the matrix products of a step, see FLOPs.
	FLOPs   float64 `json:"flops"`
	Working int64   `json:"working_bytes"` // calculated memory without arguments, see Working

	// Plan of the program of gradients; zero if the backend has none.
	Learn  backend.Plan `json:"learn"`
	Update backend.Plan `json:"update"` // plan of the program of the update

	Compile float64   `json:"compile_seconds"` // time to compile both programs
	First   float64   `json:"first_seconds"`   // time of the first step, after compilation
	Seconds []float64 `json:"all_seconds"`     // time of each later step
	Waits   []float64 `json:"wait_seconds"`    // part of these times spent waiting for the batch
	Losses  []float64 `json:"losses"`          // loss of each step
}

// Planned returns the device memory of a step in bytes, as the compiler planned it. It is the sum
// of the run's state, its batch, and the larger program without its code. It is 0 if the backend
// has no plans.
func (c Cost) Planned() int64 {
	if c.Learn == (backend.Plan{}) {
		return 0
	}
	adds := func(p backend.Plan) int64 { return p.Results - p.Aliased + p.Temporary }
	return c.State + c.Batch + max(adds(c.Learn), adds(c.Update))
}

// Calculated returns an estimate of Planned. It assumes that new gradients are in memory together
// with those of the previous step, and new weights and moments together with the old ones. The
// reason is that go-xla v0.4.11 cannot reuse the memory of arguments for results.
func (c Cost) Calculated() int64 {
	return c.State + c.Batch + max(c.Working, c.State-4*int64(c.Parameters))
}

// Step returns the median time of a step in seconds, or 0 if there was none after the first.
func (c Cost) Step() float64 {
	if len(c.Seconds) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(c.Seconds))[len(c.Seconds)/2]
}

// Measure runs training steps from initial weights and records their cost. Nothing is saved. If
// steps is 0, it compiles the programs and computes nothing.
func Measure(ctx context.Context, b compute.Backend, task Task, settings Settings, steps int) (c Cost, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("task %s: %v", task.Name(), r)
		}
		err = advised(err)
	}()
	settings.Steps = max(int64(steps), 1)
	s := settings.withDefaults()
	s.Schedule = Constant
	if err := s.check(); err != nil {
		return c, err
	}
	t, err := newStepper(b, task, s)
	if err != nil {
		return c, err
	}
	defer t.free()
	f := newFeed(context.WithoutCancel(ctx), b, t.among, task, 0, s.Workers)
	defer f.close()
	first, err := f.next()
	if err != nil {
		return c, err
	}
	if err := t.plan(first, &c); err != nil {
		return c, err
	}
	if n, ok := task.(TokenCounter); ok {
		c.Tokens = n.Tokens() * s.Accumulate
	}
	if steps == 0 {
		for _, x := range first {
			x.FinalizeAll()
		}
		return c, nil
	}
	if err := t.store.InitializeVariables(b, nil); err != nil {
		return c, err
	}
	return c, t.time(ctx, &c, steps, s, first, f)
}

// time runs steps and records their losses, their times and the times spent waiting for batches.
// first is the first batch; the others come from f.
func (t *stepper) time(ctx context.Context, c *Cost, steps int, s Settings, first []*tensors.Tensor, f *feed) error {
	var waited time.Duration
	next := func() ([]*tensors.Tensor, error) {
		if batch := first; batch != nil {
			first = nil
			return batch, nil
		}
		defer func(began time.Time) { waited += time.Since(began) }(time.Now())
		return f.next()
	}
	for i := range int64(steps) {
		if ctx.Err() != nil {
			break
		}
		began := time.Now()
		waited = 0
		o, err := t.step(i, s.rate(i, position{}), next)
		if err != nil {
			return err
		}
		c.Losses = append(c.Losses, o.loss)
		if i == 0 {
			c.First = time.Since(began).Seconds()
		} else {
			c.Seconds, c.Waits = append(c.Seconds, time.Since(began).Seconds()), append(c.Waits, waited.Seconds())
		}
	}
	return ctx.Err()
}

// plan compiles the programs of t for batches with the shapes of batch, and records the costs that
// are known before they run.
func (t *stepper) plan(batch []*tensors.Tensor, c *Cost) error {
	began := time.Now()
	learn, update, err := t.compile(batch)
	if err != nil {
		return err
	}
	c.Compile = time.Since(began).Seconds()
	c.Parameters = t.parameters()
	for v := range t.store.IterVariables() {
		c.State += v.Shape().ByteSize()
	}
	for _, x := range batch {
		c.Batch += x.Shape().ByteSize()
	}
	all := reachable(t.made)
	c.FLOPs = float64(t.settings.Accumulate) * FLOPs(all)
	c.Working = Working(all)
	c.Learn, _ = backend.PlanOf(learn.Executable())
	c.Update, _ = backend.PlanOf(update.Executable())
	return nil
}

// free releases programs and variables. t must not be used afterwards.
func (t *stepper) free() {
	t.learn.Finalize()
	t.update.Finalize()
	t.store.Finalize()
}
