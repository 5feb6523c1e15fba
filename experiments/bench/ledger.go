package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/search"
)

// LedgerCmd is the command line of `physlib bench ledger`.
type LedgerCmd struct {
	Files []string      `arg:"" optional:"" help:"Results files to summarize together, .jsonl or .jsonl.gz; without, the laws are measured."`
	Suite string        `placeholder:"NAME|FILE.csv" help:"Laws of a suite, as in physlib bench recovery, instead of random ones."`
	Laws  int           `placeholder:"N" help:"How many laws (default: 120, or all of the suite)."`
	Rows  int           `default:"200" placeholder:"N" help:"Rows of data for each law (default: 200)."`
	Time  time.Duration `default:"3s" help:"Processor time of each part for each law (default: 3s)."`
	Seed  uint64        `default:"0" placeholder:"N" help:"Seed of the laws (default: 0)."`
	Out   string        `placeholder:"FILE.jsonl" help:"Append one JSON line for each law; laws that are there already are not measured again."`
	Parts []string      `sep:"," placeholder:"NAME,..." help:"Measure only these parts, as 'variables sums 1,variables sums 2'; 'sums' stands for all of that method."`
	From  string        `placeholder:"FILE.jsonl" help:"Take the other parts from this results file of the same laws; with --parts."`
	Table string        `placeholder:"FILE.csv" help:"Write the table from which the search derives its schedule (physlib/search/ledger.csv); needs results on random laws."`

	stdout, stderr io.Writer // nil: the standard streams of the process
}

// Help returns the text that --help shows below the flags.
func (*LedgerCmd) Help() string {
	return `Each part of the search runs separately on each law. For each part, the table has the number of laws
it was run on, the number it found, the number that only it found, and the processor seconds. Run it
with GOMAXPROCS=1. With results files nothing is measured: the tables summarize all laws of these
files.

Examples:

    physlib bench ledger --seed 1 --out one.jsonl
    physlib bench ledger one.jsonl two.jsonl --table physlib/search/ledger.csv
    physlib bench ledger --seed 1 --parts sums --from one.jsonl --out again.jsonl
    physlib bench ledger --suite feynman --out feynman.jsonl`
}

// Run measures, or reads results, and prints the table.
func (c *LedgerCmd) Run(ctx context.Context) error {
	stdout, stderr := cmp.Or(c.stdout, screen.Out), cmp.Or(c.stderr, screen.Err)
	if c.Laws < 0 || c.Rows < 20 || c.Time <= 0 {
		return exit{2, fmt.Errorf("--laws %d --rows %d --time %v: laws may not be negative, rows are at least 20, time above zero; see physlib bench ledger --help", c.Laws, c.Rows, c.Time)}
	}
	if c.Suite != "" && c.Table != "" {
		return exit{2, errors.New("--suite --table: the search learns from random laws only; leave one out")}
	}
	if (c.From == "") != (len(c.Parts) == 0) {
		return exit{2, errors.New("--parts and --from belong together: the parts measured again, and the results that have the others")}
	}
	if len(c.Files) > 0 && (c.Suite != "" || c.Out != "") {
		return exit{2, fmt.Errorf("%s: results files are only summarized; leave out --suite and --out, or the files", c.Files[0])}
	}
	records, err := c.records(ctx, stderr)
	if len(records) > 0 {
		fmt.Fprint(stdout, bench.SummarizeLedger(records))
	}
	if err != nil || c.Table == "" {
		return err
	}
	return c.writeTable(records)
}

// records reads the results files, or measures if there are none.
func (c *LedgerCmd) records(ctx context.Context, stderr io.Writer) (all []bench.LedgerRecord, err error) {
	if len(c.Files) == 0 {
		warnUnknown(stderr, c.Out)
		o := bench.LedgerOptions{Suite: c.Suite, Laws: c.Laws, Rows: c.Rows, Time: c.Time, Seed: c.Seed, Out: c.Out}
		if o.Parts, err = partsNamed(c.Parts); err != nil {
			return nil, err
		}
		if c.From != "" {
			if o.From, err = bench.ReadLedgerResults(c.From); err != nil {
				return nil, err
			}
		}
		o.Done = func(r bench.LedgerRecord, done int) { fmt.Fprintln(stderr, ledgerLine(r, done)) }
		return bench.Ledger(ctx, o)
	}
	for _, file := range c.Files {
		records, err := bench.ReadLedgerResults(file)
		if err != nil {
			return nil, err
		}
		all = append(all, records...)
	}
	return all, nil
}

// partsNamed returns the parts with the given names, or of the methods with these names.
func partsNamed(names []string) (parts []search.Part, err error) {
	for _, name := range names {
		n := len(parts)
		for _, p := range search.Parts() {
			if p.String() == name || p.Method.String() == name {
				parts = append(parts, p)
			}
		}
		if len(parts) == n {
			return nil, exit{2, fmt.Errorf("--parts: the search has no part or method %q; physlib bench ledger FILE lists them", name)}
		}
	}
	return parts, nil
}

// writeTable writes the outcomes of all parts of the search on random laws. The search derives its
// schedule from this table. Records of a suite are an error.
func (c *LedgerCmd) writeTable(records []bench.LedgerRecord) error {
	var all []search.Experience
	for _, r := range records {
		if r.Suite != "" {
			return exit{2, fmt.Errorf("law %s of %s: the search learns from random laws only; leave its file out", r.Law, r.Suite)}
		}
		if r.Error != "" {
			continue
		}
		e, err := r.Experience()
		if err != nil {
			return err
		}
		all = append(all, e)
	}
	return outfile.Write(c.Table, []byte(search.WriteLedger(all)))
}

// ledgerLine returns the progress line for one law.
func ledgerLine(r bench.LedgerRecord, done int) string {
	if r.Error != "" {
		return fmt.Sprintf("%3d  ERROR %s", done, r.Error)
	}
	found := 0
	for _, p := range r.Parts {
		if p.Found {
			found++
		}
	}
	return fmt.Sprintf("%3d  %-10s %-8s noise %-5g found by %d of %d parts  %s", done, r.Kind, r.Class, r.Noise, found, len(r.Parts), r.Law)
}
