package params

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/corpus/stream"
	"github.com/physlib/lab/physlib/encoder/features"
	"github.com/physlib/lab/physlib/system"
	"github.com/physlib/lab/physlib/train"
)

// Measured is the result of the process that measures one preset.
type Measured struct {
	Tables  int     `json:"tables"`  // tables in the batch
	Backend string  `json:"backend"` // description by backend.Open
	Refine  float64 `json:"refine_seconds"`
	// Refined is the number of candidates of one refinement with few steps. For pdr, the recurrent
	// network, it is the number of tokens of a stream.
	Refined int     `json:"refined"`
	Layers  int     `json:"layers,omitempty"` // for pdr: number of layers that fit into the memory
	Dumped  float64 `json:"program_flops"`    // operations counted in XLA's program; 0: unknown
	train.Cost
}

// inside measures a preset in this process and prints the result as JSON. It measures the plan of a
// training step, the step, and one refinement with initial weights.
func (c *Cmd) inside(ctx context.Context, name string) error {
	b, used, err := backend.Open(c.Backend)
	if err != nil {
		return err
	}
	if name == pdrName {
		m, err := c.insideSeries(ctx, b, used)
		return errors.Join(err, json.NewEncoder(screen.Out).Encode(m))
	}
	config, err := system.Preset(name)
	if err != nil {
		return err
	}
	last := config.Corpus.Buckets[len(config.Corpus.Buckets)-1]
	last.Batches, last.Tables = 1, max(1, int(c.Batch*float64(last.Tables)+0.5))
	config.Corpus.Buckets = []system.Bucket{last}
	task, err := system.NewTask(config, 1)
	if err != nil {
		return err
	}
	m := Measured{Tables: last.Tables, Backend: used}
	s := train.Settings{LR: config.Train.LR, Optimizer: config.Train.Optimizer, WeightDecay: config.Train.Decay, EMA: config.Train.EMA}
	steps := 1
	if c.Plan {
		steps = 0
	}
	if m.Cost, err = train.Measure(ctx, b, task, s, steps); err != nil {
		return err
	}
	if !c.Plan {
		if m.Refine, m.Refined, err = refine(ctx, config); err != nil {
			return err
		}
	}
	return json.NewEncoder(screen.Out).Encode(m)
}

// refine decodes one table with a full-size preset and its initial weights, with few steps and
// samples. It shows that decoding works and how long it takes. It uses the backend go, which
// compiles nothing.
func refine(ctx context.Context, config *system.Config) (seconds float64, n int, err error) {
	b, _, err := backend.Open("go")
	if err != nil {
		return 0, 0, err
	}
	defer b.Finalize()
	config.Refine.Steps, config.Refine.Rounds, config.Refine.Samples, config.Refine.Beams = 2, 1, 1, 0
	sys, err := system.Untrained(b, config, 1)
	if err != nil {
		return 0, 0, err
	}
	a := config.Adapt
	a.Rank = 1
	t, err := sys.Tunable(a)
	if err != nil {
		return 0, 0, err
	}
	defer t.Close()
	st, err := stream.New(stream.Config{Rows: config.Corpus.Rows, MaxVars: config.Encoder.Cols})
	if err != nil {
		return 0, 0, err
	}
	law := st.Problem(5, 0)
	began := time.Now()
	for _, err := range t.Draw(ctx, []*features.Table{{X: law.X, Y: law.Y, Dims: law.Dims, Target: law.Target, Units: law.Units}}, 1, 0, 0, 1) {
		if err != nil {
			return 0, n, err
		}
		n++
	}
	return time.Since(began).Seconds(), n, ctx.Err()
}

// measure runs inside for a preset in a separate process. That process writes the program of XLA
// to a file, in which measure counts the operations.
func (c *Cmd) measure(ctx context.Context, name string, r *Row) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dump, err := os.MkdirTemp("", "physlib-params-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dump)
	args := []string{"params", name, "--inside", "--batch", fmt.Sprint(c.Batch), "--memory", fmt.Sprint(c.Memory), "--backend", c.Backend}
	if c.Plan {
		args = append(args, "--plan")
	}
	child := exec.CommandContext(ctx, self, args...)
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) }
	child.Env = append(os.Environ(), "XLA_FLAGS="+strings.TrimSpace(os.Getenv("XLA_FLAGS")+
		" --xla_dump_to="+dump+" --xla_dump_hlo_as_text --xla_dump_hlo_module_re=learn --xla_backend_optimization_level=0"))
	var stderr strings.Builder
	child.Stderr = &stderr
	out, err := child.Output()
	if err != nil {
		text := strings.Fields(strings.TrimSpace(stderr.String()))
		return fmt.Errorf("measuring %s: %w: %s", name, err, strings.Join(text[max(0, len(text)-60):], " "))
	}
	r.Measured = &Measured{}
	if err := json.Unmarshal(out, r.Measured); err != nil {
		return fmt.Errorf("measuring %s: %w", name, err)
	}
	r.Peak = clock.Peak(child.ProcessState)
	files, _ := filepath.Glob(filepath.Join(dump, "*_after_optimizations.txt"))
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		r.Measured.Dumped = max(r.Measured.Dumped, backend.ProgramFLOPs(string(text)))
	}
	return ctx.Err()
}
