package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/cmd/neural"
	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/corpus/tables"
	"github.com/physlib/lab/physlib/discover"
)

// TablesCmd is the command line of `physlib bench tables`.
type TablesCmd struct {
	Set        string        `default:"developed" enum:"developed,held-out,all" placeholder:"NAME" help:"Tables to search: developed, held-out or all (default: developed)."`
	Only       []string      `placeholder:"A,B" help:"Only these tables."`
	Class      string        `placeholder:"NAME" help:"Only tables of this class, such as saturation."`
	Units      string        `default:"header" enum:"header,none" placeholder:"header|none" help:"none searches the tables that have units without them (default: header)."`
	Time       time.Duration `placeholder:"20s" help:"Time budget for each table (default: 20s; with --evals no limit)."`
	Clock      clock.Clock   `default:"wall" enum:"wall,cpu" placeholder:"wall|cpu" help:"What --time counts: elapsed time, or this program's processor time on all cores, which does not depend on other programs (default: wall)."`
	Evals      int64         `placeholder:"N" help:"Stop after N candidate laws: with the same --seed the same result every time."`
	Seed       int64         `default:"0" help:"Seed of the search."`
	Jobs       int           `default:"1" help:"Tables at a time; one search uses all cores by itself."`
	Out        string        `placeholder:"FILE.jsonl" help:"Append one JSON line for each table; tables that are there already, with equal options, are not searched again."`
	Results    string        `placeholder:"FILE.jsonl" help:"Judge these results again instead of searching; --out writes them."`
	CSV        string        `name:"csv" placeholder:"FILE.csv" help:"Write a line for each table there as well, with its outcome and the command (experiments/results/tables.csv)."`
	LeaveOut   bool          `help:"Leave the accepted forms of each table out of the catalogue of laws while it is searched."`
	Invariance bool          `help:"Search variants of each table as well, such as other units, and count the variants that keep the form of the law."`
	Index      string        `placeholder:"FILE.csv" help:"Index of tables of your own, in the form of physlib/corpus/tables/index.csv; all its sets are searched."`
	neural.Flags

	stdout, stderr io.Writer // nil: the standard streams of the process
}

// Help returns the text that --help shows below the flags.
func (*TablesCmd) Help() string {
	return `Each table has a line with its outcome:

    chosen  the law chosen is one that a scientist accepts
    front   another law of the front is accepted
    missed  no law of the front is accepted
    right   the table has no law, and none was chosen
    over    the verdict calls a law likely or better though an accepted form takes fewer bits
    sure    the verdict calls a law likely or better that is not accepted
    const?  a constant differs from its true value by more than three standard errors
    alias   an oscillation with a wrong frequency that fits all rows, as in aliasing

With --invariance each variant of a table has a line as well, which reports whether the law is of
the same form: without units, in other units, with other names, columns reversed, rows permuted,
half the rows (a law must not become acceptable only with half the rows), with an unrelated column,
with one digit less (a simpler law also passes), with another seed.`
}

// Run searches the tables. It prints a line for each table, and then how many outcomes of each
// kind there are. If ctx ends, it counts only the finished tables and returns an error with exit
// code 130.
func (c *TablesCmd) Run(ctx context.Context) error {
	stdout, stderr := cmp.Or(c.stdout, screen.Out), cmp.Or(c.stderr, screen.Err)
	if c.Jobs > 1 && c.Clock == clock.Processor {
		return exit{2, errJobsClock}
	}
	if c.Time < 0 || c.Evals < 0 || c.Jobs <= 0 {
		return exit{2, fmt.Errorf("--time %v --evals %d --jobs %d: none may be negative; see physlib bench tables --help", c.Time, c.Evals, c.Jobs)}
	}
	if err := outfile.Check(c.CSV); err != nil {
		return exit{2, err}
	}
	some, err := c.tables()
	if err != nil {
		return exit{2, err}
	}
	if c.Results != "" {
		return c.rejudge(some, stdout)
	}
	choice, err := c.Choose()
	if err != nil {
		return exit{2, fmt.Errorf("%w; see physlib bench tables --help", err)}
	}
	warnUnknown(stderr, c.Out)
	search := bench.Tables
	if c.Invariance {
		search = bench.Invariance
	}
	records, err := search(ctx, bench.TablesOptions{
		Tables: some, LeaveOut: c.LeaveOut, Jobs: c.Jobs, Out: c.Out,
		Settings: discover.Settings{
			Time: c.Time, Clock: c.Clock, Evaluations: c.Evals, Seed: c.Seed, NoUnits: c.Units == "none",
			Proposers: choice.Names, Extra: choice.Extra, JoinKernel: choice.JoinKernel(),
		},
		Done: func(r bench.TableReport) { fmt.Fprintln(stdout, r.TableRecord) },
	})
	if len(records) > 0 {
		summarize(stdout, records)
	}
	for _, line := range choice.Report() {
		fmt.Fprintln(stderr, line)
	}
	if !errors.Is(err, context.Canceled) {
		return cmp.Or(err, c.writeCSV(records))
	}
	if c.Out == "" {
		return exit{130, fmt.Errorf("interrupted after %d tables; with --out FILE.jsonl they would be kept", len(records))}
	}
	return exit{130, fmt.Errorf("interrupted: %d tables are kept in %s; the same command continues from there", len(records), c.Out)}
}

// tables returns the tables that the flags select.
func (c *TablesCmd) tables() ([]tables.Table, error) {
	set := c.Set
	all, err := tables.All()
	if c.Index != "" {
		set = "all"
		all, err = tables.Open(c.Index)
	}
	if err != nil {
		return nil, err
	}
	if set == "all" {
		set = ""
	}
	return tables.Select(all, set, c.Class, c.Only)
}

// rejudge judges saved results again.
func (c *TablesCmd) rejudge(some []tables.Table, stdout io.Writer) error {
	results, err := bench.ReadTableResults(c.Results)
	if err != nil {
		return err
	}
	records, err := bench.Rejudge(some, results)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Results, err)
	}
	for _, r := range records {
		fmt.Fprintln(stdout, r)
	}
	if c.Out != "" {
		write := func(w io.Writer) error { return bench.WriteTableResults(w, records) }
		if err := outfile.Replace(c.Out, write); err != nil {
			return err
		}
	}
	return cmp.Or(summarize(stdout, records), c.writeCSV(records))
}

// writeCSV writes the file --csv, if there is one.
func (c *TablesCmd) writeCSV(records []bench.TableRecord) error {
	if c.CSV == "" {
		return nil
	}
	rows := make([]bench.TableRow, len(records))
	for i, r := range records {
		rows[i] = bench.TableRow{TableRecord: r, Command: tablesCommand(r)}
	}
	return outfile.Replace(c.CSV, func(w io.Writer) error { return bench.WriteTableRows(w, rows) })
}

// tablesCommand returns the command that searches the tables of the set of r with its settings.
func tablesCommand(r bench.TableRecord) string {
	var b strings.Builder
	b.WriteString("physlib bench tables --set " + r.Set)
	if !r.Units {
		b.WriteString(" --units none")
	}
	b.WriteString(limitFlags(r.Time, r.Clock, r.Limit))
	if r.Seed != 0 {
		fmt.Fprintf(&b, " --seed %d", r.Seed)
	}
	if r.LeftOut {
		b.WriteString(" --leave-out")
	}
	return b.String() + " --proposers " + strings.Join(r.Proposers, ",")
}

// summarize prints the numbers of outcomes of each kind, including those of variants if there are
// any.
func summarize(w io.Writer, records []bench.TableRecord) error {
	if s := bench.SummarizeInvariance(records); len(s.Kinds) > 0 {
		fmt.Fprintf(w, "\n%v", s)
	}
	_, err := fmt.Fprintf(w, "\n%v", bench.SummarizeTables(records))
	return err
}
