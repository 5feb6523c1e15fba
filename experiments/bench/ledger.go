package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/cmd/screen"
)

// LedgerCmd is `physlib bench ledger`.
type LedgerCmd struct {
	Laws int           `default:"120" placeholder:"N" help:"How many random laws (default: 120)."`
	Rows int           `default:"200" placeholder:"N" help:"Rows of data for each law (default: 200)."`
	Time time.Duration `default:"5s" help:"Processor time of each part for each law (default: 5s)."`
	Seed uint64        `default:"0" placeholder:"N" help:"Seed of the laws (default: 0)."`
	Out  string        `placeholder:"FILE.jsonl" help:"Append one JSON line for each law; laws that are there already are not measured again."`

	stdout, stderr io.Writer // nil: the process's
}

// Run measures and prints the table.
func (c *LedgerCmd) Run(ctx context.Context) error {
	stdout, stderr := cmp.Or(c.stdout, screen.Out), cmp.Or(c.stderr, screen.Err)
	if c.Laws <= 0 || c.Rows < 20 || c.Time <= 0 {
		return exit{2, fmt.Errorf("--laws %d --rows %d --time %v: laws and time must be above zero, rows at least 20; see physlib bench ledger --help", c.Laws, c.Rows, c.Time)}
	}
	warnUnknown(stderr, c.Out)
	_, err := bench.Ledger(ctx, bench.LedgerOptions{Laws: c.Laws, Rows: c.Rows, Time: c.Time, Seed: c.Seed, Out: c.Out,
		Done: func(r bench.LedgerRecord, done int) {
			found := 0
			for _, p := range r.Parts {
				if p.Found {
					found++
				}
			}
			fmt.Fprintf(stderr, "%3d/%d  %-10s %-8s noise %-5g  found by %d of %d parts  %s\n", done, c.Laws, r.Kind, r.Class, r.Noise, found, len(r.Parts), r.Law)
		}})
	fmt.Fprint(stdout, "")
	return err
}
