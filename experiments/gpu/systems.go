package gpu

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/adapt"
	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/system"
	"github.com/physlib/lab/physlib/train"
)

// stepResult is the measurement of a training step of a preset.
type stepResult struct {
	Preset     string  `json:"preset"`
	Parameters int     `json:"parameters"`
	Claimed    float64 `json:"claimed_parameters"`
	// Memory that the paper claims for a batch of ClaimedFor tables.
	ClaimedMem float64   `json:"claimed_memory_bytes"`
	ClaimedFor int       `json:"claimed_batch"`
	Runs       []stepRun `json:"runs"`
	// LossParity is |a/b - 1| for the first losses a in bfloat16 and b in float32, with equal
	// weights and batch.
	LossParity float64 `json:"loss_parity"`
	NextParity float64 `json:"next_parity"` // the same for the losses after the first update
	Parity     parity  `json:"parity"`      // parity of loss and logits, without dropout
}

// stepRun is the measurement in one precision.
type stepRun struct {
	Type      string `json:"type"`
	Recompute bool   `json:"recompute,omitempty"`
	// Number of tables in a batch: as in the paper, or as many as fit.
	Tables  int     `json:"tables"`
	Step    float64 `json:"step_seconds"`
	Tokens  float64 `json:"tokens_per_second"`
	Speed   float64 `json:"flops_per_second"`
	MFU     float64 `json:"mfu"` // achieved fraction of the bfloat16 peak in the data sheet
	Waiting float64 `json:"waiting"`
	Planned int64   `json:"planned_bytes"` // memory according to XLA's plan
	// Memory that the allocator holds, according to nvidia-smi.
	Used int64 `json:"used_bytes"`
	train.Cost
}

// oneBucket keeps only the bucket of the longest sequences, with batches of the given number of
// tables. If tables is 0, the bucket keeps its own number.
func oneBucket(c *system.Config, tables int) {
	last := c.Corpus.Buckets[len(c.Corpus.Buckets)-1]
	last.Batches = 4
	if tables > 0 {
		last.Tables = tables
	}
	c.Corpus.Buckets = []system.Bucket{last}
}

// settings returns the training settings of a preset.
func settings(c *system.Config) train.Settings {
	p := c.Train
	return train.Settings{LR: p.LR, Warmup: p.Warmup, Schedule: train.Constant, Optimizer: p.Optimizer, Beta2: p.Beta2, WeightDecay: p.Decay, EMA: p.EMA}
}

// steps is the stage that measures training steps of a preset.
func steps(ctx context.Context, e *env, preset string) (any, error) {
	c, err := e.config(preset)
	if err != nil {
		return nil, err
	}
	oneBucket(c, or(e, c.Claim.Batch, 0))
	r := stepResult{Preset: preset, Claimed: c.Claim.Parameters, ClaimedMem: c.Claim.Memory, ClaimedFor: c.Claim.Batch}
	kinds := []train.Settings{{BF16: true}, {}}
	if preset == "parr-200m" {
		kinds = append(kinds, train.Settings{BF16: true, Checkpoint: true})
	}
	for _, k := range kinds {
		s := settings(c)
		s.BF16, s.Checkpoint = k.BF16, k.Checkpoint
		run, err := e.step(ctx, *c, s)
		if err != nil {
			return r.soFar(), err
		}
		r.Runs, r.Parameters = append(r.Runs, run), run.Parameters
	}
	r.LossParity, r.NextParity = r.firsts(0), r.firsts(1)
	oneBucket(c, r.Runs[1].Tables)
	task, err := system.NewTask(c, 1)
	if err != nil {
		return r, err
	}
	r.Parity, err = precisions(e.backend, task)
	return r, err
}

// soFar returns r, or nil if nothing was measured.
func (r stepResult) soFar() any {
	if len(r.Runs) == 0 {
		return nil
	}
	return r
}

// firsts compares the first two runs at step i. It returns |a/b - 1| for their losses a and b, or
// -1 if they are not comparable.
func (r stepResult) firsts(i int) float64 {
	a, b := r.Runs[0], r.Runs[1]
	if a.Tables != b.Tables || len(a.Losses) <= i || len(b.Losses) <= i {
		return -1
	}
	return math.Abs(a.Losses[i]/b.Losses[i] - 1)
}

// step measures a training step. If the memory does not suffice, it halves the number of tables and
// tries again.
func (e *env) step(ctx context.Context, c system.Config, s train.Settings) (r stepRun, err error) {
	tables := c.Corpus.Buckets[0].Tables
	for ; ; tables /= 2 {
		c.Corpus.Buckets = []system.Bucket{{Seq: c.Corpus.Buckets[0].Seq, Tables: tables, Batches: c.Corpus.Buckets[0].Batches}}
		task, err := system.NewTask(&c, 1)
		if err != nil {
			return r, err
		}
		stop := e.watch()
		cost, err := train.Measure(ctx, e.backend, task, s, or(e, 16, 3))
		used := stop()
		if err != nil && strings.Contains(err.Error(), "memory of the device is full") && tables > 1 {
			continue
		}
		if err != nil {
			return r, err
		}
		r = stepRun{Type: "float32", Recompute: s.Checkpoint, Tables: tables, Step: cost.Step(), Planned: cost.Planned(), Used: used, Cost: cost}
		break
	}
	if s.BF16 {
		r.Type = "bfloat16"
	}
	r.Tokens, r.Speed = float64(r.Cost.Tokens)/r.Step, r.FLOPs/r.Step
	if p := peak(smi("name")); e.cuda() && p > 0 {
		r.MFU = r.Speed / p
	}
	var all, waited float64
	for i, s := range r.Seconds {
		all, waited = all+s, waited+r.Waits[i]
	}
	if all > 0 {
		r.Waiting = waited / all
	}
	return r, nil
}

// inferResult is the measurement of decoding for one table.
type inferResult struct {
	Preset     string  `json:"preset"`
	Steps      int     `json:"steps"`
	Rounds     int     `json:"rounds"`
	Samples    int     `json:"samples"`
	Loops      int     `json:"loops"` // number of loops of a shared block, K in the papers
	First      float64 `json:"first_seconds"`
	Seconds    float64 `json:"seconds"` // time of the second decoding, which excludes compilation
	Candidates int     `json:"candidates"`
	// 60 s, the time that the papers allow, divided by Seconds.
	TimesFast float64 `json:"times_faster_than_60s"`
}

// untrained returns a preset with its initial weights, its configuration and a table of its corpus.
func (e *env) untrained(preset string) (*system.System, *system.Config, stream.Problem, error) {
	c, err := e.config(preset)
	if err != nil {
		return nil, nil, stream.Problem{}, err
	}
	oneBucket(c, 1)
	st, err := stream.New(stream.Config{Rows: c.Corpus.Rows, MaxVars: c.Encoder.Cols})
	if err != nil {
		return nil, nil, stream.Problem{}, err
	}
	sys, err := system.Untrained(e.backend, c, 1)
	return sys, c, st.Problem(5, 0), err
}

// infer is the stage that measures decoding for one table.
func infer(ctx context.Context, e *env, preset string) (any, error) {
	sys, c, law, err := e.untrained(preset)
	if err != nil {
		return nil, err
	}
	a := c.Adapt
	a.Rank = 1 // Draw needs adapters; while they are untrained, they have no effect
	t, err := sys.Tunable(a)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	r := inferResult{Preset: preset, Steps: c.Refine.Steps, Rounds: c.Refine.Rounds, Samples: c.Refine.Samples, Loops: c.Decoder.Loops}
	table := &features.Table{X: law.X, Y: law.Y, Dims: law.Dims, Target: law.Target, Units: law.Units}
	for i := range 2 {
		began := time.Now()
		r.Candidates = 0
		for _, err := range t.Draw(ctx, []*features.Table{table}, c.Refine.Samples, 0, 0, 1) {
			if err != nil {
				return nil, err
			}
			r.Candidates++
		}
		r.Seconds = time.Since(began).Seconds()
		if i == 0 {
			r.First = r.Seconds
		}
	}
	r.TimesFast = 60 / r.Seconds
	return r, ctx.Err()
}

// adaptResult is the measurement of test-time training.
type adaptResult struct {
	Preset    string  `json:"preset"`
	Requested int     `json:"requested_steps"`
	Steps     float64 `json:"steps"` // number of steps made; fewer if learning ended early
	First     float64 `json:"first_seconds"`
	Seconds   float64 `json:"seconds"` // time of the steps for the last law, without compilation
}

// adaptation is the stage that measures test-time training of a preset.
func adaptation(ctx context.Context, e *env, preset string) (any, error) {
	sys, c, _, err := e.untrained(preset)
	if err != nil {
		return nil, err
	}
	s := c.Adapt
	s.EarlyStop, s.Time = 0, 0
	r := adaptResult{Preset: preset, Requested: s.Steps}
	if s.Steps == 0 {
		return nil, fmt.Errorf("preset %s has no adaptation steps", preset)
	}
	var all []float64 // time of each law's steps
	rows, err := adapt.Measure(ctx, sys, []adapt.Settings{s}, 3, 1, func(_ int, rows []adapt.Row) {
		if n := rows[0].Laws; n > len(all) {
			sum := rows[0].Seconds * float64(n)
			for _, t := range all {
				sum -= t
			}
			all = append(all, sum)
		}
	})
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("preset %s: the system could adapt to none of three laws", preset)
	}
	r.Steps, r.First, r.Seconds = rows[0].Steps, all[0], all[len(all)-1]
	return r, nil
}

// truncationRow is the measurement of backpropagation through the last Backprop of Loops loops.
type truncationRow struct {
	Preset   string  `json:"preset"`
	Loops    int     `json:"loops"`    // K
	Backprop int     `json:"backprop"` // K_bp; 0: all
	Step     float64 `json:"step_seconds"`
	Planned  int64   `json:"planned_bytes"`
	Error    string  `json:"error,omitempty"`
	train.Cost
}

// truncation is the stage that measures truncated against full backpropagation.
func truncation(ctx context.Context, e *env) (any, error) {
	var rows []truncationRow
	for _, loops := range or(e, []int{8, 16, 32}, []int{2, 3}) {
		for _, backprop := range []int{or(e, 3, 1), 0} {
			c, err := e.config("parr")
			if err != nil {
				return nil, err
			}
			oneBucket(c, or(e, 16, 2))
			c.Decoder.Loops, c.Decoder.Backprop = loops, backprop
			task, err := system.NewTask(c, 1)
			if err != nil {
				return nil, err
			}
			s := settings(c)
			s.BF16 = e.cuda()
			row := truncationRow{Preset: "parr", Loops: loops, Backprop: backprop}
			if row.Cost, err = train.Measure(ctx, e.backend, task, s, 4); err != nil {
				if ctx.Err() != nil {
					return map[string]any{"rows": rows}, err
				}
				row.Error = err.Error() // full backpropagation may not fit, which is a result too
			}
			row.Step, row.Planned = row.Cost.Step(), row.Cost.Planned()
			rows = append(rows, row)
		}
	}
	return map[string]any{"rows": rows}, nil
}
