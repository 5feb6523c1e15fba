// Package train is the subcommand `physlib train`. It trains a neural system on random laws, in a
// folder. The same command resumes the run, however it ended.
//
// # Design
//
// The preset defines the system. Flags say how long and where it is trained, and override the
// training settings of the preset. Standard output has one line at the end, the result. A line of
// progress goes to standard error. It is redrawn on a terminal, and otherwise printed every half
// minute.
package train

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/system"
	"github.com/physlib/lab/physlib/train"
)

// Cmd is the command line of `physlib train`.
type Cmd struct {
	Preset string        `required:"" placeholder:"NAME" help:"System to train: a preset, or the path of a YAML file."`
	Out    string        `required:"" placeholder:"DIR" help:"Folder of the run: checkpoints, metrics.csv, run.json. If it holds a run, that run continues."`
	Time   time.Duration `placeholder:"60m" help:"Training time in all, over all sessions of the run."`
	Clock  string        `default:"wall" enum:"wall,cpu" placeholder:"wall|cpu" help:"What --time counts: elapsed time, or this program's processor time on all cores, which does not depend on other programs (default: wall)."`
	Steps  int64         `placeholder:"N" help:"Number of updates in all. One of --time and --steps is needed."`

	Backend string  `placeholder:"NAME" help:"auto, go, xla:cpu, xla:cuda or xla:PATH (default: $PHYSLIB_BACKEND or auto)."`
	Seed    int64   `default:"1" placeholder:"N" help:"Seed of first weights, laws and masks (default: 1)."`
	Devices int     `placeholder:"N" help:"Devices of the backend that share each batch; weights are the same on all (default: 1)."`
	Batch   float64 `default:"1" placeholder:"FACTOR" help:"Multiplies the number of tables in each batch (default: 1)."`

	LR          float64 `placeholder:"X" help:"Highest learning rate (default: the preset's)."`
	Warmup      int64   `placeholder:"N" help:"Steps in which the learning rate rises (default: the preset's)."`
	Schedule    string  `placeholder:"wsd|cosine|constant" help:"Learning rate over time (default: the preset's)."`
	Decay       float64 `placeholder:"0.2" help:"Last fraction of the run, in which the learning rate falls, with wsd (default: 0.2)."`
	Optimizer   string  `placeholder:"adamw|muon" help:"Optimizer (default: the preset's)."`
	WeightDecay float64 `placeholder:"X" help:"Weight decay of matrices (default: the preset's)."`
	Clip        float64 `placeholder:"1" help:"Largest norm of the gradient, -1 for no limit (default: 1)."`
	Accumulate  int     `placeholder:"N" help:"Batches per update (default: 1)."`
	EMA         float64 `name:"ema" placeholder:"X" help:"Decay per step of the averaged weights (default: the preset's)."`
	BF16        bool    `name:"bf16" help:"Compute in bfloat16; for GPUs."`
	Recompute   bool    `help:"Gradient checkpointing: less memory, more time."`

	From     string        `placeholder:"FILE.ckpt" help:"Begin a new run with the state of this checkpoint; learning rate and optimizer may differ."`
	Save     time.Duration `default:"5m" placeholder:"5m" help:"Time between checkpoints (default: 5m)."`
	Keep     int           `default:"3" placeholder:"N" help:"Number of newest checkpoints that are kept, in addition to best.ckpt and stable.ckpt (default: 3)."`
	Validate time.Duration `default:"10m" placeholder:"10m" help:"Time between validations (default: 10m)."`
	Laws     int           `default:"-1" placeholder:"N" help:"Held-out laws that each validation decodes, to report the share found; 0: only losses (default: 32, 0 for systems of more than 256 channels, which a CPU decodes for hours)."`
	Export   string        `placeholder:"FILE.safetensors" help:"Write the final weights, or their averages if the run keeps averages."`
	Half     bool          `help:"Export in bfloat16, half the size."`
	Quiet    bool          `short:"q" help:"No progress."`
}

// Help is shown by --help below the flags.
func (*Cmd) Help() string {
	return `The same command continues a run that was killed, interrupted or out of time. Its result is the same
as without the interruption. A longer --time continues a finished run from the step before its
learning rate fell.

Examples:

    physlib train --preset physdiffuse-small --time 60m --out runs/first
    physlib train --preset physdiffuse-small --time 3h --out runs/first --export weights.safetensors
    physlib train --preset physdiffuse --time 25m --out runs/gpu --backend xla:cuda --bf16 --batch 4`
}

// Run trains until time or steps are over. Ctrl-C saves the state and returns no error.
func (c *Cmd) Run(ctx context.Context) error {
	task, settings, err := c.task()
	if err != nil {
		return err
	}
	b, used, err := backend.Open(c.Backend)
	if err != nil {
		return err
	}
	out := newDisplay(os.Stderr, c.Quiet)
	out.say("backend " + used)
	r, err := train.Run(ctx, b, task, settings, c.Out, out.show)
	out.end()
	if err != nil {
		return err
	}
	if c.Export != "" {
		if r.Checkpoint == "" {
			return errors.New("there is no checkpoint to export yet; train at least one step")
		}
		if err := train.Export(r.Checkpoint, c.Export, c.Half); err != nil {
			return err
		}
	}
	fmt.Fprintln(screen.Out, summary(r, c.Out))
	return nil
}

// task returns the training task of the preset and the settings, as the flags request.
func (c *Cmd) task() (*system.Task, train.Settings, error) {
	none := train.Settings{}
	if c.Time <= 0 && c.Steps <= 0 {
		return nil, none, errors.New("give --time or --steps, for instance --time 60m")
	}
	if !(c.Batch > 0) {
		return nil, none, fmt.Errorf("--batch is %v, must be positive", c.Batch)
	}
	preset, err := system.Preset(c.Preset)
	if err != nil {
		return nil, none, err
	}
	for i := range preset.Corpus.Buckets {
		n := &preset.Corpus.Buckets[i].Tables
		*n = max(1, int(c.Batch*float64(*n)+0.5))
	}
	task, err := system.NewTask(preset, c.Seed)
	if err != nil {
		return nil, none, err
	}
	laws := c.Laws
	if laws < 0 {
		laws = 32
		if preset.Dim > 256 {
			laws = 0
		}
	}
	task.JudgeRecovery(laws)
	return task, c.settings(preset.Train), nil
}

// settings returns the training settings: those of the preset, unless a flag overrides them.
func (c *Cmd) settings(p system.TrainConfig) train.Settings {
	return train.Settings{
		Steps: c.Steps, Time: c.Time, Clock: c.Clock, Seed: c.Seed, From: c.From, Keep: c.Keep, SaveEvery: c.Save, ValidateEvery: c.Validate,
		LR: or(c.LR, p.LR), Warmup: or(c.Warmup, p.Warmup), Schedule: or(c.Schedule, p.Schedule), Decay: c.Decay, Floor: p.Floor,
		Optimizer: or(c.Optimizer, p.Optimizer), Beta2: p.Beta2, WeightDecay: or(c.WeightDecay, p.Decay), EMA: or(c.EMA, p.EMA),
		Clip: c.Clip, Accumulate: c.Accumulate, Devices: c.Devices, BF16: c.BF16, Checkpoint: c.Recompute,
	}
}

// or returns flag, or preset if flag is zero.
func or[T comparable](flag, preset T) T {
	var zero T
	if flag == zero {
		return preset
	}
	return flag
}

// summary returns the result of a session in one line.
func summary(r train.Result, dir string) string {
	parts := []string{fmt.Sprintf("step %d", r.Step)}
	if r.Loss > 0 {
		parts = append(parts, fmt.Sprintf("loss %.4f", r.Loss))
	}
	for _, v := range sorted(r.Validation) {
		parts = append(parts, "validation "+v)
	}
	if r.Finished {
		return strings.Join(append(parts, "finished: "+r.Checkpoint), ", ")
	}
	return strings.Join(append(parts, "interrupted; the same command continues in "+dir), ", ")
}
