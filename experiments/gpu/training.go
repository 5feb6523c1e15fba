package gpu

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/system"
	"github.com/physlib/lab/physlib/train"
)

// trainingResult is the result of training in the remaining time.
type trainingResult struct {
	Preset    string  `json:"preset"`
	Step      int64   `json:"step"`
	Loss      float64 `json:"loss"`
	Finished  bool    `json:"finished"`
	PerSecond float64 `json:"steps_per_second"`
	// Waiting is the share of time in which the device waited for batches, since the last row of
	// metrics.
	Waiting    float64            `json:"waiting"`
	Validation map[string]float64 `json:"validation,omitempty"`
	Weights    int64              `json:"weight_file_bytes"`
	State      []string           `json:"state"` // files from which another machine can continue
}

// partSize is the largest size in bytes of a file of state.
const partSize = 15 << 20

// training trains the preset given by --preset. It keeps its state in the results folder, and
// continues from the state of an earlier machine if there is one.
func training(ctx context.Context, e *env) (any, error) {
	c, err := system.Preset(e.Preset)
	if err != nil {
		return nil, err
	}
	if e.Tiny {
		if c, err = e.config("physdiffuse-small"); err != nil {
			return nil, err
		}
		c.Lengths = "head"
	}
	task, err := system.NewTask(c, 1)
	if err != nil {
		return nil, err
	}
	p := c.Train
	s := train.Settings{LR: p.LR, Warmup: p.Warmup, Schedule: p.Schedule, Floor: p.Floor, Optimizer: p.Optimizer, Beta2: p.Beta2, WeightDecay: p.Decay, EMA: p.EMA,
		BF16: e.cuda(), SaveEvery: 2 * time.Minute, ValidateEvery: 4 * time.Minute}
	s.Time = e.Limit - 40*time.Second // reserves time for validating and saving
	if e.Tiny {
		s.Time, s.Steps, s.LogSteps = 0, 6, 2
	}
	if s.Time < 0 {
		return nil, fmt.Errorf("%s are too few to train; at least a minute is needed", e.Limit)
	}
	// One folder per preset, since a run cannot change its preset.
	dir := filepath.Join(e.Out, "train-"+c.Name)
	if e.Tiny {
		dir += "-tiny"
	}
	if err := e.goOn(&s, dir); err != nil {
		return nil, err
	}
	r := trainingResult{Preset: c.Name}
	result, err := train.Run(ctx, e.backend, task, s, dir, func(p train.Progress) {
		r.Waiting = p.Waiting
		fmt.Fprintln(screen.Err, p)
	})
	if err != nil {
		return nil, err
	}
	r.Step, r.Loss, r.Finished, r.PerSecond, r.Validation = result.Step, result.Loss, result.Finished, result.StepsPerSec, result.Validation
	if result.Checkpoint == "" {
		return r, nil
	}
	path := filepath.Join(e.Out, "weights.safetensors")
	if err := train.Export(result.Checkpoint, path, true); err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err == nil {
		r.Weights = info.Size()
	}
	r.State, err = train.Pack(result.Checkpoint, filepath.Join(e.Out, "state"), partSize)
	return r, err
}

// goOn prepares a run to continue. A run that is already in this folder continues for the whole
// time limit, in addition to the time that it has used. A new run starts from the state of an
// earlier machine, if --state names one.
func (e *env) goOn(s *train.Settings, dir string) error {
	if spent := train.Spent(dir); spent > 0 && s.Time > 0 {
		s.Time += spent
		return nil
	}
	if e.State == "" {
		return nil
	}
	parts, err := filepath.Glob(filepath.Join(e.State, "state.*"))
	if err != nil || len(parts) == 0 {
		return fmt.Errorf("--state %s: no files state.00, state.01, …", e.State)
	}
	s.From = filepath.Join(e.Out, "earlier.ckpt")
	return train.Unpack(parts, s.From)
}
