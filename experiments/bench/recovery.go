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
	"github.com/physlib/lab/physlib/cmd/screen"
)

// errJobsClock is the error if a time budget is in processor time while several searches run at
// once.
var errJobsClock = errors.New("--clock cpu --jobs: the processor time of several searches at once cannot be separated; leave one out")

// RecoveryCmd is the command line of `physlib bench recovery`.
type RecoveryCmd struct {
	Suite    string        `required:"" placeholder:"NAME|FILE.csv" help:"feynman, feynman-inverted, bonus, strogatz, classic, nguyen, textbook, lsr-synth, or a table of laws in the form of feynman.csv."`
	Noise    float64       `default:"0" placeholder:"σ" help:"Gaussian noise on the target, as a share of its RMS."`
	Digits   int           `default:"0" placeholder:"N" help:"Round each number to so many significant digits, as tables in files are (default: all)."`
	Outliers float64       `default:"0" placeholder:"SHARE" help:"Share of the rows that get a wrong value."`
	Fault    string        `default:"target" enum:"target,variable,cutoff" placeholder:"KIND" help:"Kind of wrong values: target, a random target of up to ten times the RMS; variable, one variable ten times as large; cutoff, the largest targets cut off at one value (default: target)."`
	Units    bool          `default:"true" negatable:"" help:"Search with the units; --units=false hides them."`
	Time     time.Duration `default:"60s" help:"Time budget for each law."`
	Clock    clock.Clock   `default:"wall" enum:"wall,cpu" placeholder:"wall|cpu" help:"What --time counts: elapsed time, or this program's processor time on all cores, which does not depend on other programs (default: wall)."`
	IDs      []string      `name:"ids" placeholder:"A,B" help:"Only these laws of the suite."`
	Rows     int           `default:"1000" help:"Rows of data for each law."`
	Jobs     int           `default:"1" help:"Laws at a time; one search uses all cores by itself."`
	Seed     int64         `default:"0" help:"Seed of data, noise and search."`
	Out      string        `placeholder:"FILE.jsonl" help:"Append one JSON line for each law; laws that are there already, with equal options, are not searched again."`
	SymPy    bool          `name:"sympy" help:"Judge by SymPy with SRBench's rules as well; needs python3 with sympy."`
	ODE      bool          `name:"ode" help:"Find the laws of motion from trajectories instead: suites strogatz, motion, motion-more and motion-held-out, or a FILE.csv in the form of motion.csv; noise is on the states."`
	neural.Flags

	stdout, stderr io.Writer // nil: the standard streams of the process
}

// Run searches for the laws, reports each on stderr and prints the summary on stdout. If ctx ends,
// it prints the summary of the finished laws and returns an error with exit code 130.
func (c *RecoveryCmd) Run(ctx context.Context) error {
	stdout, stderr := cmp.Or(c.stdout, screen.Out), cmp.Or(c.stderr, screen.Err)
	if c.Time <= 0 || c.Rows <= 0 || c.Jobs <= 0 {
		return exit{2, fmt.Errorf("--time %v --rows %d --jobs %d: all must be above zero; see physlib bench recovery --help", c.Time, c.Rows, c.Jobs)}
	}
	choice, err := c.Choose()
	if err != nil {
		return exit{2, fmt.Errorf("%w; see physlib bench recovery --help", err)}
	}
	if c.ODE && (c.Digits != 0 || c.Fault != "" && c.Fault != string(bench.BadTarget)) {
		return exit{2, errors.New("--digits and --fault are for laws in tables, not for --ode")}
	}
	if c.Jobs > 1 && c.Clock == clock.Processor {
		return exit{2, errJobsClock}
	}
	warnUnknown(stderr, c.Out)
	recover := bench.Recovery
	if c.ODE {
		recover = bench.Motions
	}
	s, err := recover(ctx, bench.RecoveryOptions{
		Suite: c.Suite, IDs: c.IDs, Noise: c.Noise, Digits: c.Digits, Outliers: c.Outliers, Fault: bench.Fault(c.Fault), NoUnits: !c.Units, Time: c.Time, Clock: c.Clock, Rows: c.Rows, Jobs: c.Jobs,
		Seed: c.Seed, Out: c.Out, SymPy: c.SymPy, Proposers: choice.Names, Extra: choice.Extra, JoinKernel: choice.JoinKernel(),
		Done: func(r bench.Report) { fmt.Fprintln(stderr, progressLine(r)) },
	})
	if s.Laws > 0 {
		fmt.Fprint(stdout, s)
	}
	for _, line := range choice.Report() {
		fmt.Fprintln(stderr, line)
	}
	if !errors.Is(err, context.Canceled) {
		return err
	}
	if c.Out == "" {
		return exit{130, fmt.Errorf("interrupted after %d laws; with --out FILE.jsonl they would be kept", s.Laws)}
	}
	return exit{130, fmt.Errorf("interrupted: %d laws are kept in %s; the same command continues from there", s.Laws, c.Out)}
}

// warnUnknown prints a warning if results in out will not name a clean commit of the program.
func warnUnknown(stderr io.Writer, out string) {
	if out == "" {
		return
	}
	switch version := bench.Version(); {
	case version == bench.UnknownVersion:
		fmt.Fprintln(stderr, `physlib: warning: the commit of this program is not known, so results say "unknown"; build it in a git checkout without -buildvcs=false, or start it there`)
	case strings.HasSuffix(version, "-dirty"):
		fmt.Fprintf(stderr, "physlib: warning: results say %s, since files are not committed; physlib bench collect refuses them\n", version)
	}
}

// exit is an error with an exit code for the process.
type exit struct {
	code int
	error
}

// ExitCode returns the process's exit code.
func (e exit) ExitCode() int { return e.code }

// Unwrap returns the wrapped error.
func (e exit) Unwrap() error { return e.error }

// progressLine returns the line about one law: how many laws are done, whether this one is found,
// the time, and the law found.
func progressLine(r bench.Report) string {
	result := "MISSED"
	switch {
	case r.Error != "":
		result = "ERROR"
	case r.Exact:
		result = "exact"
	case r.FrontExact:
		result = "front"
	}
	what := cmp.Or(r.Found, "nothing found")
	if r.Error != "" {
		what, _, _ = strings.Cut(r.Error, "\n")
	}
	r2 := "-"
	if r.R2 != nil {
		r2 = fmt.Sprintf("%.6f", *r.R2)
	}
	resumed := ""
	if r.Resumed {
		resumed = " (kept)"
	}
	if r.Proposer != "" {
		what += "  by " + r.Proposer
	}
	return fmt.Sprintf("%3d/%d %-6s %-20s %7.2f s  R² %s  %s%s", r.Done, r.Total, result, r.ID, r.Seconds, r2, what, resumed)
}
