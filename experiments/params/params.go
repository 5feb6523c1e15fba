// Package params is the subcommand `physlib params`: how large the systems are, beside what their seeds claim.
package params

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"text/tabwriter"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/system"
)

// Cmd is the command line of `physlib params`.
type Cmd struct {
	Presets []string `arg:"" optional:"" placeholder:"NAME" help:"Presets, or paths of YAML files (default: all presets)."`
	Measure bool     `help:"Also run one training step of each in a process of its own and report its peak memory and time. Takes minutes at full size."`
	Batch   float64  `default:"1" placeholder:"FACTOR" help:"Multiplies the number of tables in the measured batch (default: 1)."`
	Backend string   `placeholder:"NAME" help:"Backend that measures: auto, go, xla:cpu, xla:cuda or xla:PATH (default: $PHYSLIB_BACKEND or auto)."`
	JSON    bool     `name:"json" help:"One JSON line a preset."`
	CSV     string   `name:"csv" placeholder:"FILE" help:"Write the table there as well, for physlib figures."`
}

// Help is shown by --help below the flags.
func (*Cmd) Help() string {
	return `Parameters are counted in the graph that training builds. Claims are those of the seed documents; where their
dimensions give another number, the dimensions were built.

  physlib params
  physlib params physdiffuse --measure --batch 0.0625`
}

// Row is a preset's size.
type Row struct {
	Preset     string        `json:"preset"`
	About      string        `json:"about"`
	Parameters int           `json:"parameters"`
	Claimed    float64       `json:"claimed,omitempty"`
	Parts      []system.Part `json:"parts"`
	State      float64       `json:"state_bytes"` // weights, gradients and two moments in float32
	Memory     float64       `json:"claimed_memory_bytes,omitempty"`
	Batch      int           `json:"claimed_batch,omitempty"`
	Peak       int64         `json:"peak_bytes,omitempty"` // of the process that made one training step
	Measured   string        `json:"measured,omitempty"`   // batch and backend of Peak
}

// Run prints the table.
func (c *Cmd) Run(ctx context.Context) error {
	names := c.Presets
	if len(names) == 0 {
		names = system.Presets()
	}
	b, _, err := backend.Open("go") // builds graphs, computes nothing
	if err != nil {
		return err
	}
	defer b.Finalize()
	var rows []Row
	for _, name := range names {
		config, err := system.Preset(name)
		if err != nil {
			return err
		}
		r := Row{Preset: config.Name, About: config.About, Claimed: config.Claim.Parameters, Memory: config.Claim.Memory, Batch: config.Claim.Batch}
		if r.Parts, err = system.Parameters(b, config); err != nil {
			return err
		}
		for _, p := range r.Parts {
			r.Parameters += p.Parameters
		}
		r.State = 16 * float64(r.Parameters)
		if c.Measure {
			if err := c.measure(ctx, name, &r); err != nil {
				return err
			}
		}
		rows = append(rows, r)
	}
	if c.CSV != "" {
		if err := writeCSV(c.CSV, rows); err != nil {
			return fmt.Errorf("--csv: %w", err)
		}
	}
	if c.JSON {
		out := json.NewEncoder(os.Stdout)
		for _, r := range rows {
			if err := out.Encode(r); err != nil {
				return err
			}
		}
		return nil
	}
	return table(os.Stdout, rows)
}

// writeCSV writes the rows to a file at once; what is not claimed or not measured is empty.
func writeCSV(path string, rows []Row) error {
	var b strings.Builder
	b.WriteString("preset,parameters,claimed,state_bytes,claimed_memory_bytes,claimed_batch,peak_bytes,measured\n")
	known := func(v float64) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	for _, r := range rows {
		fmt.Fprintf(&b, "%s,%d,%s,%.0f,%s,%s,%s,%q\n", r.Preset, r.Parameters, known(r.Claimed), r.State, known(r.Memory), known(float64(r.Batch)), known(float64(r.Peak)), r.Measured)
	}
	if err := os.WriteFile(path+".part", []byte(b.String()), 0o644); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// measure trains the preset for one step in a process of its own.
func (c *Cmd) measure(ctx context.Context, name string, r *Row) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "physlib-params-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	args := []string{"train", "--preset", name, "--steps", "1", "--schedule", "constant", "--out", dir, "--batch", fmt.Sprint(c.Batch), "--validate=-1s", "--save=-1s", "-q"}
	if c.Backend != "" {
		args = append(args, "--backend", c.Backend)
	}
	child := exec.CommandContext(ctx, self, args...)
	var stderr strings.Builder
	child.Stderr = &stderr
	if err := child.Run(); err != nil {
		return fmt.Errorf("measuring %s: %w: %s", name, err, strings.TrimSpace(stderr.String()))
	}
	if usage, ok := child.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.Peak = usage.Maxrss * 1024
	}
	r.Measured = fmt.Sprintf("one step, batch × %g, backend %s", c.Batch, orAuto(c.Backend))
	return nil
}

func orAuto(s string) string {
	if s == "" {
		return "auto"
	}
	return s
}

func table(w io.Writer, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "PRESET\tPARAMETERS\tSEED CLAIMS\tPARTS\tTRAINING STATE\tSEED CLAIMS\tMEASURED PEAK")
	for _, r := range rows {
		var parts []string
		for _, p := range r.Parts {
			parts = append(parts, p.Name+" "+millions(float64(p.Parameters)))
		}
		claim, peak := "-", "-"
		if r.Memory > 0 {
			claim = fmt.Sprintf("%s at batch %d", gigabytes(r.Memory), r.Batch)
		}
		if r.Peak > 0 {
			peak = gigabytes(float64(r.Peak)) + ", " + r.Measured
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Preset, millions(float64(r.Parameters)), millions(r.Claimed), strings.Join(parts, ", "), gigabytes(r.State), claim, peak)
	}
	return t.Flush()
}

func millions(n float64) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f M", n/1e6)
}

func gigabytes(n float64) string {
	if n < 1e8 {
		return fmt.Sprintf("%.0f MB", n/1e6)
	}
	return fmt.Sprintf("%.1f GB", n/1e9)
}
