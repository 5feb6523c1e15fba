package discover

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"
	"gonum.org/v1/gonum/floats"

	"github.com/physlib/lab/physlib/cmd/version"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/lawfile"
	"github.com/physlib/lab/physlib/motion"
)

// motionFlags are the flags for laws of motion.
type motionFlags struct {
	ODE        bool     `name:"ode" help:"Find laws of motion: the table holds trajectories, and for each state x the law of dx/dt is found."`
	Order      int      `default:"1" placeholder:"1|2" help:"With --ode: 2 finds laws of the second order, of d²x/dt², from positions alone (default: 1)."`
	TimeColumn string   `placeholder:"COLUMN" help:"With --ode: the column of the time (default: one with a name such as t or hours, else one with a unit of time, else one that increases)."`
	Input      []string `placeholder:"COLUMN,..." help:"With --ode: columns that drive the system, such as a voltage or a valve: the laws may use them, but they have no law of their own."`
	Driven     bool     `help:"With --ode: the laws may depend on the time itself, as driven systems do."`
}

// checkMotion returns an error if flags for laws of motion exclude each other.
func (c *Cmd) checkMotion() error {
	if !c.ODE {
		for flag, given := range map[string]bool{"--order": c.Order != 1 && c.Order != 0, "--time-column": c.TimeColumn != "" && !c.Conserved, "--driven": c.Driven,
			"--input": len(c.Input) > 0} {
			if given {
				return badFlag("%s has no use without --ode", flag)
			}
		}
		return nil
	}
	switch {
	case c.Order != 1 && c.Order != 2:
		return badFlag("--order %d: laws of motion are of order 1 or 2", c.Order)
	case c.noiseColumn() != "":
		return badFlag("--noise %s: with --ode the errors are found from the data, or given as a number for the only state, or as a share such as 5%%", c.Noise)
	case c.Target != "":
		return badFlag("--target has no use with --ode, which finds the law of every state; leave it out")
	case c.MaxComplexity != 0:
		return badFlag("--max-complexity has no use with --ode; leave it out")
	case c.Resume != "":
		return badFlag("--resume has no use with --ode; leave it out")
	case c.Given != "" || len(c.Guess)+len(c.Require)+len(c.Need)+len(c.Without)+len(c.Nesting) > 0:
		return badFlag("--given, --guess, --require, --need, --without and --nesting have no use with --ode; leave them out")
	}
	return nil
}

// motions is motion.Discover; tests replace it.
var motions = motion.Discover

// runMotion runs the command with --ode.
func (c *Cmd) runMotion(ctx context.Context, s streams, table *dataset.Table, settings discover.Settings, warnings []string) error {
	start := c.Clock.Now()
	p, err := c.trajectories(ctx, settings.Time, table, motion.Options{Order: c.Order, TimeDependent: c.Driven, Inputs: c.Input, AllRows: c.AllRows})
	if err != nil {
		return err
	}
	tr := p.Trajectories
	warnings = notOfTime(warnings, tr.Time.Name)
	if settings.Time > 0 {
		settings.Time = max(settings.Time-c.Clock.Since(start), atOnce)
	}
	set := motion.Settings{Time: settings.Time, Clock: c.Clock, Search: settings, Separate: c.Group != ""}
	if sigma, err := strconv.ParseFloat(c.Noise, 64); err == nil {
		if names := stateNames(tr); len(names) > 1 {
			return badFlag("--noise %s: there are %d states, %s, each with errors of its own; leave it out, or give a share such as 5%%", c.Noise, len(names), strings.Join(names, ", "))
		}
		set.Noise = []float64{sigma / math.Sqrt(p.averaged)}
	}
	if share, ok := c.percent(); ok {
		set.Noise = sharedNoise(tr, share/math.Sqrt(p.averaged))
	}
	began := time.Now()
	if !c.Quiet && term.IsTerminal(int(s.err.Fd())) {
		p := newProgress(s.err)
		set.Progress = func(m motion.Progress) {
			m.Search.Stage = m.Equation + ": " + m.Search.Stage
			m.Search.Left = m.Left
			p.show(m.Search)
		}
		defer p.clear()
	}
	found, err := motions(ctx, tr, set)
	if err != nil {
		return badInput("%s: %w", table.Name, err)
	}
	warn(s.errors(), append(append(warnings, p.warnings...), found.Warnings...))
	if found.Trajectories != nil {
		tr = found.Trajectories
	}
	f := movement{table: table, tr: tr, result: found, settings: settings, began: began, options: c}
	return f.deliver(ctx, s)
}

// notOfTime removes the warning that the column of the time counts the rows, since times may do so.
func notOfTime(warnings []string, time string) []string {
	return slices.DeleteFunc(warnings, func(w string) bool { return strings.Contains(w, "column "+time+" counts the rows") })
}

// sharedNoise returns the standard errors of all states that have a law: each is the given share of
// the root mean square of its state.
func sharedNoise(tr *motion.Trajectories, share float64) (sigma []float64) {
	for _, x := range tr.States[:len(tr.States)-tr.Inputs] {
		sigma = append(sigma, share*floats.Norm(x.Values, 2)/math.Sqrt(float64(len(x.Values))))
	}
	return sigma
}

// prepared holds trajectories ready for a search.
type prepared struct {
	*motion.Trajectories
	averaged float64 // factor by which averaging lowers the variance of errors; 1: not averaged
	warnings []string
}

// trajectories reads a table as trajectories, with the columns of time and runs that the flags
// name. Without --all-rows, it reduces the rows of long trajectories (Trajectories.Condensed). It
// returns an error if ctx ends first, or if it takes longer than limit (see the function before).
func (c *Cmd) trajectories(ctx context.Context, limit time.Duration, table *dataset.Table, o motion.Options) (prepared, error) {
	o.Time, o.Group = c.TimeColumn, c.Group
	return before(ctx, c, limit, "preparing", func() (p prepared, err error) {
		tr, warnings, err := motion.Read(table, o)
		if err != nil {
			return p, blameMotion(err)
		}
		if c.AllRows {
			return prepared{tr, 1, warnings}, nil
		}
		tr, averaged, note := tr.Condensed()
		if note != "" {
			warnings = append(warnings, table.Name+": "+note+"; --all-rows uses all")
		}
		return prepared{tr, averaged, warnings}, nil
	})
}

// blameMotion returns err with the right exit code: 2 for a wrong column in a flag, 1 for a wrong
// table.
func blameMotion(err error) error {
	for what, flag := range map[string]string{"no time column": "--time-column", "no group column": "--group", "no input column": "--input",
		"no state is left": "--input", "the constant ": "--const"} {
		if strings.Contains(err.Error(), what) {
			return exit{2, oneLine(flag + ": " + err.Error())}
		}
	}
	return badInput("%w", err)
}

// stateNames returns the names of the states without those of inputs.
func stateNames(tr *motion.Trajectories) (names []string) {
	for _, x := range tr.States[:len(tr.States)-tr.Inputs] {
		names = append(names, x.Name)
	}
	return names
}

// movement is a finished run with --ode.
type movement struct {
	table    *dataset.Table
	tr       *motion.Trajectories
	result   *motion.Result
	settings discover.Settings
	began    time.Time
	options  *Cmd
}

// found returns the number of states with a law.
func (f movement) found() (n int) {
	for _, e := range f.result.Equations {
		if e.Law.Tree.Len() > 0 {
			n++
		}
	}
	return n
}

// deliver prints and writes the laws. Its error, or nil, sets the exit code of the process.
func (f movement) deliver(ctx context.Context, s streams) error {
	try := "--order 2, or further states"
	if f.tr.Order == 2 {
		try = "or further states"
	}
	nothing := fmt.Sprintf("no law of motion was found in %s; try more --time, more rows, %s", f.tr.Name, try)
	if limit := f.options.timeLimit(); limit > 0 && f.result.Evaluations == 0 && f.result.Stopped == discover.StopTime {
		nothing = unsearched(f.tr.Name, limit)
	}
	files := []written{{f.options.Save, f.save}, {f.options.Report, f.report}}
	return f.options.end(ctx, s, f, ending{files: files, none: f.found() == 0, nothing: nothing})
}

// question describes the problem as text, such as: 42 rows in 2 runs, x [m], y [m] against t [s].
func (f movement) question() string {
	var states, inputs []string
	for k, x := range f.tr.States {
		if k < len(f.tr.States)-f.tr.Inputs {
			states = append(states, quantity(x))
		} else {
			inputs = append(inputs, quantity(x))
		}
	}
	text := grouped(int64(f.tr.Rows())) + " rows"
	if n := len(f.tr.Runs); n > 1 {
		text += fmt.Sprintf(" in %d runs", n)
	}
	text += ", " + strings.Join(states, ", ") + " against " + quantity(f.tr.Time)
	if len(inputs) > 0 {
		text += ", driven by " + strings.Join(inputs, ", ")
	}
	for i, p := range f.tr.Params {
		text += map[bool]string{true: ", with ", false: ", "}[i == 0] + quantity(p)
	}
	return text
}

// summary returns a line that says how well the system follows the trajectories.
func (f movement) summary() string {
	over := fmt.Sprintf("windows of %d steps", f.result.Window)
	if f.result.Whole {
		over = "whole runs"
	}
	var parts []string
	for k, e := range f.result.Equations {
		if e.Law.Tree.Len() > 0 {
			x := f.tr.States[k]
			parts = append(parts, fmt.Sprintf("%s to %s", x.Name, inUnit(significant(e.Error, 3), x.UnitName())))
		}
	}
	if len(parts) == 0 {
		return "no law of motion was found"
	}
	return "integrated over " + over + ", it gives " + strings.Join(parts, ", ")
}

// verdicts returns the verdict of each law, and the rivals that the errors do not exclude.
func (f movement) verdicts() (lines []string) {
	for k, e := range f.result.Equations {
		if e.Law.Tree.Len() == 0 {
			lines = append(lines, "no law was found for "+f.tr.Target(k))
			continue
		}
		lines = append(lines, f.tr.Target(k)+": "+e.Verdict)
		for _, l := range e.Rivals {
			lines = append(lines, fmt.Sprintf("  within the errors as well: %s (%.1f bits worse)", ofMotion.line(l), l.Score-e.Law.Score))
		}
	}
	return lines
}

// shownFront returns the front of an equation and its chosen law. The RMSE of the chosen law is
// its error along the integrated trajectories.
func shownFront(e motion.Equation) (front []law.Law, best law.Law) {
	best = e.Law
	best.RMSE = e.Error
	for _, l := range e.Front {
		if l.Score == best.Score { // the chosen law before its terms were collected
			continue
		}
		if l.Complexity < best.Complexity && l.RMSE > best.RMSE || l.RMSE < 0.98*best.RMSE && l.Complexity > best.Complexity {
			front = append(front, l)
		}
	}
	front = append(front, best)
	slices.SortStableFunc(front, func(a, b law.Law) int { return cmp.Compare(a.Complexity, b.Complexity) })
	return front, best
}

// print writes the laws as text.
func (f movement) print(w io.Writer, s style) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", f.tr.Name, f.question())
	for _, e := range f.result.Equations {
		if e.Law.Tree.Len() == 0 {
			continue
		}
		front, best := shownFront(e)
		b.WriteString("\n")
		finding{table: f.table, result: &discover.Result{Best: best, Front: front}, settings: f.settings, options: f.options, notation: ofMotion}.printFront(&b, s)
		b.WriteString("\n")
		printLaw(&b, e.Law, s, ofMotion)
	}
	b.WriteString(f.separate())
	fmt.Fprintf(&b, "\n%s\n", f.summary())
	for _, line := range f.verdicts() {
		fmt.Fprintln(&b, line)
	}
	fmt.Fprintf(&b, "%s%s candidates evaluated in %s%s\n", s.faint, grouped(f.result.Evaluations), shortDuration(f.result.Elapsed), s.reset)
	_, err := io.WriteString(w, b.String())
	return err
}

// separate returns a table of the constants that have separate values in the groups of runs.
func (f movement) separate() string {
	var rows [][]string
	for _, c := range f.result.Separate {
		row := []string{c.Name}
		for g, v := range c.Values {
			row = append(row, estimate(law.Constant{Value: v, StdErr: c.StdErr[g]}))
		}
		rows = append(rows, row)
	}
	if rows == nil {
		return ""
	}
	return "\n" + GroupTable(f.result.Separate[0].Groups, rows)
}

// file returns the law file for --save and --json.
func (f movement) file() *lawfile.File {
	m := &lawfile.Motion{Order: f.tr.Order, Time: f.tr.Time.Name, Driven: f.tr.TimeDependent, Runs: len(f.tr.Runs), Whole: f.result.Whole, Window: f.result.Window}
	for _, v := range f.result.Cov {
		m.Covariance = append(m.Covariance, lawfile.Finite(v))
	}
	for _, c := range f.result.Separate {
		one := lawfile.Separate{Name: c.Name, Groups: c.Groups, Values: c.Values}
		for _, e := range c.StdErr {
			one.StdErr = append(one.StdErr, lawfile.Finite(e))
		}
		m.Separate = append(m.Separate, one)
	}
	last := f.tr.Runs[len(f.tr.Runs)-1][1] - 1
	m.End = f.tr.Time.Values[last]
	for k, e := range f.result.Equations {
		q := lawfile.Equation{State: e.State, Rate: f.tr.Target(k), Noise: e.Noise, Front: []lawfile.Law{}, Last: f.tr.States[k].Values[last]}
		// The integrated state is less noisy than the measured one.
		if path := f.result.Path; len(path) > 0 && len(path[len(path)-1].X) > k {
			x, t := path[len(path)-1].X[k], path[len(path)-1].Times
			if n := len(x); n > 1 && t[n-1] == m.End && !math.IsNaN(x[n-1]) {
				q.Last, q.Slope = x[n-1], endSlope(t, x)
			}
		}
		if e.Law.Tree.Len() > 0 {
			l := lawfile.Law(e.Law)
			q.Law, q.Error = &l, lawfile.Finite(e.Error)
			q.Probability, q.Verdict = lawfile.Finite(e.Probability), e.Verdict
			for _, l := range e.Rivals {
				q.Rivals = append(q.Rivals, lawfile.Law(l))
			}
			front, _ := shownFront(e)
			for _, l := range front {
				q.Front = append(q.Front, lawfile.Law(l))
			}
		}
		m.Equations = append(m.Equations, q)
	}
	var table lawfile.Table
	if f.table != nil {
		table = lawfile.Describe(f.table)
	}
	return &lawfile.File{
		Version: version.String(), Created: f.began.UTC().Truncate(time.Second), Table: table, Rows: f.tr.Rows(), Motion: m,
		Stopped: string(f.result.Stopped), Seconds: f.result.Elapsed.Seconds(), Evaluations: f.result.Evaluations, Seed: f.settings.Seed,
	}
}

// endSlope returns the derivative of x at the last of the times t, calculated from the parabola
// through the last three points.
func endSlope(t, x []float64) float64 {
	n := len(x)
	a := (x[n-1] - x[n-2]) / (t[n-1] - t[n-2])
	if n < 3 {
		return a
	}
	b := (x[n-2] - x[n-3]) / (t[n-2] - t[n-3])
	return a + (a-b)/(t[n-1]-t[n-3])*(t[n-1]-t[n-2])
}

func (f movement) save(path string) error { return saveFile(f.file(), path) }

func (f movement) writeJSON(w io.Writer) error { return writeFile(w, f.file()) }
