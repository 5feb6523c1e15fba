package discover

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/motion"
)

// load reads the table that the flags name. Reading stops when ctx ends, since standard input may
// never end. It also stops when --time is used up on the clock of --clock.
func (c *Cmd) load(ctx context.Context, in io.Reader) (t *dataset.Table, warnings []string, err error) {
	type loaded struct {
		table    *dataset.Table
		warnings []string
	}
	limit := time.Duration(0)
	if c.Time != nil {
		limit = time.Duration(*c.Time)
	}
	l, err := before(ctx, c, limit, "reading", func() (l loaded, err error) {
		l.table, l.warnings, err = c.read(in)
		return l, err
	})
	if err != nil {
		return nil, nil, err
	}
	return l.table, l.warnings, c.addConstants(l.table)
}

// before calls the function do and returns its result. It returns an error if ctx ends first, or
// if do takes longer than limit on the clock of --clock. A limit of 0 or atOnce means no limit.
// doing is the name of the operation in error messages. If do takes too long, it goes on in the
// background.
func before[T any](ctx context.Context, c *Cmd, limit time.Duration, doing string, do func() (T, error)) (out T, err error) {
	var result T
	done := make(chan error, 1)
	go func() {
		var err error
		result, err = do()
		done <- err
	}()
	timed := context.Background()
	if limit > atOnce {
		var cancel context.CancelFunc
		timed, cancel = c.Clock.WithTimeout(timed, limit)
		defer cancel()
	}
	select {
	case <-timed.Done():
		return out, badInput("%s: %s took longer than --time %s, so nothing was searched; give more time, or fewer rows", c.File, doing, limit)
	case <-ctx.Done():
		return out, exit{130, "interrupted while " + doing + " the table; nothing was searched yet"}
	case err := <-done:
		return result, err
	}
}

// read opens the file, the example or standard input.
func (c *Cmd) read(in io.Reader) (t *dataset.Table, warnings []string, err error) {
	if c.Example != "" {
		return c.readExample()
	}
	o := dataset.Options{Target: c.Target, Sigma: c.noiseColumn(), Uses: []string{c.Group, c.TimeColumn}}
	c.SetReading(&o)
	o.Given = c.ODE || c.Conserved || c.Implicit // these modes have no target
	_, err = strconv.ParseFloat(c.Noise, 64)
	_, relative := c.percent()
	for _, item := range c.Sigma {
		_, column, _ := strings.Cut(item, "=")
		o.Errors = append(o.Errors, strings.TrimSpace(column))
	}
	o.Known = err == nil || relative || len(c.Sigma) > 0
	if !c.noUnits() {
		o.Units = c.Units
	}
	if c.File == "-" {
		t, warnings, err = dataset.Read(in, "standard input", o)
	} else {
		t, warnings, err = dataset.ReadFile(c.File, o)
	}
	if err != nil {
		return nil, nil, blame(err)
	}
	return t, warnings, nil
}

// blame returns err with the right exit code: 2 for a wrong name in a flag, 1 for a wrong table. If
// an option is wrong, the reader's error begins with the name of the option.
func blame(err error) error {
	var e *dataset.Error
	if errors.As(err, &e) && e.Row == 0 {
		for prefix, flag := range map[string]string{"target \"": "--target", "sigma column \"": "--noise", "units:": "--units",
			"columns:": "--columns", "ignore:": "--ignore", "sheet:": "--sheet", "table ": "--table", "encoding:": "--encoding"} {
			if strings.HasPrefix(e.Problem, prefix) {
				option := strings.TrimPrefix(flag, "--")
				said := strings.Replace(err.Error(), ": "+option+": ", ": ", 1) // the flag says it already
				return exit{2, oneLine(flag + ": " + said)}
			}
		}
	}
	return badInput("%w", err)
}

// readExample returns an embedded table. If --target names another column, that column becomes the
// target.
func (c *Cmd) readExample() (t *dataset.Table, warnings []string, err error) {
	for flag, given := range map[string]bool{"--units": c.Units != "" && !c.noUnits(), "--noise": c.noiseColumn() != ""} {
		if given {
			return nil, nil, badFlag("%s cannot be used with --example: the columns of an example are fixed; leave it out", flag)
		}
	}
	if t, ok := motion.Example(c.Example); ok {
		if !c.ODE && !c.Conserved {
			return nil, nil, badFlag("--example %s is a trajectory; add --ode, or --conserved", c.Example)
		}
		return t, nil, nil
	}
	t, info, err := dataset.Example(c.Example)
	if err != nil {
		return nil, nil, badFlag("--example: %v", err)
	}
	if c.Target == "" || c.Target == t.Target.Name {
		if info.Exercise {
			warnings = append(warnings, fmt.Sprintf("%s is an exercise in fitting %s: other laws describe its numbers shorter", info.Name, info.Law))
		}
		return t, warnings, nil
	}
	i := slices.IndexFunc(t.Vars, func(v dataset.Column) bool { return v.Name == c.Target })
	if i < 0 {
		return nil, nil, badFlag("--target %s: the example %s has no such column; try one of %s", c.Target, c.Example, strings.Join(columnNames(t), ", "))
	}
	t.Target, t.Vars[i], t.Sigma = t.Vars[i], t.Target, nil
	return t, nil, nil
}

// addConstants adds the known constants to the table.
func (c *Cmd) addConstants(t *dataset.Table) error {
	names := columnNames(t)
	for _, k := range c.Const {
		if slices.Contains(names, k.Name) {
			return badFlag("--const %s: %s has a column of this name; give the constant another", k.Name, t.Name)
		}
	}
	t.Consts = append(t.Consts, c.Const...)
	return nil
}

// columnNames returns the names of the columns of t, with the target last.
func columnNames(t *dataset.Table) []string {
	var names []string
	for _, v := range t.Vars {
		names = append(names, v.Name)
	}
	return append(names, t.Target.Name)
}

// listExamples prints the embedded tables.
func listExamples(w io.Writer) error {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, e := range dataset.Examples() {
		fmt.Fprintf(tab, "%s\t%s\t%s (%s)\n", e.Name, e.Year, e.Title, e.Source)
	}
	for _, e := range motion.Examples() {
		fmt.Fprintf(tab, "%s\t%s\t%s, with --ode (%s)\n", e.Name, e.Year, e.Title, e.Source)
	}
	return tab.Flush()
}
