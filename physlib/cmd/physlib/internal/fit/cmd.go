// Package fit is the subcommand `physlib fit`. It fits the constants of a given formula to a table
// and prints them with their errors.
package fit

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/cmd/version"

	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/discover"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/input"
	"github.com/physlib/lab/physlib/dataset"
	discovery "github.com/physlib/lab/physlib/discover"
	"github.com/physlib/lab/physlib/fit"
	"github.com/physlib/lab/physlib/group"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/lawfile"
	"github.com/physlib/lab/physlib/regression"
)

// Cmd is the command line of `physlib fit`.
type Cmd struct {
	Formula string   `arg:"" help:"Formula such as 'T = c0*a**c1'. Names that are not columns are its constants."`
	Files   []string `arg:"" optional:"" placeholder:"FILE" help:"Table to fit it to; - is standard input. Several tables with the same columns are groups."`

	input.Flags
	Start  input.List `sep:"none" placeholder:"LIST" help:"Where constants start, as 'k=0.1,b=20' (default: 1, and further starts from the scales of the data)."`
	Bounds input.List `sep:"none" placeholder:"LIST" help:"Intervals for constants, as 'k=0:5,b=:100'; an omitted end means no bound."`
	Fix    input.List `sep:"none" placeholder:"LIST" help:"Constants that are known or follow from others, as 'n=3/2,b=2*a'."`

	Errors string `default:"equal" placeholder:"MODEL" enum:"equal,proportional,counting" help:"How errors of unknown size depend on the target: ${enum} (default: equal)."`
	Scale  bool   `help:"Use the errors of --sigma only as weights: their size is estimated from the residuals."`
	Method string `default:"effective" placeholder:"METHOD" enum:"effective,orthogonal" help:"Method if columns other than the target have errors: effective variance or orthogonal distance regression: ${enum} (default: effective)."`

	Loss   string   `default:"linear" placeholder:"LOSS" enum:"linear,soft_l1,huber,cauchy,arctan" help:"Loss of a row by its residual, as in scipy.optimize.least_squares: ${enum}; all but linear are robust against outliers (default: linear)."`
	FScale *float64 `placeholder:"C" help:"With --loss: weighted residual above which a row has less weight, scipy's f_scale: in standard errors with --sigma, else in the target's unit (default: 1 with --sigma, else estimated from the data)."`

	Group  string   `placeholder:"COLUMN" help:"Column of numbers or text that distinguishes groups of rows, each with constants of its own."`
	Shared []string `placeholder:"NAME" help:"Constants that all groups have in common, as 'K,n'; with 'auto' the shortest description decides."`

	Starts int     `default:"8" placeholder:"N" help:"Starting points that are tried (default: 8)."`
	Seed   int64   `placeholder:"N" help:"Seed of the further starts (default: 0)."`
	Level  float64 `default:"0.95" placeholder:"P" help:"Level of confidence intervals (default: 0.95)."`

	JSON bool   `help:"Print the result as one JSON object, a law file."`
	Save string `placeholder:"LAW.json" help:"Write the law file, for physlib predict, convert and score."`
	Out  string `placeholder:"PLOT.svg" help:"Write the plot of residuals as a picture: .svg, .png or .pdf."`
}

// Help is shown by --help below the flags.
func (*Cmd) Help() string {
	return `Prints the constants with standard errors and confidence intervals, their correlations, χ² per
degree of freedom, and the residuals. Errors given by --sigma are absolute; without them their size
is estimated from the residuals. With errors of columns only, as in --sigma x=0.1, those of the
target are estimated.

Examples:

    physlib fit 'T = c0*a**c1' --example kepler
    physlib fit 'y = A*exp(-k*t) + b' decay.csv --start k=0.1 --bounds b=0: --save law.json
    physlib fit 'F = k*x' spring.csv --sigma F=0.05,x=sx --method orthogonal
    physlib fit 'v = V*S/(K + S)' treated.csv untreated.csv --shared K
    physlib fit 'n = N0*exp(-t/tau)' counts.csv --errors counting --out residuals.svg
    physlib fit 'U = R*I + U0' resistor.csv --loss huber

Next: physlib predict law.json new.csv, physlib convert law.json --to numpy.

Exit codes: 0 done, 1 bad input, 2 bad flags, 130 interrupted.`
}

// Run reads the table, fits the constants of the formula and prints them.
func (c *Cmd) Run() error { return c.run(os.Stdin, screen.Out) }

func (c *Cmd) run(in io.Reader, out io.Writer) error {
	began := time.Now()
	if err := c.check(); err != nil {
		return err
	}
	q, err := c.read(in)
	if err != nil {
		return err
	}
	r, err := q.fit(c)
	if coded := interface{ ExitCode() int }(nil); errors.As(err, &coded) {
		return err
	}
	if row := (fit.RowError{}); errors.As(err, &row) {
		return discover.BadInput("%s: %s is not finite at any start in %s; give other values with --start", q.table.Name, discover.Shape(q.law), q.table.RowNames([]int{row.Row}))
	}
	if err != nil {
		return discover.BadInput("%w", err)
	}
	file := q.file(c, r, began)
	if c.Save != "" {
		if err := discover.SaveFile(file, c.Save); err != nil {
			return discover.BadInput("--save: %w", err)
		}
	}
	if c.Out != "" {
		if err := q.plot(c.Out, r); err != nil {
			return discover.BadInput("--out: %w", err)
		}
	}
	text := []byte(q.text(c, r))
	if c.JSON {
		if text, err = file.Encode(false); err != nil {
			return discover.BadInput("%w", err)
		}
	}
	if _, err := out.Write(text); err != nil {
		return discover.BadInput("standard output: %w", outfile.Cause(err))
	}
	return nil
}

// check returns an error for flags that exclude each other. It is called before any file is read.
func (c *Cmd) check() error {
	groups := c.Group != "" || len(c.Files) > 1
	switch {
	case !(c.Level > 0 && c.Level < 1):
		return c.bad("--level %g is not between 0 and 1; try 0.95", c.Level)
	case c.Starts < 1:
		return c.bad("--starts %d is below 1; try 8", c.Starts)
	case len(c.Shared) > 0 && !groups:
		return c.bad("--shared has no use without groups; give --group COLUMN or several tables")
	case c.Group != "" && len(c.Files) > 1:
		return c.bad("--group and several tables: the tables are the groups; leave one out")
	case c.Scale && len(c.Sigma) == 0:
		return c.bad("--scale has no use without --sigma; leave it out")
	case len(c.Sigma) > 0 && c.Errors != "equal":
		return c.bad("--errors %s and --sigma both say how large errors are; leave one out", c.Errors)
	case c.FScale != nil && c.Loss == string(regression.LinearLoss):
		return c.bad("--f-scale has no use with --loss linear; give --loss huber, or leave it out")
	case c.FScale != nil && !(*c.FScale > 0 && !math.IsInf(*c.FScale, 0)):
		return c.bad("--f-scale %g: a scale is a finite number above 0", *c.FScale)
	case len(c.Files) > 1 && slices.Contains(c.Files, "-"):
		return c.bad("standard input is one table; name files for several groups")
	}
	if !slices.Contains([]string{"", ".svg", ".png", ".pdf"}, filepath.Ext(c.Out)) {
		return c.bad("--out %s: a picture ends in .svg, .png or .pdf", c.Out)
	}
	for flag, path := range map[string]string{"--save": c.Save, "--out": c.Out} {
		for _, f := range c.Files {
			if outfile.Same(path, f) {
				return c.bad("%s: %s is the table that is read; choose another path", flag, path)
			}
		}
		check := outfile.Check
		if flag == "--save" {
			check = func(path string) error { return outfile.CheckKind(path, outfile.LawFile) }
		}
		if err := check(path); err != nil {
			return discover.BadInput("%s: %w", flag, err)
		}
	}
	if outfile.Same(c.Save, c.Out) {
		return c.bad("--save and --out: both are %s; give each a file of its own", c.Save)
	}
	return nil
}

func (c *Cmd) bad(format string, args ...any) error { return discover.BadFlag("fit", format, args...) }

// question is a formula, and the table to which it is fitted.
type question struct {
	law    law.Law
	table  *dataset.Table
	xsigma map[string][]float64
	group  []int    // number of the group of each row; nil: no groups
	names  []string // names of the groups
	groups group.Groups
	shared []string // constants that the groups have in common
}

// read reads the tables and the formula.
func (c *Cmd) read(in io.Reader) (*question, error) {
	q := &question{xsigma: map[string][]float64{}}
	paths := c.Files
	if len(paths) == 0 {
		paths = []string{""}
	}
	var tables []*dataset.Table
	c.GroupColumn = c.Group
	for _, path := range paths {
		t, xs, warnings, err := c.Flags.Read("fit", path, c.Formula, in)
		if err != nil {
			return nil, err
		}
		input.Warn(ofGroup(warnings, c.Group))
		for name, v := range xs {
			q.xsigma[name] = slices.Concat(q.xsigma[name], v)
		}
		tables = append(tables, t)
	}
	q.table = tables[0]
	if len(tables) > 1 {
		for _, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
			if slices.Contains(q.names, name) {
				name = path
			}
			q.names = append(q.names, name)
		}
		g, t, err := group.Join(tables, q.names)
		if err != nil {
			return nil, discover.BadInput("%w", err)
		}
		if text := group.Origins(tables); text != "" {
			input.Warn([]string{text})
		}
		q.table, q.groups, q.group = t, g, g.Of
	}
	if err := q.split(c); err != nil {
		return nil, err
	}
	l, err := regression.Parse(c.Formula, q.table)
	if err != nil {
		return nil, c.bad("%w", err)
	}
	l.Target = q.table.Target.Name
	if q.law, err = c.fix(l); err != nil {
		return nil, err
	}
	l = q.law
	if len(l.Inputs()) == 0 && len(l.Constants) > 1 {
		input.Warn([]string{fmt.Sprintf("the formula uses no column of %s, which has %s: %s are fitted as constants", q.table.Name, strings.Join(q.table.InputNames(), ", "), discover.ConstantNames(l.Constants))})
	}
	input.Warn(append(regression.Warnings(l, q.table), c.Unused(c.Formula)...))
	return q, c.start(q)
}

// ofGroup returns the warnings except those about constant columns and about text in the group
// column. Both are expected if a formula is fitted to groups.
func ofGroup(warnings []string, group string) (out []string) {
	for _, w := range warnings {
		if !strings.Contains(w, "constant") && !strings.Contains(w, "the same") && !strings.Contains(w, "column "+group+" holds text") {
			out = append(out, w)
		}
	}
	return out
}

// split finds the groups of --group.
func (q *question) split(c *Cmd) error {
	if c.Group == "" {
		return nil
	}
	g, t, err := group.ByColumn(q.table, c.Group)
	if err != nil {
		return c.bad("--group: %w", err)
	}
	q.table, q.groups, q.group, q.names = t, g, g.Of, slices.Clone(g.Names)
	if g.Values != nil {
		for i, name := range q.names {
			q.names[i] = c.Group + " " + name
		}
	}
	return nil
}

// units sets the units of the fitted constants. Constants that each group has separately have the
// units of the law of the first group.
func (q *question) units(r *regression.Result) {
	fitted := q.law.Params()
	for slot, k := range q.law.Constants {
		for i, f := range r.Law.Constants {
			if f.Name == k.Name || len(q.names) > 0 && f.Name == k.Name+" of "+q.names[0] {
				fitted[slot] = r.Law.Params()[i]
			}
		}
	}
	units, balanced := discovery.ConstantUnits(q.table, q.law.Tree.WithStarts(fitted))
	q.law.UnitsOK, r.Law.UnitsOK = balanced, balanced
	for slot, k := range q.law.Constants {
		for i, f := range r.Law.Constants {
			if f.Name == k.Name || strings.HasPrefix(f.Name, k.Name+" of ") {
				r.Law.Constants[i].Unit = units[slot]
			}
		}
	}
}

// start applies --start to the formula.
func (c *Cmd) start(q *question) error {
	starts := q.law.Params()
	for _, item := range c.Start {
		slot := slices.IndexFunc(q.law.Constants, func(k law.Constant) bool { return k.Name == item.Name })
		v, err := strconv.ParseFloat(item.Value, 64)
		switch {
		case slot < 0:
			return c.bad("--start %s: the formula has no such constant; its constants are %s", item.Name, discover.ConstantNames(q.law.Constants))
		case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
			return c.bad("--start %s=%s: that is not a finite number", item.Name, item.Value)
		}
		starts[slot] = v
	}
	q.law.Tree = q.law.Tree.WithStarts(starts)
	for i := range q.law.Constants {
		q.law.Constants[i].Value = starts[i]
	}
	return nil
}

// fit runs the regression.
func (q *question) fit(c *Cmd) (*regression.Result, error) {
	set := regression.Settings{Errors: c.Errors, Scale: c.Scale, XSigma: q.xsigma, Starts: c.Starts, Seed: c.Seed, Loss: regression.Loss(c.Loss)}
	if c.FScale != nil {
		set.LossScale = *c.FScale
	}
	if c.Method == "orthogonal" {
		set.Method = regression.OrthogonalDistance
	}
	l, t := q.law, q.table
	var err error
	if q.group != nil {
		if slices.Equal(c.Shared, []string{"auto"}) {
			if q.shared, err = group.Decide(l, t, q.groups, true); err != nil {
				return nil, discover.BadInput("--shared auto: %w", err)
			}
		} else {
			q.shared = c.Shared
		}
		if l, t, err = regression.Grouped(l, t, q.group, q.names, q.shared); err != nil {
			return nil, c.bad("--shared: %w; its constants are %s", err, discover.ConstantNames(q.law.Constants))
		}
	}
	if set.Bounds, err = c.bounds(l); err != nil {
		return nil, err
	}
	r, err := regression.Fit(l, t, set)
	if err != nil {
		return nil, err
	}
	q.units(r)
	if !r.Converged {
		input.Warn([]string{"the fit has not converged; give --start near the solution, or fix a constant"})
	}
	for i, k := range r.Law.Constants {
		if !r.AtBound[i] && regression.Undetermined(r.Law, i) {
			input.Warn([]string{fmt.Sprintf("the data do not determine %s; fix it or another constant with --fix", k.Name)})
		}
	}
	return r, nil
}

// file returns the law file of the fit.
func (q *question) file(c *Cmd, r *regression.Result, began time.Time) *lawfile.File {
	best := lawfile.Law(r.Law)
	f := &lawfile.File{Version: version.String(), Created: began.UTC().Truncate(time.Second), Table: lawfile.Describe(q.table), Rows: q.table.Rows(),
		Single: &lawfile.Single{Target: r.Law.Target, Best: &best, Front: []lawfile.Law{best}, KnownLaws: []lawfile.KnownLaw{}, Errors: r.Law.Errors,
			Verdict: "the form was given"},
		Stopped: "fit", Seconds: time.Since(began).Seconds(), Seed: c.Seed}
	f.Fit = &lawfile.Fit{Formula: discover.Shape(r.Law), Chi2: r.Chi2, Nu: r.Nu, Absolute: r.Absolute, P: lawfile.Finite(r.P()),
		Correlation: finite(r.Law.Correlation()), Residuals: finite(r.Standard)}
	if r.Weights != nil {
		f.Fit.Loss, f.Fit.FScale = c.Loss, r.Scale
	}
	if q.group != nil {
		f.Best, f.Front = nil, []lawfile.Law{}
		f.Groups = q.byGroup(r)
	}
	for i, at := range r.AtBound {
		if at {
			f.Fit.AtBound = append(f.Fit.AtBound, r.Law.Constants[i].Name)
		}
	}
	return f
}

// finite returns v with nil in place of NaN and infinities, which JSON cannot represent.
func finite(v []float64) (out []*float64) {
	for _, x := range v {
		out = append(out, lawfile.Finite(x))
	}
	return out
}
