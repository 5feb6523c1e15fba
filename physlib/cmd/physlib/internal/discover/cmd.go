// Package discover is the subcommand `physlib discover`. It reads a table and calls
// [discover.Discover]. It reports the result on the terminal, as JSON, as an HTML page, and as a
// file from which a later run can resume.
//
// # Design
//
// Standard output contains only the result. Warnings and the progress line go to standard error.
// The progress line is drawn only if standard error is a terminal. Output files are checked before
// the search and written in one piece after it. All errors are one line and carry the exit code of
// the process.
package discover

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/physlib/lab/physlib/clock"
	"github.com/physlib/lab/physlib/cmd/neural"
	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/reading"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/law"
)

// Cmd is the command line of `physlib discover`.
type Cmd struct {
	File string   `arg:"" optional:"" placeholder:"FILE" help:"Table to read: CSV, TSV, semicolons or spaces; xlsx, ods, npy, npz, Parquet, JSON or a web page; also gzipped, bzip2 or zipped; - is standard input. A folder means all tables in it."`
	More []string `arg:"" optional:"" placeholder:"FILE" help:"Further tables: each is searched separately and gets a line; with --group file all have one law."`

	Example string      `placeholder:"NAME" help:"Use an embedded table of real measurements; 'list' shows them."`
	Target  string      `placeholder:"COLUMN" help:"Column to explain (default: the last one)."`
	Units   string      `placeholder:"LIST" help:"Units of columns, as 'T=d,a=AU', instead of those in the header; 'none' searches without units."`
	AllRows bool        `help:"Keep all rows, even if they contradict the others."`
	Noise   string      `default:"auto" placeholder:"auto|σ|%|COLUMN" help:"Standard error of the target: estimated from the data, a number in its unit, a share such as 5%, or a column with one for each row (default: auto). With --ode: that of the only state, or a share of each state's root mean square."`
	Sigma   []string    `placeholder:"LIST" help:"Standard errors of columns, as 'y=0.02,x=sx,z=1%': a number, a column or a share for each."`
	Errors  string      `default:"auto" enum:"auto,equal,proportional,counting,heavy-tailed" placeholder:"MODEL" help:"How errors of unknown size depend on the target: ${enum}; heavy-tailed is robust against outliers (default: auto)."`
	Const   consts      `sep:"none" placeholder:"NAME=VALUE[UNIT]" help:"Known constant that the law may use, as 'm=0.2[kg]', or constants of nature by name, as 'G,c,h,k_B,e' (CODATA 2022). May be repeated."`
	Ops     ops         `sep:"none" placeholder:"LIST" help:"Operators and functions that the law may use, as '+,-,*,/,sqrt', or others in addition to the usual ones, as '+erf,+min'. The usual ones: + - * / ** inv abs sqrt square cube exp log sin cos tan asin acos atan sinh cosh tanh. The others: erf erfc gamma lgamma digamma sign j0 j1 sinc min max (default: the usual ones)."`
	Time    *budget     `placeholder:"60s" help:"Time to search; 0 fits only laws of --resume and --guess and the few likeliest forms (default: 60s; with --evals no limit)."`
	Clock   clock.Clock `enum:"wall,cpu" default:"wall" placeholder:"wall|cpu" help:"What --time counts: elapsed time, or this program's processor time on all cores, which does not depend on other programs (default: wall)."`
	Evals   count       `placeholder:"N" help:"Stop after N candidate laws. Runs with the same --seed then give the same result."`
	Seed    int64       `placeholder:"N" help:"Seed of all random choices (default: 0)."`

	Group    string   `placeholder:"COLUMN" help:"One law for all groups of rows that this column of numbers or text distinguishes, its constants shared or not; 'file' if each table is a group. With --ode: the column that distinguishes trajectories, between which a constant may differ (default: one that counts them, such as run, else where the time goes back)."`
	PerGroup []string `placeholder:"LIST" help:"With --group: constants that have a separate value in each group, as 'c0,c2', or 'none' (default: the shortest description decides)."`

	knowledgeFlags
	invariantFlags
	reading.TableFlags
	motionFlags
	neural.Flags

	MaxComplexity float64 `placeholder:"BITS" help:"Report no law more complex than this (default: no limit)."`

	JSON    bool   `help:"Print the result as one JSON object."`
	Report  string `placeholder:"OUT.html" help:"Write a self-contained page with figures."`
	Save    string `placeholder:"LAW.json" help:"Write the law file, for physlib predict, convert, score --law and --resume; also when interrupted."`
	Resume  string `placeholder:"LAW.json" help:"Start from the laws that an earlier run on the same table saved; not with --ode."`
	Quiet   bool   `short:"q" help:"No line of progress."`
	Verbose bool   `short:"v" help:"Report which proposer proposed which laws, and the backend of the neural proposers. With --given it does not report the backend; with --group, --ode, --implicit and --conserved it reports nothing."`
	NoColor bool   `env:"NO_COLOR" help:"No colours on the terminal."`
}

// Help is shown by --help below the flags.
func (*Cmd) Help() string {
	return `Column names may carry a unit: 'T [d]', 'g [m/s^2]', 'n [1]' for a dimensionless one. With units the
law's dimensions balance, and its constants get the unit that they need.

Examples:

    physlib discover --example kepler
    physlib discover pendulum.csv --report pendulum.html
    physlib discover run7.tsv --target v --time 5m --noise 0.02
    physlib discover spring.csv --sigma F=2%,x=sx --report spring.html
    physlib discover fall.csv --const g=9.80665[m/s^2] --json
    physlib discover pendulum.csv --given 'T = 2*pi*sqrt(l/g)*f(theta)' --require 'f(0)=1'
    physlib discover enzyme.csv --guess 'v = V*S/(K + S)' --require 'increasing in S' --without T
    physlib discover run7.tsv --proposers search,genetic -v
    physlib discover trajectory.csv --ode
    physlib discover ellipse.csv --implicit
    physlib discover pendulum.csv --conserved
    physlib discover puromycin.csv --group state
    physlib discover cold.csv warm.csv hot.csv --group file
    physlib discover measurements/ --json --time 20s > laws.jsonl
    physlib discover animals.csv --ignore note --target brain
    physlib discover results.xlsx --sheet 'Run 2' --columns l,T
    zcat log.csv.gz | physlib discover - --units 'U=V,I=mA' --evals 1e6
    physlib discover big.csv --save run.json; physlib discover big.csv --resume run.json --time 1h

Exit codes: 0 a law was found, 1 bad input, such as a constant target, 2 bad flags, 3 nothing better
than a constant, 130 interrupted (Ctrl-C prints and saves the best so far).`
}

// streams are the input and outputs of a run.
type streams struct {
	in       io.Reader
	out, err *os.File
}

// errors returns the writer of warnings, with escaped control characters.
func (s streams) errors() io.Writer { return screen.Writer(s.err) }

// search is discover.Discover; tests replace it.
var search = discover.Discover

// Run runs the command. ctx ends at Ctrl-C.
func (c *Cmd) Run(ctx context.Context) error {
	return c.run(ctx, streams{os.Stdin, os.Stdout, os.Stderr})
}

func (c *Cmd) run(ctx context.Context, s streams) error {
	if c.Example == "list" {
		return listExamples(screen.Writer(s.out))
	}
	settings, err := c.settings()
	if err != nil {
		return err
	}
	for _, check := range []func() error{c.checkMotion, c.checkReading, c.checkGroups, c.checkMany, c.checkErrors, c.checkInvariant, c.checkGiven} {
		if err := check(); err != nil {
			return err
		}
	}
	choice, err := c.Choose()
	if err != nil {
		return badFlag("%w", err)
	}
	settings.Proposers, settings.Extra, settings.JoinKernel = choice.Names, choice.Extra, choice.JoinKernel()
	if err := c.checkOutputs(); err != nil {
		return err
	}
	if c.groups() {
		return c.runGroups(ctx, s, settings)
	}
	if c.many() {
		return c.runMany(ctx, s, settings)
	}
	loading := c.Clock.Now()
	table, warnings, err := c.load(ctx, s.in)
	if err != nil {
		return err
	}
	if settings.Time > 0 {
		settings.Time = max(settings.Time-c.Clock.Since(loading), atOnce)
	}
	if c.invariants() {
		return c.runInvariant(ctx, s, table, settings, warnings)
	}
	if c.ODE {
		return c.runMotion(ctx, s, table, settings, warnings)
	}
	return c.runTable(ctx, s, table, settings, choice, warnings)
}

// checkOutputs returns an error if an output file is also an input. --report must not replace a
// file that is not a web page, nor --save one that is not a law file.
func (c *Cmd) checkOutputs() error {
	for flag, path := range map[string]string{"--report": c.Report, "--save": c.Save} {
		if c.many() {
			break // with several tables, both outputs are folders
		}
		if slices.ContainsFunc(append(c.More, c.File), func(file string) bool { return outfile.Same(path, file) }) {
			return badFlag("%s: %s is the table that is read; choose another path", flag, path)
		}
		kind := map[string]outfile.Kind{"--report": outfile.Page, "--save": outfile.LawFile}[flag]
		if err := outfile.CheckKind(path, kind); err != nil {
			return badInput("%s: %w", flag, err)
		}
	}
	if c.Save != "" && outfile.Same(c.Save, c.Report) {
		return badFlag("--save and --report: both are %s; give each a file of its own", c.Save)
	}
	return nil
}

// runTable finds the law of one table and prints it.
func (c *Cmd) runTable(ctx context.Context, s streams, table *dataset.Table, settings discover.Settings, choice neural.Choice, warnings []string) error {
	table, err := c.sigmas(table, &settings)
	if err != nil {
		return err
	}
	if c.Resume != "" {
		lost, err := c.resume(table, &settings)
		if err != nil {
			return err
		}
		warnings = append(warnings, lost...)
	}
	given, err := c.apply(table, &settings)
	if err != nil {
		return err
	}
	if shortest := law.Complexity(expr.X(0), len(table.Vars)); c.MaxComplexity > 0 && c.MaxComplexity < shortest {
		return badFlag("--max-complexity %g: even %s = %s has %.3g bits; give more", c.MaxComplexity, table.Target.Name, table.Vars[0].Name, shortest)
	}
	warnings = append(warnings, mistyped(given, settings, table)...)
	if given != nil {
		if len(settings.XSigma) > 0 {
			return badFlag("--sigma: with --given only errors of the target count; give --sigma %s=… alone", table.Target.Name)
		}
		return c.runGiven(ctx, s, table, given, settings, warnings)
	}
	began := time.Now()
	result, err := c.search(ctx, s, table, settings)
	if err != nil {
		return badInput("%s: %w", table.Name, err)
	}
	warn(s.errors(), append(warnings, result.Warnings...))
	if c.Verbose {
		tellProposers(s.errors(), result.Proposers, choice)
	}
	return c.deliver(ctx, s, finding{table: table, result: result, settings: settings, began: began, options: c})
}

// search runs the search and shows its progress on one line.
func (c *Cmd) search(ctx context.Context, s streams, t *dataset.Table, settings discover.Settings) (*discover.Result, error) {
	if !c.Quiet && term.IsTerminal(int(s.err.Fd())) {
		p := newProgress(s.err)
		settings.Progress = p.show
		defer p.clear()
	}
	return search(ctx, t, settings)
}

// deliver prints and writes the finding. Its error, or nil, sets the exit code of the process.
func (c *Cmd) deliver(ctx context.Context, s streams, f finding) error {
	end := ending{none: f.none(), nothing: f.nothing()}
	end.files = append(end.files, written{c.Save, f.save}, written{c.Report, f.report})
	return c.end(ctx, s, f, end)
}

// outcome is the result of a run: the law of a table, laws of motion, laws of groups, or
// invariants.
type outcome interface {
	print(w io.Writer, s style) error
	writeJSON(w io.Writer) error
}

// ending holds the files that a run writes, and the message if there is no law.
type ending struct {
	files   []written
	none    bool
	nothing string
}

// written is a file and the function that writes it; an empty path means no file.
type written struct {
	path  string
	write func(path string) error
}

// end writes the files, prints the outcome, and returns the error with which the process ends. If
// one file cannot be written, the others are written anyway.
func (c *Cmd) end(ctx context.Context, s streams, o outcome, e ending) error {
	interrupted := ctx.Err() != nil
	var trouble error
	for _, f := range e.files {
		if f.path == "" {
			continue
		}
		err := f.write(f.path)
		if trouble == nil {
			trouble = err
		}
	}
	colours := c.style(s.out)
	write := func() error { return o.print(screen.Writer(s.out, colours.sequences()...), colours) }
	if c.JSON {
		write = func() error { return o.writeJSON(screen.Writer(s.out)) }
	}
	if err := write(); trouble == nil && err != nil {
		trouble = fmt.Errorf("standard output: %w", outfile.Cause(err))
	}
	switch {
	case trouble != nil:
		return badInput("%w", trouble)
	case interrupted:
		return exit{130, c.interruption(e.none)}
	case e.none:
		return exit{3, e.nothing}
	}
	return nil
}

// interruption returns the message of an interrupted run. none says that the run has found no law.
func (c *Cmd) interruption(none bool) string {
	text := "interrupted; this is the best so far"
	if none {
		text = "interrupted; no law was found yet"
	}
	if c.Save != "" {
		text += ", saved in " + c.Save
	}
	return text
}

// tellProposers prints the contribution of each Proposer, and the backend of neural ones.
func tellProposers(w io.Writer, all []discover.Proposed, choice neural.Choice) {
	var parts []string
	for _, p := range all {
		text := p.Name + " did not begin"
		if p.StartedAfter >= 0 {
			text = fmt.Sprintf("%s %s laws", p.Name, grouped(p.Laws))
			if p.StartedAfter > 50*time.Millisecond {
				text += " after " + shortDuration(p.StartedAfter)
			}
		}
		parts = append(parts, text)
	}
	for _, line := range append([]string{"proposed: " + strings.Join(parts, ", ")}, choice.Report()...) {
		fmt.Fprintln(w, "physlib: "+oneLine(line))
	}
}

// warn prints warnings, one on each line.
func warn(w io.Writer, warnings []string) {
	for _, text := range warnings {
		fmt.Fprintln(w, "physlib: warning: "+oneLine(text))
	}
}
