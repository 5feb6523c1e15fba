package gpu

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gomlx/compute"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/system"
)

// stage is one measurement of `physlib gpu run`.
type stage struct {
	name  string
	about string
	limit time.Duration
	run   func(ctx context.Context, e *env) (any, error)
}

// fullPresets are the systems at the sizes of their papers.
var fullPresets = []string{"physdiffuse", "architects", "physmdt-base", "physmdt-scaled", "parr", "parr-200m"}

// trainStage is the name of the stage that uses the remaining time.
const trainStage = "train"

// stages are all stages, in the order in which they run.
var stages = makeStages()

func makeStages() []stage {
	all := []stage{{"device", "names, versions, and the speed of large products of matrices", 2 * time.Minute, device}}
	each := func(prefix, about string, limit time.Duration, run func(context.Context, *env, string) (any, error)) {
		for _, p := range fullPresets {
			all = append(all, stage{prefix + p, about, limit, func(ctx context.Context, e *env) (any, error) { return run(ctx, e, p) }})
		}
	}
	each("step-", "a training step in bfloat16 and float32: time, tokens, share of the peak, memory, parity", 7*time.Minute, steps)
	each("infer-", "one table answered at the settings of the seed", 4*time.Minute, infer)
	all = append(all,
		stage{"joins", "all pairs of features through XLA and on the processor", 4 * time.Minute, pairs},
		stage{"pdr-forms", "the forms of the recurrence against attention, up to 128 k tokens", 5 * time.Minute, pdrForms},
		stage{"pdr-train", "as many layers of the recurrence's full size as fit: a training step", 4 * time.Minute, pdrTrain},
		stage{"pdr-stream", "sixty layers, token after token, in a state of fixed size", 4 * time.Minute, pdrStream})
	each("adapt-", "test-time training at the settings of the seed", 4*time.Minute, adaptation)
	return append(all,
		stage{"tbptl", "memory of truncated against full backpropagation through 8, 16 and 32 loops", 6 * time.Minute, truncation},
		stage{trainStage, "a larger proposer, for the minutes that are left", 10 * time.Minute, training})
}

// env holds the flags and the backend of a stage.
type env struct {
	StageCmd
	backend compute.Backend
	used    string
}

// StageCmd is the command line of `physlib gpu stage`. It runs a stage in this process and prints
// its result on the standard output.
type StageCmd struct {
	Name    string        `arg:""`
	Out     string        `required:""`
	Backend string        ``
	Preset  string        ``
	State   string        ``
	Limit   time.Duration ``
	Tiny    bool          ``
}

// Run runs the stage.
func (c *StageCmd) Run(ctx context.Context) error {
	i := slices.IndexFunc(stages, func(s stage) bool { return s.name == c.Name })
	if i < 0 {
		return fmt.Errorf("no stage %q", c.Name)
	}
	ctx, stop := orphaned(ctx)
	defer stop()
	e := &env{StageCmd: *c}
	var err error
	if e.backend, e.used, err = backend.Open(c.Backend); err != nil {
		return err
	}
	result, err := stages[i].run(ctx, e)
	if result == nil {
		return err
	}
	// If there is an error, result holds the measurements before it.
	return errors.Join(err, json.NewEncoder(screen.Out).Encode(result))
}

// orphaned returns a context that ends with ctx, and also when the parent process ends. Without it,
// a stage whose run was killed would continue and share the device with the next run.
func orphaned(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := context.WithCancel(ctx)
	parent := os.Getppid()
	go func() {
		for ctx.Err() == nil {
			if os.Getppid() != parent {
				stop()
			}
			time.Sleep(time.Second)
		}
	}()
	return ctx, stop
}

// cuda reports whether the stage runs on a GPU.
func (e *env) cuda() bool { return onGPU(e.used) }

// config returns a preset at full size, or with --tiny a small one with the same parts.
func (e *env) config(preset string) (*system.Config, error) {
	c, err := system.Preset(preset)
	if err != nil || !e.Tiny {
		return c, err
	}
	c.Dim, c.Heads, c.Seq = 32, 2, 24
	c.Encoder.Layers, c.Encoder.Hidden, c.Encoder.Points = 1, 32, min(c.Encoder.Points, 10)
	c.Encoder.Inducing, c.Encoder.Summary = min(c.Encoder.Inducing, 4), min(c.Encoder.Summary, 2)
	c.Decoder.Layers, c.Decoder.Hidden = min(c.Decoder.Layers, 1), 32
	c.Decoder.BlockLayers, c.Decoder.Loops, c.Decoder.Backprop = min(c.Decoder.BlockLayers, 1), min(c.Decoder.Loops, 2), min(c.Decoder.Backprop, 1)
	c.Corpus.Rows, c.Corpus.Buckets = 16, []system.Bucket{{Seq: c.Seq, Tables: 2, Batches: 2}}
	c.Refine.Steps, c.Refine.Rounds, c.Refine.Samples, c.Refine.Beams = 2, 1, 8, 0
	a := &c.Adapt
	a.Rank, a.Candidates, a.Refine, a.Augmentations, a.Steps, a.Batch, a.Restarts = 2, 8, 2, 2, 2, 2, 1
	return c, nil
}

// or returns full. With --tiny it returns tiny.
func or[T any](e *env, full, tiny T) T {
	if e.Tiny {
		return tiny
	}
	return full
}

// smi returns a property of the first GPU from nvidia-smi, or "" if there is none.
func smi(property string) string {
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	out, err := exec.CommandContext(ctx, "nvidia-smi", "--query-gpu="+property, "--format=csv,noheader,nounits").Output()
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(first)
}

// smiBytes returns a property in bytes that nvidia-smi gives in MiB, or 0 if there is none.
func smiBytes(property string) int64 {
	mib, _ := strconv.ParseInt(smi(property), 10, 64)
	return mib << 20
}

// watch monitors the memory in use on the GPU. stop ends the monitoring and returns the largest
// increase in bytes, or 0 without a GPU. Allocators keep the memory that they get, so this is an
// upper bound of the memory needed.
func (e *env) watch() (stop func() int64) {
	if !e.cuda() {
		return func() int64 { return 0 }
	}
	before, most := smiBytes("memory.used"), int64(0)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			most = max(most, smiBytes("memory.used"))
			select {
			case <-done:
				return
			case <-time.After(300 * time.Millisecond):
			}
		}
	}()
	return func() int64 {
		close(done)
		<-ended
		return max(0, most-before)
	}
}
