// Package convert is the subcommand `physlib convert`. It prints a law as source code of another
// language.
package convert

import (
	"io"

	"github.com/physlib/lab/physlib/cmd/screen"

	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/discover"
	"github.com/physlib/lab/physlib/export"
	"github.com/physlib/lab/physlib/law"
	"github.com/physlib/lab/physlib/lawfile"
)

// Cmd is the command line of `physlib convert`.
type Cmd struct {
	Law string `arg:"" placeholder:"LAW.json" help:"Law file that physlib discover or physlib fit wrote with --save."`
	To  string `required:"" enum:"sympy,latex,numpy,c,go,julia,matlab,r,excel,json" placeholder:"LANGUAGE" help:"Language: ${enum}."`
	Of  string `placeholder:"GROUP" help:"For laws of groups: the group whose law is written."`
	Out string `placeholder:"FILE" help:"Write to a file instead of standard output."`
}

// Help is shown by --help below the flags.
func (*Cmd) Help() string {
	return `Prints a function of the law's columns with its constants declared, in the units of the table. Names
that the language uses itself, such as lambda in Python, get an underscore. For a spreadsheet it
prints cells and what to write into them.

Examples:

    physlib convert law.json --to numpy --out law.py
    physlib convert law.json --to latex
    physlib convert law.json --to excel
    physlib convert enzyme.json --of treated --to numpy

Exit codes: 0 done, 1 bad input, 2 bad flags, 130 interrupted.`
}

// Run reads the law file and prints its law in the chosen language.
func (c *Cmd) Run() error { return c.run(screen.Out) }

func (c *Cmd) run(out io.Writer) error {
	if err := outfile.Check(c.Out); err != nil {
		return discover.BadInput("--out: %w", err)
	}
	if outfile.Same(c.Out, c.Law) {
		return discover.BadFlag("convert", "--out: %s is the law file that is read; choose another path", c.Out)
	}
	f, err := lawfile.Read(c.Law)
	if err != nil {
		return discover.BadInput("%w", err)
	}
	list := laws(f)
	if c.Of != "" || f.Groups != nil {
		l, err := f.Of(c.Law, c.Of)
		if err != nil {
			return discover.BadInput("%w", err)
		}
		list = []law.Law{l}
	}
	if len(list) == 0 {
		_, err := f.Chosen(c.Law)
		return discover.BadInput("%w", err)
	}
	var sources []export.Source
	for _, l := range list {
		sources = append(sources, source(f, l))
	}
	text, err := export.All(c.To, sources)
	if err != nil {
		return discover.BadInput("%s: %w", c.Law, err)
	}
	if c.Out != "" {
		if err := outfile.Write(c.Out, []byte(text)); err != nil {
			return discover.BadInput("--out: %w", err)
		}
		return nil
	}
	if _, err := io.WriteString(out, text); err != nil {
		return discover.BadInput("standard output: %w", outfile.Cause(err))
	}
	return nil
}

// laws returns the law of the file's target, or the laws of all states if it has laws of motion.
func laws(f *lawfile.File) (out []law.Law) {
	if f.Single != nil && f.Best != nil {
		return []law.Law{law.Law(*f.Best)}
	}
	if f.Motion != nil {
		for _, e := range f.Equations {
			if e.Law != nil {
				out = append(out, law.Law(*e.Law))
			}
		}
	}
	return out
}

// source adds the units and constants of the file to a law.
func source(f *lawfile.File, l law.Law) export.Source {
	s := export.Source{Law: l, Units: map[string]string{}, Since: map[string]string{}, Known: map[string]float64{}}
	for _, c := range append(f.Table.Columns, f.Table.Target) {
		s.Units[c.Name], s.Since[c.Name] = c.Unit, c.Since
	}
	for _, k := range f.Table.Constants {
		s.Known[k.Name], s.Units[k.Name] = k.Value, k.Unit
	}
	return s
}
