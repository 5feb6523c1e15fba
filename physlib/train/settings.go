package train

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"
)

// Settings say how a Task is trained. The zero value of each field means the default named there;
// Steps or Time must be given.
type Settings struct {
	Steps int64         `json:"steps"` // updates in all; 0: as many as Time allows
	Time  time.Duration `json:"time"`  // training time in all, over all sessions of the run; 0: no limit
	Clock string        `json:"clock"` // clock for Time: Wall, or CPU for equal compute alongside other work; "": Wall

	LR       float64 `json:"lr"`       // highest learning rate; 0: 1e-3
	Warmup   int64   `json:"warmup"`   // steps of linear rise to LR; 0: 100; negative: none
	Schedule string  `json:"schedule"` // Constant, Cosine or WSD; "": WSD
	Decay    float64 `json:"decay"`    // WSD: the last fraction of the run in which the rate falls; 0: 0.2
	Floor    float64 `json:"floor"`    // last learning rate as a fraction of LR; 0: 0

	Optimizer   string  `json:"optimizer"`    // AdamW or Muon; "": AdamW
	Beta1       float64 `json:"beta1"`        // 0: 0.9
	Beta2       float64 `json:"beta2"`        // 0: 0.98
	Eps         float64 `json:"eps"`          // 0: 1e-8
	WeightDecay float64 `json:"weight_decay"` // of matrices only, see Decays; 0: none
	Clip        float64 `json:"clip"`         // largest norm of the whole gradient; 0: 1; negative: no clipping
	Accumulate  int     `json:"accumulate"`   // batches per update, their gradients averaged; 0: 1
	EMA         float64 `json:"ema"`          // decay per step of the averaged weights; 0: no average is kept

	BF16       bool  `json:"bf16"`       // compute in bfloat16, weights and moments stay float32
	Checkpoint bool  `json:"checkpoint"` // gradient checkpointing: activations are computed again for the gradient
	Devices    int   `json:"devices"`    // among which each batch is shared out; 0: 1
	Seed       int64 `json:"seed"`       // of the first weights and of dropout; 0: 1

	Keep          int           `json:"keep"`           // newest checkpoints kept; 0: 3
	SaveEvery     time.Duration `json:"save_every"`     // 0: 5 minutes; negative: only where the run ends
	SaveSteps     int64         `json:"save_steps"`     // also after each multiple of so many steps; 0: no
	ValidateEvery time.Duration `json:"validate_every"` // 0: 10 minutes; negative: only where the run ends
	Workers       int           `json:"workers"`        // goroutines that make batches; 0: half of the CPUs
	LogSteps      int64         `json:"log_steps"`      // steps per row of metrics.csv; 0: 20
	Best          string        `json:"best"`           // metric of Validate to maximize, "-name" to minimize; "": "-loss"

	// From is a checkpoint of another run with the same task: a new run starts with its state. "":
	// with new weights.
	From string `json:"from"`
}

// Names of schedules, clocks and optimizers.
const (
	Constant = "constant" // LR after the warm-up
	Cosine   = "cosine"   // half a cosine from LR to Floor·LR; needs Steps
	WSD      = "wsd"      // warm-up, stable, decay: LR until the last part of the run
	Wall     = "wall"     // seconds that pass
	CPU      = "cpu"      // seconds of all cores that this process uses, batches and compiling included
	AdamW    = "adamw"
	Muon     = "muon"
)

// withDefaults replaces the zero values that have a meaning. Twice is as good as once.
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

// check reports what is wrong with settings whose defaults are filled in.
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

// trajectory returns the settings that decide what the weights become, step by step. A run is not
// resumed with others: those of the end of a run (Steps, Time), of saving and of reporting may
// change between sessions.
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

// readable returns s by the names of its fields in JSON, durations as 1h30m0s.
func (s Settings) readable() map[string]any {
	all := decoded(jsonOf(s)).(map[string]any)
	for name, d := range map[string]time.Duration{"time": s.Time, "save_every": s.SaveEvery, "validate_every": s.ValidateEvery} {
		all[name] = d.String()
	}
	return all
}
