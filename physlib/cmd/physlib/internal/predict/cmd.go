// Package predict is the subcommand `physlib predict`. It prints values of a law from a law file,
// with their bands.
package predict

import (
	"bytes"
	"encoding/csv"
	"io"
	"math"
	"os"
	"strconv"

	"github.com/physlib/lab/physlib/cmd/screen"

	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/discover"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/input"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/reading"
	"github.com/physlib/lab/physlib/dataset"
	"github.com/physlib/lab/physlib/lawfile"
	"github.com/physlib/lab/physlib/unit"
)

// Cmd is the command line of `physlib predict`.
type Cmd struct {
	Law  string `arg:"" placeholder:"LAW.json" help:"Law file that physlib discover or physlib fit wrote with --save."`
	File string `arg:"" optional:"" placeholder:"FILE" help:"Table with the columns of the law; - is standard input. For laws of motion: starting states, one in each row."`

	At    input.List `sep:"none" placeholder:"LIST" help:"Values of the columns instead of a table, as 'a=5.2,m=1'. For laws of motion: a starting state."`
	Level float64    `default:"0.95" placeholder:"P" help:"Level of the bands (default: 0.95)."`
	Units string     `placeholder:"LIST" help:"Units of the table's columns, as 'a=AU', instead of those in the header; 'none' ignores units."`
	reading.TableFlags

	Until string  `placeholder:"TIME" help:"For laws of motion: time or date up to which they are integrated (default: as far beyond the data as the data are long)."`
	Step  float64 `placeholder:"TIME" help:"For laws of motion: time between two lines (default: a hundredth of the whole)."`

	Of string `placeholder:"GROUP" help:"For laws of groups: the group, if the table has no column that names it."`

	Digits int    `default:"8" placeholder:"N" help:"Significant digits (default: 8)."`
	Out    string `placeholder:"OUT.csv" help:"Write the table to a file instead of standard output."`
}

// Help is shown by --help below the flags.
func (*Cmd) Help() string {
	return `Prints a table: the columns of the law, its value, and the ends of two bands. The confidence band is
for the value with the true constants, the prediction band for one more measurement. Columns in
other units than the law's are converted. If the table has a column of the law's target, predictions
are compared with it.

Laws of motion are integrated from the end of their data, or from given starting states. A column
that drives the system keeps its value at the start.

Examples:

    physlib discover --example kepler --save kepler.json
    physlib predict kepler.json --at a=5.2
    physlib predict law.json new.csv --level 0.99 --out predicted.csv
    physlib predict enzyme.json --at state=treated,conc=0.5
    physlib discover --example lynx_hare --ode --save motion.json
    physlib predict motion.json --until 1930 --step 1
    physlib predict motion.json --at hare=30,lynx=4 --until 1930

Exit codes: 0 done, 1 bad input, 2 bad flags, 130 interrupted.`
}

// Run reads the law file and prints the values of its law.
func (c *Cmd) Run() error { return c.run(os.Stdin, screen.Out) }

func (c *Cmd) run(in io.Reader, out io.Writer) error {
	if err := c.check(); err != nil {
		return err
	}
	f, err := lawfile.Read(c.Law)
	if err != nil {
		return discover.BadInput("%w", err)
	}
	var rows [][]string
	if f.Motion != nil {
		rows, err = c.forecast(f, in)
	} else {
		rows, err = c.table(f, in)
	}
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(rows); err != nil {
		return discover.BadInput("%w", err)
	}
	if c.Out != "" {
		if err := outfile.Write(c.Out, b.Bytes()); err != nil {
			return discover.BadInput("--out: %w", err)
		}
		return nil
	}
	if _, err := out.Write(b.Bytes()); err != nil {
		return discover.BadInput("standard output: %w", outfile.Cause(err))
	}
	return nil
}

// check returns an error for flags that exclude one another.
func (c *Cmd) check() error {
	switch {
	case !(c.Level > 0 && c.Level < 1):
		return c.bad("--level %g is not between 0 and 1; try 0.95", c.Level)
	case c.File != "" && len(c.At) > 0:
		return c.bad("both %s and --at are given; leave one out", c.File)
	case c.File == "" && c.GivenReading() != "":
		return c.bad("%s says how a table is read, and none is given; name one, or leave the flag out", c.GivenReading())
	case c.Digits < 1 || c.Digits > 17:
		return c.bad("--digits %d: a number has 1 to 17 digits", c.Digits)
	case !(c.Step >= 0) || math.IsInf(c.Step, 0):
		return c.bad("--step %g: time goes forward in finite steps; give one above 0", c.Step)
	}
	if err := c.CheckReading(); err != nil {
		return c.bad("%w", err)
	}
	if err := outfile.Check(c.Out); err != nil {
		return discover.BadInput("--out: %w", err)
	}
	for _, path := range []string{c.File, c.Law} {
		if outfile.Same(c.Out, path) {
			return c.bad("--out: %s is a file that is read; choose another path", c.Out)
		}
	}
	return nil
}

// options returns the options for reading the table.
func (c *Cmd) options() dataset.Options {
	o := dataset.Options{Units: c.Units}
	c.SetReading(&o)
	return o
}

func (c *Cmd) bad(format string, args ...any) error {
	return discover.BadFlag("predict", format, args...)
}

// number returns v as text, or "" if v is not finite.
func (c *Cmd) number(v float64) string {
	if lawfile.Finite(v) == nil {
		return ""
	}
	return strconv.FormatFloat(v, 'g', c.Digits, 64)
}

// at returns the values of --at by name. Dates and times of day are counted from the origin of the
// column in f.
func (c *Cmd) at(f *lawfile.File) (map[string]float64, error) {
	out := map[string]float64{}
	for _, item := range c.At {
		v, ok := valueOf(column(f, item.Name), item.Value)
		switch {
		case !ok:
			return nil, c.bad("--at %s=%s: that is not a number; write it without a unit, in that of the law's table", item.Name, item.Value)
		case v-v != 0:
			return nil, c.bad("--at %s=%s: that is not a finite number; give one below 1.8e308", item.Name, item.Value)
		}
		out[item.Name] = v
	}
	return out, nil
}

// valueOf returns the value that text means in column c: a number, or a date or time of day if c
// holds such. ok is false if it is none of these.
func valueOf(c lawfile.Column, text string) (v float64, ok bool) {
	if v, err := strconv.ParseFloat(text, 64); err == nil || math.IsInf(v, 0) {
		return v, true
	}
	at, ok := dataset.ParseMoment(text)
	u, err := unit.Parse(c.Unit)
	if !ok || err != nil || c.Since == "" {
		return 0, false
	}
	counted := dataset.Column{Unit: u, Values: []float64{0}, Since: at}.CountedFrom(c.Origin())
	return counted.Values[0], counted.Since.Equal(c.Origin())
}

// label returns a column's header.
func label(name, unit string) string {
	if unit == "" || unit == "1" {
		return name
	}
	return name + " [" + unit + "]"
}
