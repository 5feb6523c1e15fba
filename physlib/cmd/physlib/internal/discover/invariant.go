package discover

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/cmd/version"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/invariant"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/lawfile"
	"github.com/physlib/lab/physlib/motion"
)

// invariantFlags are the flags that request implicit laws or conserved quantities instead of the
// law of a target.
type invariantFlags struct {
	Implicit  bool `help:"Find a law g(x, y, …) = 0 of all columns, such as that of a circle, instead of a law for the target."`
	Conserved bool `help:"Find what trajectories conserve, such as energy: the table has a column of the time and states. --group and --time-column are as with --ode."`
}

func (c *Cmd) invariants() bool { return c.Implicit || c.Conserved }

// checkInvariant returns an error if flags exclude --implicit or --conserved.
func (c *Cmd) checkInvariant() error {
	if !c.invariants() {
		return nil
	}
	if c.Implicit && c.Conserved {
		return badFlag("--implicit and --conserved: leave one out; trajectories have --conserved")
	}
	name := map[bool]string{true: "--implicit", false: "--conserved"}[c.Implicit]
	for _, other := range []struct {
		flag  string
		given bool
	}{
		{"--ode", c.ODE}, {"--resume", c.Resume != ""}, {"--target", c.Target != ""}, {"--given", c.Given != ""},
		{"--sigma", len(c.Sigma) > 0}, {"--const", len(c.Const) > 0}, {"--guess", len(c.Guess) > 0},
		{"--require", len(c.Require) > 0}, {"--group", c.Group != "" && c.Implicit},
		{"--noise", c.Noise != "auto" && c.Noise != ""}, {"--per-group", len(c.PerGroup) > 0},
		{"--errors", c.Errors != "auto" && c.Errors != ""}, {"--proposers", len(c.Proposers) > 0},
	} {
		if other.given {
			return badFlag("%s has no use with %s; leave it out", other.flag, name)
		}
	}
	if len(c.More) > 0 || isFolder(c.File) {
		return badFlag("%s is for one table at a time; name one", name)
	}
	return nil
}

// implicitRows is the largest number of rows that --implicit uses. More rows hardly add
// information.
const implicitRows = 20_000

// runInvariant runs the command with --implicit or --conserved.
func (c *Cmd) runInvariant(ctx context.Context, s streams, table *dataset.Table, settings discover.Settings, warnings []string) error {
	if rows := table.Rows(); !c.Conserved && !c.AllRows && rows > implicitRows {
		table = table.Subset(dataset.Evenly(rows, implicitRows))
		warnings = append(warnings, fmt.Sprintf("%s: %d of %d rows, evenly spaced, are used; --all-rows uses all", table.Name, implicitRows, rows))
	}
	f := constancy{table: table, settings: settings, began: time.Now(), options: c}
	set := invariant.Settings{Time: settings.Time, Clock: settings.Clock, Most: 1, Evaluations: settings.Evaluations,
		MaxComplexity: settings.MaxComplexity, Seed: settings.Seed, Ops: settings.Ops}
	f.columns = append(table.Vars[:len(table.Vars):len(table.Vars)], table.Target)
	if err := invariant.Enough(table.Rows(), 1); err != nil {
		return badInput("%s: %w", table.Name, err)
	}
	if c.Conserved {
		tr, err := c.trajectories(ctx, settings.Time, table, motion.Options{Order: 1, AllRows: true, Least: 2})
		if err != nil {
			return err
		}
		warnings = append(warnings, tr.warnings...)
		f.columns, f.time, set.Most = tr.States, &tr.Time, 0
		for _, run := range tr.Runs {
			var rows []int
			for i := run[0]; i < run[1]; i++ {
				rows = append(rows, i)
			}
			set.Runs = append(set.Runs, rows)
		}
		f.runs = set.Runs
	}
	var names []string
	for _, column := range f.columns {
		names = append(names, column.Name)
	}
	err := c.shape(table, names, &settings)
	if err != nil {
		return err
	}
	set.Shape = settings.Shape
	if f.result, err = invariant.Find(ctx, f.columns, set); err != nil {
		return badInput("%s: %w", table.Name, err)
	}
	f.interrupted = ctx.Err() != nil
	warn(s.errors(), warnings)
	what := "no implicit law was found"
	if c.Conserved {
		what = "nothing was found that is conserved"
	}
	return c.end(ctx, s, f, ending{files: []written{{c.Save, f.save}, {c.Report, f.report}}, none: len(f.result.Found) == 0,
		nothing: fmt.Sprintf("%s in %s; try more rows, fewer columns (--columns), or more %s", what, table.Name, f.limit())})
}

// constancy is a finished run with --implicit or --conserved.
type constancy struct {
	table    *dataset.Table
	columns  []dataset.Column
	time     *dataset.Column
	runs     [][]int // rows of each trajectory
	result   *invariant.Result
	settings discover.Settings
	began    time.Time
	options  *Cmd

	interrupted bool
}

// shown returns the law that is printed and saved. For --implicit it is a law that is 0 in all
// rows, for --conserved the conserved quantity.
func (f constancy) shown(v invariant.Invariant) law.Law {
	if f.time == nil {
		return v.Zero
	}
	return v.Law
}

// question describes the problem as text, such as: 40 rows, theta, omega against t [s].
func (f constancy) question() string {
	var names []string
	for _, c := range f.columns {
		names = append(names, quantity(c))
	}
	text := fmt.Sprintf("%s rows, %s", grouped(int64(f.table.Rows())), strings.Join(names, ", "))
	if f.time != nil {
		text += " against " + quantity(*f.time)
	}
	return text
}

// deviation returns a line that says how well a quantity is conserved.
func deviation(v invariant.Invariant) string {
	return fmt.Sprintf("its spread is %s of that for shuffled columns", share(v.Spread))
}

// stopped returns the reason why the search ended.
func (f constancy) stopped() discover.Stop {
	switch most := f.settings.Evaluations; {
	case f.interrupted:
		return discover.StopInterrupted
	case f.result.Cut && most > 0 && f.result.Evaluations == most:
		return discover.StopEvaluations
	case f.result.Cut:
		return discover.StopTime
	}
	return discover.StopExhausted
}

// limit returns the name of the flag that limited the search.
func (f constancy) limit() string {
	if f.stopped() == discover.StopEvaluations {
		return "--evals"
	}
	return "--time"
}

// print writes the quantities found as text.
func (f constancy) print(w io.Writer, s style) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", f.table.Name, f.question())
	for i, v := range f.result.Found {
		l := f.shown(v)
		text := plain(l, 6)
		if f.time == nil {
			text = strings.TrimPrefix(text, "0 = ") + " = 0"
		}
		fmt.Fprintf(&b, "\n    %s%s%s\n\n", s.strong, text, s.reset)
		for _, k := range shownConstants(l) {
			fmt.Fprintf(&b, "  %s = %s\n", k.Name, estimate(k))
		}
		if f.time != nil {
			fmt.Fprintf(&b, "  conserved: %s\n", levels(v.Levels))
		}
		fmt.Fprintf(&b, "  %s\n", deviation(v))
		for k, o := range f.result.Others[i] {
			if k == 0 {
				b.WriteString("  about as good\n")
			}
			fmt.Fprintf(&b, "  %+7.1f bits  %s\n", o.Bits-v.Bits, strings.TrimPrefix(plain(f.shown(o), 6), "0 = "))
		}
	}
	if f.result.Cut && !f.interrupted {
		fmt.Fprintf(&b, "\nthe search was not finished; give more %s\n", f.limit())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// levels returns the values of an invariant as text, one for each run. If there are many runs, it
// returns only the first few.
func levels(v []float64) string {
	const most = 8
	var parts []string
	for _, x := range v[:min(len(v), most)] {
		parts = append(parts, significant(x, 5))
	}
	if n := len(v) - most; n > 0 {
		parts = append(parts, fmt.Sprintf("and in %d further runs", n))
	}
	return strings.Join(parts, ", ")
}

// share returns v, a fraction of one, as a percentage.
func share(v float64) string {
	if v < 1e-6 || math.IsNaN(v) {
		return "less than 0.0001 %"
	}
	return significant(100*v, 2) + " %"
}

// file returns the law file for --save and --json.
func (f constancy) file() *lawfile.File {
	s := &lawfile.Single{Target: "invariant", Front: []lawfile.Law{}, KnownLaws: []lawfile.KnownLaw{}, Verdict: "nothing stays constant"}
	for i, v := range f.result.Found {
		l := f.shown(v)
		l.Target = s.Target
		if i == 0 {
			best := lawfile.Law(l)
			s.Best, s.Verdict = &best, fmt.Sprintf("its spread is %s of that for shuffled columns", share(v.Spread))
		}
		s.Front = append(s.Front, lawfile.Law(l))
	}
	return &lawfile.File{Version: version.String(), Created: f.began.UTC().Truncate(time.Second), Table: lawfile.Describe(f.table), Rows: f.table.Rows(), Single: s,
		Stopped: string(f.stopped()), Seconds: f.result.Elapsed.Seconds(), Evaluations: f.result.Evaluations, Seed: f.settings.Seed}
}

func (f constancy) save(path string) error { return saveFile(f.file(), path) }

func (f constancy) writeJSON(w io.Writer) error { return writeFile(w, f.file()) }
