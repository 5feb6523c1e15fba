package bench

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/pdr"
	"github.com/physlib/lab/physlib/pdr/timing"
)

// PDRCmd is the command line of `physlib bench pdr`.
type PDRCmd struct {
	Seq       []int    `default:"1024,2048,4096,8192" help:"Lengths of series."`
	Dim       int      `default:"512" help:"Channels."`
	Rank      int      `default:"64" help:"Rank of the state."`
	Forms     []string `placeholder:"FORM" help:"What to measure: step, scan, chunk-scan, chunk, go, attention, jax-scan, jax-chunk; default: all but JAX's. chunk:128 has 128 tokens in a chunk."`
	Reps      int      `default:"5" help:"Number of repetitions; the fastest counts."`
	Memory    float64  `default:"4" placeholder:"GiB" help:"Skip measurements that need more memory."`
	Batch     int      `default:"1" help:"Number of series per batch, for all forms but JAX's."`
	Forward   bool     `help:"Without gradients."`
	CSV       string   `name:"csv" placeholder:"FILE" help:"Write the measurements there as well."`
	Choose    bool     `help:"Measure instead which form is the fastest for usual sizes, in the lines of physlib/pdr/choices.csv."`
	Stream    int      `placeholder:"TOKENS" help:"Feed a stream of so many tokens instead, through 4 layers of --dim and --rank, and watch the memory."`
	Drift     int      `placeholder:"TOKENS" help:"Compare float32 with float64 over so many tokens instead, with and without renormalisation."`
	FullLayer int      `placeholder:"SEQ" help:"Run one layer of dim 4096 and rank 256 instead, forward and backward, on so many tokens."`
	Backend   string   `placeholder:"NAME" help:"go, xla:cpu, xla:cuda or auto; default: $PHYSLIB_BACKEND, or auto."`
	Python    string   `default:"python3" placeholder:"PATH" help:"The Python that has JAX."`

	stdout io.Writer // nil: the standard output of the process
}

// Run prints time and memory for each length, and ratios. With --choose, --full-layer, --stream or
// --drift it makes the measurement of that flag instead.
func (c *PDRCmd) Run(ctx context.Context) error {
	for _, n := range append([]int{c.Dim, c.Rank, c.Reps, c.Batch}, c.Seq...) {
		if n <= 0 {
			return exit{2, fmt.Errorf("%d: lengths, --dim, --rank, --reps and --batch must be above zero; see physlib bench pdr --help", n)}
		}
	}
	for _, f := range c.Forms {
		if _, _, err := timing.Parse(f); err != nil {
			return exit{2, fmt.Errorf("--forms %w", err)}
		}
	}
	if c.Dim%16 != 0 {
		return exit{2, fmt.Errorf("--dim %d: must be a multiple of 16, for the 8 heads of attention", c.Dim)}
	}
	b, used, err := backend.Open(c.Backend)
	if err != nil {
		return err
	}
	w := cmp.Or(c.stdout, screen.Out)
	command := strings.Join(os.Args, " ")
	switch {
	case c.Choose:
		fmt.Fprintf(w, "# %s on %s\n", command, used)
		return timing.Choose(ctx, w, b, c.Reps, timing.UsualSizes)
	case c.FullLayer > 0:
		fmt.Fprintln(w, "backend", used)
		return timing.FullLayer(w, b, c.FullLayer, c.Reps)
	}
	var rows bytes.Buffer
	both := io.MultiWriter(w, &rows)
	about := ""
	switch {
	case c.Stream > 0:
		about = fmt.Sprintf("# Memory of a stream through 4 layers, the last of them windowed attention: %s\n# on %s\n", command, used)
		err = timing.Stream(ctx, both, b, pdr.Config{Layers: 4, Dim: c.Dim, Rank: c.Rank, Every: 4, QHeads: 2, Hidden: 2 * c.Dim, Renorm: 8192}, c.Stream)
	case c.Drift > 0:
		about = fmt.Sprintf("# Float32 and float64 in long series, with renormalisation every so many tokens, 0 for none: %s\n"+
			"# keep: γ of a channel; state_norm: of its row; relative_error: largest since the line before, over the largest output\n", command)
		err = timing.Drift(ctx, both, c.Drift)
	default:
		fmt.Fprintln(w, "backend", used)
		about = fmt.Sprintf(pdrHeader, command, used)
		o := timing.Options{Seqs: c.Seq, Dim: c.Dim, Rank: c.Rank, Batch: c.Batch, Forms: c.Forms, Reps: c.Reps, Memory: c.Memory, Forward: c.Forward, Python: c.Python, CSV: &rows}
		err = timing.Run(ctx, w, b, o)
	}
	if c.CSV == "" || rows.Len() == 0 {
		return err
	}
	return errors.Join(err, outfile.Write(c.CSV, []byte(about+rows.String())))
}

const pdrHeader = `# Time of the perspective decay recurrence against the length of series: %s
# on %s, seconds of the fastest turn, by the wall clock and (_cpu) of all cores; both: forward and backward; memory beyond the inputs, 0: not known
# step, scan, chunk-scan, chunk: physlib/pdr; go: physlib/pdr/step; attention: causal softmax, 8 heads; jax-*: JAX for comparison
`
