package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/physlib/lab/physlib/backend"
	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/cmd/neural"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/system"
)

// CandidatesCmd is the command line of `physlib bench candidates`.
type CandidatesCmd struct {
	Preset  string `default:"physdiffuse-small" placeholder:"NAME" help:"Neural system: a preset, or the path of a YAML file (default: physdiffuse-small)."`
	Weights string `placeholder:"FILE.safetensors" help:"Its weights, as physlib train --export writes them (default: those that ship with physlib)."`
	Suite   string `default:"heldout" placeholder:"NAME|FILE.csv" help:"heldout, the forms that are kept from training, or a suite as in physlib bench recovery (default: heldout)."`
	Laws    int    `placeholder:"N" help:"Only the first N laws (default: 500 held-out forms, all of a suite)."`
	Rows    int    `default:"64" placeholder:"N" help:"Rows of data for each law (default: 64)."`
	Samples int    `default:"128" placeholder:"N" help:"Candidates for each law (default: 128)."`
	Steps   int    `placeholder:"N" help:"Steps of refinement (default: the preset's)."`
	Units   bool   `default:"true" negatable:"" help:"Show the system the units; --units=false hides them."`
	Seed    int64  `default:"0" placeholder:"N" help:"Seed of laws, data and candidates (default: 0)."`
	Backend string `placeholder:"NAME" help:"auto, go, xla:cpu, xla:cuda or xla:PATH (default: $PHYSLIB_BACKEND or auto)."`
	Out     string `placeholder:"FILE.jsonl" help:"Write one JSON line for each law."`

	stdout, stderr io.Writer // nil: the standard streams of the process
}

// Help returns the text that --help shows below the flags.
func (*CandidatesCmd) Help() string {
	return `The table shows for how many laws the true form, up to the values of its constants, is among the
first k distinct candidates, and (R²) for how many one of all candidates fits with R² > 1 - 1e-6.

Examples:

    physlib bench candidates --weights runs/first/weights.safetensors --laws 200
    physlib bench candidates --suite feynman --out feynman.jsonl`
}

// Run prints the table on stdout, and a line of progress on stderr every few seconds.
func (c *CandidatesCmd) Run(ctx context.Context) error {
	stdout, stderr := cmp.Or(c.stdout, screen.Out), cmp.Or(c.stderr, screen.Err)
	if c.Laws < 0 || c.Rows < 4 || c.Samples <= 0 || c.Steps < 0 {
		return exit{2, fmt.Errorf("--laws %d --rows %d --samples %d --steps %d: none may be negative, rows are at least 4, samples at least 1; see physlib bench candidates --help",
			c.Laws, c.Rows, c.Samples, c.Steps)}
	}
	o, used, err := c.options()
	if err != nil {
		return err
	}
	fmt.Fprintln(stderr, "backend "+used)
	if c.Out != "" {
		f, err := os.Create(c.Out)
		if err != nil {
			return fmt.Errorf("results: %w", err)
		}
		defer f.Close()
		o.Out = f
	}
	reported, found := time.Now(), 0
	o.Done = func(r bench.CandidateRecord, done, total int) {
		if r.Rank > 0 {
			found++
		}
		if time.Since(reported) > 5*time.Second {
			reported = time.Now()
			fmt.Fprintf(stderr, "%d/%d laws, %.0f %% proposed\n", done, total, 100*float64(found)/float64(done))
		}
	}
	s, err := bench.Candidates(ctx, o)
	if len(s.Records) > 0 {
		fmt.Fprint(stdout, s)
	}
	if errors.Is(err, context.Canceled) {
		return exit{130, fmt.Errorf("interrupted after %d laws", len(s.Records))}
	}
	return err
}

// options opens the system that the flags select. used describes the backend.
func (c *CandidatesCmd) options() (o bench.CandidatesOptions, used string, err error) {
	preset, err := system.Preset(c.Preset)
	if err != nil {
		return o, "", err
	}
	o = bench.CandidatesOptions{Suite: c.Suite, Laws: c.Laws, Rows: c.Rows, Samples: c.Samples, NoUnits: !c.Units, Seed: c.Seed,
		MaxVars: preset.Encoder.Cols, MaxTokens: preset.Seq}
	if o.Vocabulary, err = preset.Vocabulary(); err != nil {
		return o, "", err
	}
	b, used, err := backend.Open(c.Backend)
	if err != nil {
		return o, "", err
	}
	o.Proposer, err = neural.Open(b, c.Preset, c.Weights, func(s *system.Config) {
		s.Refine.Samples, s.Refine.Steps = c.Samples, cmp.Or(c.Steps, s.Refine.Steps)
	})
	return o, used, err
}
