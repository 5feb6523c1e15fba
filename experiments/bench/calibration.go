package bench

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/cmd/screen"

	"github.com/physlib/lab/physlib/bench"
	"github.com/physlib/lab/physlib/cmd/neural"
	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/corpus/synthetic"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
)

// CalibrationCmd is the command line of `physlib bench calibration`.
type CalibrationCmd struct {
	Tables     int           `placeholder:"N" help:"How many tables (default: 600, with --noise-only 64)."`
	Seed       uint64        `default:"0" help:"Seed of the tables; different seeds give different tables."`
	NoiseOnly  bool          `help:"Only tables of noise, in which any chosen law is wrong."`
	Known      bool          `help:"Leave the law of each table in the catalogue, as most laws of real tables are."`
	Time       time.Duration `placeholder:"5s" help:"Time budget for each table (default: 5s; with --evals no limit)."`
	Clock      clock.Clock   `default:"wall" enum:"wall,cpu" placeholder:"wall|cpu" help:"What --time counts: elapsed time, or this program's processor time on all cores, which does not depend on other programs (default: wall)."`
	Evals      int64         `placeholder:"N" help:"Stop after N candidate laws: the same result every time."`
	SearchSeed int64         `default:"0" help:"Seed of the search."`
	Jobs       int           `default:"1" help:"Tables at a time; one search uses all cores by itself."`
	Out        string        `placeholder:"FILE.jsonl" help:"Append one JSON line for each table; tables that are there already, with equal options, are not searched again."`
	CSV        string        `name:"csv" placeholder:"FILE.csv" help:"Write the counts for physlib figures (experiments/results/calibration.csv)."`
	Save       string        `placeholder:"DIR" help:"Write the tables as CSV files, and their laws as laws.csv, instead of searching."`
	Results    []string      `placeholder:"FILE.jsonl" help:"Judge these results again instead of searching."`
	Fit        []string      `placeholder:"FILE.jsonl" help:"Instead of searching, fit to these results, or to those of bench tables, a model that turns posteriors into probabilities. Test it on the results of --judge."`
	Judge      []string      `placeholder:"FILE.jsonl" help:"Results of another seed, or of bench tables, for --fit."`
	L2         float64       `name:"l2" default:"1" help:"Penalty of --fit on squared weights of standardized features."`
	neural.Flags

	stdout, stderr io.Writer // nil: the standard streams of the process
}

// Help returns the text that --help shows below the flags.
func (*CalibrationCmd) Help() string {
	return `Tables are drawn from laws of the catalogue (which the prior does not know while it scores their
tables, unless with --known), from random laws and from noise, with few rows, errors of several
kinds and rounded values. Probabilities are calibrated if nine of ten laws with a stated probability
of 90 % are right.

Each table has a line with its outcome: right, wrong, wider (wrong, but with other constants the
chosen law is the true one), front (wrong, but the true law is on the front), none (no law was
chosen).

  physlib bench calibration --tables 600 --seed 1 --time 5s --jobs 2 --out one.jsonl
  physlib bench calibration --noise-only --time 5s
  physlib bench calibration --tables 20 --seed 1 --save drawn
  physlib bench calibration --fit one.jsonl --judge two.jsonl`
}

// Run searches the tables. It prints a line for each table, and then the summary. If ctx ends, it
// summarizes only the finished tables and returns an error with exit code 130.
func (c *CalibrationCmd) Run(ctx context.Context) error {
	stdout, stderr := cmp.Or[io.Writer](c.stdout, screen.Out), cmp.Or[io.Writer](c.stderr, screen.Err)
	if err := c.check(); err != nil {
		return exit{2, fmt.Errorf("%w; see physlib bench calibration --help", err)}
	}
	switch {
	case c.Fit != nil:
		return c.fit(stdout)
	case c.Save != "":
		return c.save(stdout)
	case c.Results != nil:
		records, err := readAll(c.Results, bench.ReadCalibration)
		if err == nil {
			records, err = bench.RejudgeCalibration(records)
		}
		if err != nil {
			return err
		}
		for _, r := range records {
			fmt.Fprintln(stdout, r)
		}
		return c.summarize(stdout, records)
	}
	choice, err := c.Choose()
	if err != nil {
		return exit{2, fmt.Errorf("%w; see physlib bench calibration --help", err)}
	}
	if err := outfile.Check(c.CSV); err != nil {
		return err
	}
	records, err := bench.Calibration(ctx, bench.CalibrationOptions{
		Tables: c.Tables, Seed: c.Seed, NoiseOnly: c.NoiseOnly, Known: c.Known, Jobs: c.Jobs, Out: c.Out,
		Settings: discover.Settings{
			Time: c.Time, Clock: c.Clock, Evaluations: c.Evals, Seed: c.SearchSeed,
			Proposers: choice.Names, Extra: choice.Extra, JoinKernel: choice.JoinKernel(),
		},
		Done: func(r bench.CalibrationReport) { fmt.Fprintln(stdout, r.CalibrationRecord) },
	})
	for _, line := range choice.Report() {
		fmt.Fprintln(stderr, line)
	}
	if len(records) > 0 {
		if failed := c.summarize(stdout, records); failed != nil {
			return errors.Join(err, failed)
		}
	}
	if !errors.Is(err, context.Canceled) {
		return err
	}
	if c.Out == "" {
		return exit{130, fmt.Errorf("interrupted after %d tables; with --out FILE.jsonl they would be kept", len(records))}
	}
	return exit{130, fmt.Errorf("interrupted: %d tables are kept in %s; the same command continues from there", len(records), c.Out)}
}

func (c *CalibrationCmd) check() error {
	switch {
	case c.Jobs > 1 && c.Clock == clock.Processor:
		return errJobsClock
	case c.Time < 0 || c.Evals < 0 || c.Tables < 0 || c.Jobs <= 0:
		return fmt.Errorf("--tables %d --time %v --evals %d --jobs %d: none may be negative", c.Tables, c.Time, c.Evals, c.Jobs)
	case (c.Fit == nil) != (c.Judge == nil):
		return errors.New("--fit and --judge go together: fit to one seed, judge on another")
	case c.L2 < 0:
		return fmt.Errorf("--l2 %g: give 0 or more", c.L2)
	case c.Results != nil && (c.Out != "" || c.Save != ""):
		return errors.New("--results judges earlier results again, without a search; leave out --out and --save")
	}
	return nil
}

// readAll reads several results files with read. It is an error if one has no results.
func readAll[R any](names []string, read func(name string) ([]R, error)) (all []R, err error) {
	for _, name := range names {
		records, err := read(name)
		if err != nil {
			return nil, err
		}
		if len(records) == 0 {
			return nil, fmt.Errorf("%s has no results", name)
		}
		all = append(all, records...)
	}
	return all, nil
}

// fit fits models of the probability that a law is right to the results of --fit. It prints how
// well these probabilities agree with the results of --judge.
func (c *CalibrationCmd) fit(stdout io.Writer) error {
	train, err := readAll(c.Fit, bench.ReadOutcomes)
	if err != nil {
		return err
	}
	judge, err := readAll(c.Judge, bench.ReadOutcomes)
	if err != nil {
		return err
	}
	text, err := bench.CompareProbabilities(train, judge, c.L2)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(stdout, text)
	return err
}

// summarize prints the summary of records. It writes the numbers for the figure to the file of
// --csv.
func (c *CalibrationCmd) summarize(stdout io.Writer, records []bench.CalibrationRecord) error {
	s := bench.SummarizeCalibration(records)
	fmt.Fprintf(stdout, "\n%v", s)
	if c.CSV == "" {
		return nil
	}
	versions, commands := provenance(records)
	return outfile.Replace(c.CSV, func(w io.Writer) error { return s.WriteCSV(w, versions, commands) })
}

// provenance returns the commits and the commands that made records. Each is listed once, separated
// by semicolons.
func provenance(records []bench.CalibrationRecord) (versions, commands string) {
	var seen, runs []string
	for len(records) > 0 {
		r := records[0]
		n := len(records)
		records = slices.DeleteFunc(slices.Clone(records), func(o bench.CalibrationRecord) bool {
			return o.Version == r.Version && o.SameSettings(r)
		})
		runs = append(runs, calibrationCommand(r, n-len(records)))
		if !slices.Contains(seen, r.Version) {
			seen = append(seen, r.Version)
		}
	}
	return strings.Join(seen, "; "), strings.Join(runs, "; ")
}

// calibrationCommand returns the command that searches the given number of tables with the settings
// of r.
func calibrationCommand(r bench.CalibrationRecord, tables int) string {
	var b strings.Builder
	b.WriteString("physlib bench calibration")
	if r.NoiseOnly {
		b.WriteString(" --noise-only")
	}
	if r.Known {
		b.WriteString(" --known")
	}
	fmt.Fprintf(&b, " --tables %d --seed %d", tables, r.TableSeed)
	b.WriteString(limitFlags(r.Time, r.Clock, r.Limit))
	if r.Seed != 0 {
		fmt.Fprintf(&b, " --search-seed %d", r.Seed)
	}
	return b.String() + " --proposers " + strings.Join(r.Proposers, ",")
}

// limitFlags returns the flags for the limits of a search: seconds of the clock, and evaluations.
func limitFlags(seconds float64, clock string, evaluations int64) (flags string) {
	if seconds > 0 {
		flags += fmt.Sprintf(" --time %gs", seconds)
	}
	if clock != "" {
		flags += " --clock " + clock
	}
	if evaluations > 0 {
		flags += fmt.Sprintf(" --evals %d", evaluations)
	}
	return flags
}

// save writes the tables and a list of their laws.
func (c *CalibrationCmd) save(stdout io.Writer) error {
	if err := os.MkdirAll(c.Save, 0o755); err != nil {
		return err
	}
	n := cmp.Or(c.Tables, 20)
	var list bytes.Buffer
	laws := csv.NewWriter(&list)
	laws.Write([]string{"file", "field", "law", "truth", "form", "errors", "level", "design"})
	for i := range uint64(n) {
		t, err := synthetic.NoiseTable(c.Seed, i), error(nil)
		if !c.NoiseOnly {
			t, err = synthetic.Draw(c.Seed, i)
		}
		if err != nil {
			return err
		}
		name := t.Data.Name + ".csv"
		laws.Write([]string{name, t.Field, t.Law, t.Truth, t.Form, t.Errors, strconv.FormatFloat(t.Level, 'g', 2, 64), t.Design})
		if err := outfile.Write(filepath.Join(c.Save, name), rows(t.Data)); err != nil {
			return err
		}
	}
	laws.Flush()
	if err := outfile.Write(filepath.Join(c.Save, "laws.csv"), list.Bytes()); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "%d tables in %s\n", n, c.Save)
	return err
}

// rows returns a table in the CSV format of physlib discover. The target is the last column, or the
// second last if its standard errors follow.
func rows(t *dataset.Table) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	cols := append(t.Vars[:len(t.Vars):len(t.Vars)], t.Target)
	var cells []string
	for _, c := range cols {
		name := c.Name
		if c.HasUnit {
			name += " [" + c.Unit.String() + "]"
		}
		cells = append(cells, name)
	}
	if t.Sigma != nil {
		cells = append(cells, strings.Replace(cells[len(cells)-1], t.Target.Name, "s_"+t.Target.Name, 1))
		cols = append(cols, dataset.Column{Values: t.Sigma})
	}
	w.Write(cells)
	for i := range t.Rows() {
		for k, c := range cols {
			cells[k] = strconv.FormatFloat(c.Values[i], 'g', -1, 64)
		}
		w.Write(cells)
	}
	w.Flush()
	return b.Bytes()
}
