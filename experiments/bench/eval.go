package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/screen"
)

// EvalCmd is the command line of `physlib bench eval`.
type EvalCmd struct {
	Trees   string   `placeholder:"FILE.jsonl" help:"Trees in postfix, one JSON object a line; default: 1000 arithmetic and 1000 mixed ones."`
	Rows    []int    `default:"1000,12800" help:"Numbers of rows to measure."`
	Reps    int      `default:"5" help:"Number of repetitions, each of two passes over all trees; the fastest pass counts."`
	Against []string `placeholder:"ENGINE" help:"Other engines to measure alternating with it: pyoperon, numpy. Needs Python with them."`
	Python  string   `default:"python3" placeholder:"PATH" help:"The Python that has the other engines."`
	AnyCore bool     `help:"Do not pin the measurement to one core."`
	CSV     string   `name:"csv" placeholder:"FILE" help:"Write the rates there as well, for physlib figures."`

	stdout io.Writer // nil: the standard output of the process
}

// Run prints the node evaluations per second, and the ratios to the other engines.
func (c *EvalCmd) Run(ctx context.Context) error {
	for _, r := range c.Rows {
		if r <= 0 {
			return exit{2, fmt.Errorf("--rows %d: must be above zero; see physlib bench eval --help", r)}
		}
	}
	if c.Reps <= 0 {
		return exit{2, fmt.Errorf("--reps %d: must be above zero; see physlib bench eval --help", c.Reps)}
	}
	rates := "set,rows,engine,rate\n"
	err := bench.Eval(ctx, cmp.Or(c.stdout, screen.Out), bench.EvalOptions{Trees: c.Trees, Rows: c.Rows, Reps: c.Reps,
		Against: c.Against, Python: c.Python, AnyCore: c.AnyCore,
		Rates: func(r bench.EvalRate) { rates += fmt.Sprintf("%s,%d,%s,%.4g\n", r.Set, r.Rows, r.Engine, r.Rate) }})
	if err != nil || c.CSV == "" {
		return err
	}
	return outfile.Write(c.CSV, []byte(rates))
}
