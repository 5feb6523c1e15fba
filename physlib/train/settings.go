package train

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"
)

// Settings hold the options of training. Zero values mean the defaults given below. Either Steps or
// Time must be set.
type Settings struct {
	Steps int64         `json:"steps"` // total number of updates; 0: as many as Time allows
	Time  time.Duration `json:"time"`  // total training time of all sessions; 0: no limit
	// Clock measures Time: Wall, or CPU, which allows equal computation whatever the load of the
	// machine. "" means Wall.
	Clock string `json:"clock"`

	LR       float64 `json:"lr"`       // peak learning rate; 0: 1e-3
	Warmup   int64   `json:"warmup"`   // steps of linear increase to LR; 0: 100; negative: none
	Schedule string  `json:"schedule"` // Constant, Cosine or WSD; "": WSD
	Decay    float64 `json:"decay"`    // WSD: fraction of the run in which the rate decays; 0: 0.2
	Floor    float64 `json:"floor"`    // final learning rate as a fraction of LR

	Optimizer string  `json:"optimizer"` // AdamW or Muon; "": AdamW
	Beta1     float64 `json:"beta1"`     // β₁ of AdamW; 0: 0.9
	Beta2     float64 `json:"beta2"`     // β₂ of AdamW; 0: 0.98
	Eps       float64 `json:"eps"`       // ε of AdamW; 0: 1e-8
	// Weight decay λ, by default of matrices only, see Decays; 0: none.
	WeightDecay float64 `json:"weight_decay"`
	// Clip is the largest norm of the whole gradient. 0 means 1; negative means no clipping.
	Clip float64 `json:"clip"`
	// Accumulate is the number of batches per update, whose gradients are averaged. 0 means 1.
	Accumulate int     `json:"accumulate"`
	EMA        float64 `json:"ema"` // decay factor per step of averaged weights; 0: no average

	BF16 bool `json:"bf16"` // compute in bfloat16, with float32 weights and moments
	// Checkpoint enables gradient checkpointing, which recomputes activations in the backward pass.
	Checkpoint bool  `json:"checkpoint"`
	Devices    int   `json:"devices"` // number of devices that share each batch; 0: 1
	Seed       int64 `json:"seed"`    // seed of initial weights and dropout; 0: 1

	Keep int `json:"keep"` // number of newest checkpoints kept; 0: 3
	// Time between checkpoints; 0: 5 minutes; negative: only at the end.
	SaveEvery time.Duration `json:"save_every"`
	SaveSteps int64         `json:"save_steps"` // steps between additional checkpoints; 0: none
	// Time between validations; 0: 10 minutes; negative: only at the end.
	ValidateEvery time.Duration `json:"validate_every"`
	// Number of goroutines that make batches; 0: half of the CPUs.
	Workers  int   `json:"workers"`
	LogSteps int64 `json:"log_steps"` // steps per row of metrics.csv; 0: 20
	// Name of the metric of Validate to maximize, or "-name" to minimize it; "": "-loss".
	Best string `json:"best"`

	// From is a checkpoint of another run with the same task. A new run starts from its state. ""
	// means initial weights.
	From string `json:"from"`
}

// Names of schedules, clocks and optimizers.
const (
	Constant = "constant" // LR after the warm-up
	Cosine   = "cosine"   // half a cosine from LR to Floor·LR; needs Steps
	WSD      = "wsd"      // warmup, stable, decay: LR until the last part of the run
	Wall     = "wall"     // elapsed time
	// CPU is the processor time of this process on all cores, including batches and compilation.
	CPU   = "cpu"
	AdamW = "adamw"
	Muon  = "muon"
)

// withDefaults replaces zero values by their defaults. It is idempotent.
func (s Settings) withDefaults() Settings {
	setDefault(&s.Clock, Wall)
	setDefault(&s.LR, 1e-3)
	setDefault(&s.Warmup, 100)
	setDefault(&s.Schedule, WSD)
	setDefault(&s.Decay, 0.2)
	setDefault(&s.Optimizer, AdamW)
	setDefault(&s.Beta1, 0.9)
	setDefault(&s.Beta2, 0.98)
	setDefault(&s.Eps, 1e-8)
	setDefault(&s.Clip, 1)
	setDefault(&s.Accumulate, 1)
	setDefault(&s.Seed, 1)
	setDefault(&s.Devices, 1)
	setDefault(&s.Keep, 3)
	setDefault(&s.SaveEvery, 5*time.Minute)
	setDefault(&s.ValidateEvery, 10*time.Minute)
	setDefault(&s.Workers, max(1, runtime.NumCPU()/2))
	setDefault(&s.LogSteps, 20)
	setDefault(&s.Best, "-loss")
	return s
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// check returns an error if settings with defaults are not possible.
func (s Settings) check() error {
	fraction := func(name string, x float64) error {
		if !(x >= 0 && x < 1) {
			return fmt.Errorf("settings: %s is %v, must be at least 0 and below 1", name, x)
		}
		return nil
	}
	positive := func(name string, x float64) error {
		if !(x > 0) || math.IsInf(x, 1) {
			return fmt.Errorf("settings: %s is %v, must be positive", name, x)
		}
		return nil
	}
	var kinds []error
	switch s.Schedule {
	case Constant, WSD:
	case Cosine:
		if s.Steps == 0 {
			kinds = append(kinds, errors.New("settings: the schedule cosine needs the number of steps; give steps, or use wsd with a time"))
		}
	default:
		kinds = append(kinds, fmt.Errorf("settings: no schedule %q; there are constant, cosine, wsd", s.Schedule))
	}
	if s.Clock != Wall && s.Clock != CPU {
		kinds = append(kinds, fmt.Errorf("settings: no clock %q; there are wall, cpu", s.Clock))
	}
	if s.Optimizer != AdamW && s.Optimizer != Muon {
		kinds = append(kinds, fmt.Errorf("settings: no optimizer %q; there are adamw, muon", s.Optimizer))
	}
	if s.Steps < 0 || s.Time < 0 || s.Steps == 0 && s.Time == 0 {
		kinds = append(kinds, errors.New("settings: give the number of steps or the time, as positive numbers"))
	}
	if s.Accumulate < 1 || s.Keep < 1 || s.Workers < 1 || s.LogSteps < 1 || s.SaveSteps < 0 || s.WeightDecay < 0 {
		kinds = append(kinds, errors.New("settings: accumulate, keep, workers, log steps, save steps and weight decay may not be negative"))
	}
	return errors.Join(append(kinds, positive("lr", s.LR), positive("eps", s.Eps), fraction("floor", s.Floor), fraction("beta1", s.Beta1),
		fraction("beta2", s.Beta2), fraction("ema", s.EMA), fraction("decay", s.Decay))...)
}

// trajectory returns the settings that determine the weights at each step. A run can only be
// resumed if they are the same. Settings for the end of a run (Steps, Time), for saving and for
// reporting may change between sessions.
func (s Settings) trajectory() map[string]any {
	t := map[string]any{
		"lr": s.LR, "warmup": s.Warmup, "schedule": s.Schedule, "floor": s.Floor, "optimizer": s.Optimizer, "beta1": s.Beta1,
		"beta2": s.Beta2, "eps": s.Eps, "weight_decay": s.WeightDecay, "clip": s.Clip, "accumulate": s.Accumulate, "ema": s.EMA,
		"bf16": s.BF16, "checkpoint": s.Checkpoint, "seed": s.Seed, "log_steps": s.LogSteps,
	}
	switch s.Schedule {
	case Cosine:
		t["steps"] = s.Steps
	case WSD:
		t["decay"] = s.Decay
	}
	return t
}

// readable returns s by JSON field names, with durations such as 1h30m0s.
func (s Settings) readable() map[string]any {
	all := decoded(jsonOf(s)).(map[string]any)
	for name, d := range map[string]time.Duration{"time": s.Time, "save_every": s.SaveEvery, "validate_every": s.ValidateEvery} {
		all[name] = d.String()
	}
	return all
}
