// Package params is the subcommand `physlib params`. It prints the sizes of the systems, next to
// the sizes that their papers claim.
package params

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/gomlx/compute"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/system"
)

// Cmd is the command line of `physlib params`.
type Cmd struct {
	Presets []string `arg:"" optional:"" placeholder:"NAME" help:"Presets, or paths of YAML files (default: all presets)."`
	Measure bool     `help:"Also make one training step and one refinement of each in a separate process: time, and memory and matrix products, both calculated and according to XLA. Takes minutes at full size."`
	Plan    bool     `help:"With --measure: only compile the step."`
	Batch   float64  `default:"1" placeholder:"FACTOR" help:"Multiplies the number of tables in the measured batch (default: 1)."`
	Backend string   `default:"auto" placeholder:"NAME" help:"Backend that measures: auto, go, xla:cpu, xla:cuda or xla:PATH (default: auto)."`
	Memory  float64  `default:"12" placeholder:"GIB" help:"With --measure: memory for pdr. Its sixty layers fit on no single device, so as many layers are measured as can be trained in this memory (default: 12)."`
	JSON    bool     `name:"json" help:"Print one line of JSON for each preset."`
	CSV     string   `name:"csv" placeholder:"FILE" help:"Write the table there as well, for physlib figures; rows of other presets are kept."`
	Inside  bool     `hidden:"" help:"Measure one preset in this process."`
}

// Help returns the text that --help shows below the flags.
func (*Cmd) Help() string {
	return `Parameters are counted in the graph that training builds. Claims are those of the papers; where
their dimensions give another number, the network has these dimensions.

  physlib params
  physlib params physdiffuse --measure --batch 0.0625 --backend xla:cpu

Calculated memory is the sum of the training state (weights, gradients, two moments), the batch, the
results of a program, which exist alongside the old values while it runs, and the activations by the
rule of package train. XLA's memory is its own plan for the compiled programs.`
}

// Row is the size of a preset.
type Row struct {
	Preset     string        `json:"preset"`
	About      string        `json:"about"`
	Parameters int           `json:"parameters"`
	Claimed    float64       `json:"claimed,omitempty"`
	Parts      []system.Part `json:"parts"`
	State      float64       `json:"state_bytes"` // weights, gradients and two moments in float32
	Memory     float64       `json:"claimed_memory_bytes,omitempty"`
	Batch      int           `json:"claimed_batch,omitempty"`
	// Peak is the peak memory of the process that made one training step.
	Peak     int64     `json:"peak_bytes,omitempty"`
	Measured *Measured `json:"measured,omitempty"`
}

// Run prints the table, and writes it to --csv.
func (c *Cmd) Run(ctx context.Context) error {
	if c.Inside {
		return c.inside(ctx, c.Presets[0])
	}
	names := c.Presets
	if len(names) == 0 {
		names = append(system.Presets(), pdrName)
	}
	b, _, err := backend.Open("go") // only builds graphs; nothing is computed
	if err != nil {
		return err
	}
	defer b.Finalize()
	var rows []Row
	for _, name := range names {
		r, err := c.row(b, name)
		if err != nil {
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
		if c.CSV != "" { // write after each preset, because measuring takes minutes
			if err := writeCSV(c.CSV, rows); err != nil {
				return fmt.Errorf("--csv: %w", err)
			}
		}
	}
	if c.JSON {
		out := json.NewEncoder(screen.Out)
		for _, r := range rows {
			if err := out.Encode(r); err != nil {
				return err
			}
		}
		return nil
	}
	return table(screen.Out, rows)
}

// row returns the size of a preset from its graph, or of the recurrent network by a formula.
func (c *Cmd) row(b compute.Backend, name string) (r Row, err error) {
	if name == pdrName {
		all, _, err := c.series()
		return Row{Preset: pdrName, About: "perspective decay recurrence", Parts: []system.Part{{Name: fmt.Sprintf("%d layers", all.Layers), Parameters: all.Params()}}}, err
	}
	config, err := system.Preset(name)
	if err != nil {
		return r, err
	}
	r = Row{Preset: config.Name, About: config.About, Claimed: config.Claim.Parameters, Memory: config.Claim.Memory, Batch: config.Claim.Batch}
	r.Parts, err = system.Parameters(b, config)
	return r, err
}

// writeCSV updates the rows in a file atomically. Cells of values that are not claimed or not
// measured are empty. Rows of other presets are kept. An earlier measurement of a preset is kept if
// the size of the preset has not changed.
func writeCSV(path string, rows []Row) error {
	known := func(v float64) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	header := strings.Split("preset,parameters,claimed,state_bytes,claimed_memory_bytes,claimed_batch,peak_bytes,measured,tables,working_bytes,planned_working_bytes,"+
		"calculated_bytes,planned_bytes,flops,program_flops,compile_seconds,step_seconds,refine_seconds,layers", ",")
	var all [][]string
	if data, err := os.ReadFile(path); err == nil && len(data) > 0 {
		old, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil || !slices.Equal(old[0], header) {
			return fmt.Errorf("%s is another table than this one; name another file, or move it away", path)
		}
		all = old[1:]
	}
	for _, r := range rows {
		m, backend := Measured{}, ""
		if r.Measured != nil {
			m, backend = *r.Measured, r.Measured.Backend
		}
		cells := []string{r.Preset, strconv.Itoa(r.Parameters), known(r.Claimed), known(r.State), known(r.Memory), known(float64(r.Batch)), known(float64(r.Peak)), backend}
		for _, v := range []float64{float64(m.Tables), float64(m.Working), float64(m.Learn.Results - m.Learn.Aliased + m.Learn.Temporary), float64(m.Calculated()), float64(m.Planned()), m.FLOPs, m.Dumped,
			m.Compile, m.First, m.Refine, float64(m.Layers)} {
			cells = append(cells, known(v))
		}
		if i := slices.IndexFunc(all, func(old []string) bool { return old[0] == r.Preset }); i < 0 {
			all = append(all, cells)
			// A measurement is kept while the preset has the same size.
		} else if r.Measured != nil || all[i][1] != cells[1] {
			all[i] = cells
		}
	}
	slices.SortFunc(all, func(a, b []string) int { return cmp.Compare(a[0], b[0]) })
	all = slices.Insert(all, 0, header)
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(all); err != nil {
		return err
	}
	return outfile.Write(path, []byte(b.String()))
}

// table prints the rows as text.
func table(w io.Writer, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "PRESET\tPARAMETERS\tCLAIMED PARAMETERS\tPARTS\tTRAINING STATE\tCLAIMED MEMORY\tMEASURED PEAK")
	for _, r := range rows {
		var parts []string
		for _, p := range r.Parts {
			parts = append(parts, p.Name+" "+millions(float64(p.Parameters)))
		}
		claim, peak := "-", "-"
		if r.Memory > 0 {
			claim = fmt.Sprintf("%s at batch %d", gigabytes(r.Memory), r.Batch)
		}
		if m := r.Measured; m != nil {
			layers := ""
			if m.Layers > 0 {
				layers = fmt.Sprintf(" of %d layers", m.Layers)
			}
			peak = fmt.Sprintf("%s with %d tables%s; %s by XLA's plan, %s by calculation; %.3g of %.3g FLOPs; step %.1f s, refinement %.1f s", gigabytes(float64(r.Peak)), m.Tables, layers,
				gigabytes(float64(m.Planned())), gigabytes(float64(m.Calculated())), m.Dumped, m.FLOPs, m.First, m.Refine)
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
