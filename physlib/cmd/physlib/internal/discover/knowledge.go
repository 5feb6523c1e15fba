package discover

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/expr"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/frame"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/regression"
	"github.com/physlib/lab/physlib/require"
	"github.com/physlib/lab/physlib/spelling"
)

// knowledgeFlags are the flags for prior knowledge about the law.
type knowledgeFlags struct {
	Given   string   `placeholder:"FRAME" help:"Law with unknown functions, which are searched, as 'T = 2*pi*sqrt(l/g)*f(theta)'. Other names that are not columns are constants."`
	Guess   []string `sep:"none" placeholder:"FORMULA" help:"Formula that is fitted first and ranked with the laws found, as 'v = V*S/(K + S)'. May be repeated."`
	Require []string `sep:"none" placeholder:"TEXT" help:"Statement that the law must satisfy: 'positive', 'even in x', 'odd in x', 'increasing in x', 'decreasing in x', 'monotone in x', 'x=0: 1', 'x->inf: 1/x' (a number is the limit, a function of x the behaviour up to a factor); for an unknown function 'f(0)=1', 'f: even in x'. May be repeated."`
	Need    []string `placeholder:"LIST" help:"Columns that the law depends on."`
	Without []string `placeholder:"LIST" help:"Columns that the law does not depend on, or functions that it does not have, as 'y,sin'."`
	Nesting []string `placeholder:"LIST" help:"Largest depth of nested functions: a number for all, or for the operands of some, as 'sin=0,exp=1'; 0: no function inside."`
}

// checkGiven returns an error if a flag has no effect together with --given.
func (c *Cmd) checkGiven() error {
	if c.Given != "" && c.Resume != "" {
		return badFlag("--resume has no use with --given; leave it out")
	}
	return nil
}

// limits returns the flags that exclude laws.
func (c *Cmd) limits() (flags []string) {
	for _, f := range []struct {
		name  string
		given bool
	}{{"--max-complexity", c.MaxComplexity > 0}, {"--require", len(c.Require) > 0}, {"--need", len(c.Need) > 0},
		{"--without", len(c.Without) > 0}, {"--nesting", len(c.Nesting) > 0}} {
		if f.given {
			flags = append(flags, f.name)
		}
	}
	return flags
}

// apply transfers the flags to the settings of a search of t. If --given is set, it returns the
// given law with its unknown functions, else nil.
func (f knowledgeFlags) apply(t *dataset.Table, s *discover.Settings) (given *frame.Frame, err error) {
	names := t.InputNames()
	if f.Given != "" {
		if given, err = frame.Parse(f.Given, names); err != nil {
			return nil, badFlag("--given %s: %w", f.Given, err)
		}
		if given.Target != "" && given.Target != t.Target.Name {
			return nil, badFlag("--given %s: the target of %s is %s, not %s; write that, or give --target %s", f.Given, t.Name, t.Target.Name, given.Target, given.Target)
		}
	}
	var functions []string
	if given != nil {
		functions = given.FunctionNames()
	}
	for _, text := range f.Require {
		one, err := require.Parse(text, t.Target.Name, names, functions)
		if err != nil {
			return nil, badFlag("--require %w", err)
		}
		s.Statements = append(s.Statements, one)
	}
	if a, b, found := s.Statements.Contradiction(); found {
		return nil, badFlag("--require '%s' and --require '%s' contradict each other; leave one out", a, b)
	}
	if err := f.shape(t, names, s); err != nil {
		return nil, err
	}
	if err := f.checkWithout(given, names); err != nil {
		return nil, err
	}
	return given, f.guesses(t, s)
}

// shape reads --need, --without and --nesting.
func (f knowledgeFlags) shape(t *dataset.Table, names []string, s *discover.Settings) error {
	for _, name := range f.Need {
		v := slices.Index(names, name)
		if v < 0 {
			return badFlag("--need %s: %s", name, noColumn(t, name, names))
		}
		s.Shape.Need = append(s.Shape.Need, v)
	}
	for _, name := range f.Without {
		if slices.Contains(f.Need, name) {
			return badFlag("--need and --without: both name %s; leave it out of one", name)
		}
		if v := slices.Index(names, name); v >= 0 {
			s.Shape.Without = append(s.Shape.Without, v)
		} else if op, ok := function(name); ok {
			s.Shape.No = append(s.Shape.No, op)
		} else {
			return badFlag("--without %s: %s; functions are sin, cos, exp, log, …", name, noColumn(t, name, names))
		}
	}
	if len(s.Shape.Without) == len(names) {
		return badFlag("--without: no column is left; name fewer")
	}
	for _, item := range f.Nesting {
		name, count, one := strings.Cut(item, "=")
		if !one {
			name, count = "", item
		}
		n, err := strconv.Atoi(strings.TrimSpace(count))
		if err != nil || n < 0 {
			return badFlag("--nesting %s: write how many functions may stand within one, as sin=0,exp=1 or 1", item)
		}
		op, ok := function(strings.TrimSpace(name))
		if one && (!ok || !require.Function(op)) {
			return badFlag("--nesting %s: %s is not a function that can be nested; try sin, cos, exp, log, sqrt, …", item, name)
		}
		if s.Shape.Nesting == nil {
			s.Shape.Nesting = map[expr.Op]int{}
		}
		for o := range expr.Op(64) {
			if one && o == op || !one && require.Function(o) {
				s.Shape.Nesting[o] = n
			}
		}
	}
	return nil
}

// checkWithout returns an error if the law of --given contains a column or function that --without
// excludes.
func (f knowledgeFlags) checkWithout(given *frame.Frame, names []string) error {
	for _, name := range f.Without {
		op, isFunction := function(name)
		v := slices.Index(names, name)
		if given != nil && (v >= 0 && given.HasColumn(v) || v < 0 && isFunction && given.Has(op)) {
			return badFlag("--without %s: the law of --given, %s, contains %[1]s; leave it out of one of them", name, given.Text)
		}
	}
	return nil
}

// noColumn returns the message that a table lacks a column.
func noColumn(t *dataset.Table, name string, names []string) string {
	text := fmt.Sprintf("%s has no such column; its columns are %s", t.Name, strings.Join(names, ", "))
	if near := spelling.Nearest(name, names); near != "" {
		text = fmt.Sprintf("%s has no such column; did you mean %s?", t.Name, near)
	}
	return text
}

// function returns the operator of the function with the given name, and whether there is one.
func function(name string) (expr.Op, bool) {
	t, err := expr.Parse(name+"(x)", []string{"x"})
	if err != nil || name == "" || len(t.Args()) != 1 {
		return 0, false
	}
	return t.Root(), true
}

// guesses fits the formulas of --guess and adds them to Settings.Resume.
func (f knowledgeFlags) guesses(t *dataset.Table, s *discover.Settings) error {
	for _, text := range f.Guess {
		l, err := regression.Parse(text, t)
		if err != nil {
			return badFlag("--guess %s: %w", text, err)
		}
		if l.Target != "" && l.Target != t.Target.Name {
			return badFlag("--guess %s: the target of %s is %s, not %s; write that, or give --target %s", text, t.Name, t.Target.Name, l.Target, l.Target)
		}
		l.Target = t.Target.Name
		if len(l.Constants) > 0 {
			r, err := regression.Fit(l, t, regression.Settings{})
			if row := (fit.RowError{}); errors.As(err, &row) {
				return badFlag("--guess %s: it is not finite in %s; leave out that row, or write the formula otherwise", text, t.RowNames([]int{row.Row}))
			}
			if err != nil {
				return badFlag("--guess %s: %w", text, err)
			}
			l = r.Law
		}
		l.Proposer = "guess"
		s.Resume = append(s.Resume, l)
	}
	return nil
}

// mistyped returns warnings about names in --given and --guess that may be mistyped.
func mistyped(given *frame.Frame, s discover.Settings, t *dataset.Table) (warnings []string) {
	if given != nil && given.Warning() != "" {
		warnings = append(warnings, given.Warning())
	}
	for _, l := range s.Resume {
		if l.Proposer == "guess" {
			warnings = append(warnings, regression.Warnings(l, t)...)
			warnings = append(warnings, undetermined(l, t)...)
		}
	}
	return warnings
}

// undetermined returns a warning if the data do not determine constants of the guess l. Such a
// constant may be a mistyped column.
func undetermined(l law.Law, t *dataset.Table) []string {
	var names []string
	for i, k := range l.Constants {
		if regression.Undetermined(l, i) {
			names = append(names, k.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("--guess %s: the data do not determine its constants %s; leave one out, or write it as a column if that was meant: %s",
		shape(l), strings.Join(names, ", "), strings.Join(t.InputNames(), ", "))}
}

// runGiven runs the command with --given.
func (c *Cmd) runGiven(ctx context.Context, s streams, t *dataset.Table, given *frame.Frame, settings discover.Settings, warnings []string) error {
	began := time.Now()
	if !c.Quiet && term.IsTerminal(int(s.err.Fd())) {
		p := newProgress(s.err)
		settings.Progress = p.show
		defer p.clear()
	}
	r, err := frame.Discover(ctx, t, given, settings)
	if err != nil {
		return badInput("%s: %w", t.Name, err)
	}
	warn(s.errors(), append(warnings, r.Warnings...))
	return c.deliver(ctx, s, finding{table: t, result: &r.Result, settings: settings, began: began, options: c, functions: r.Functions})
}

// guessed returns lines that compare the formulas of --guess with the law found.
func (f finding) guessed() (lines []string) {
	if f.options == nil || f.none() {
		return nil
	}
	for _, l := range f.settings.Resume {
		if l.Proposer != "guess" {
			continue
		}
		worse, fitted, err := discover.Compare(f.table, f.settings, f.result.Outliers, f.result.Best, l)
		if err != nil {
			lines = append(lines, fmt.Sprintf("  %s: %v", shape(l), err))
			continue
		}
		text := fmt.Sprintf("%.1f bits worse than the chosen law", worse)
		if worse < 0.05 {
			text = "the chosen law, or as good"
		}
		lines = append(lines, fmt.Sprintf("  %s: %s", plain(fitted, 6), text))
	}
	return lines
}
