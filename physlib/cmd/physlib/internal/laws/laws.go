// Package laws is the subcommand `physlib laws`. It searches the catalogue of known laws and prints
// the laws found.
package laws

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/physlib/internal/discover"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/corpus"
)

// Cmd is the command line of `physlib laws`.
type Cmd struct {
	Search []string `arg:"" optional:"" help:"Words that the name, field or law contains, all of them."`
	Field  string   `placeholder:"FIELD" help:"Only laws of this field, such as optics."`
	JSON   bool     `name:"json" help:"Print each law as one line of JSON."`

	stdout io.Writer // nil: the standard output of the process
}

// Help is shown by --help below the flags.
func (*Cmd) Help() string {
	return `Each law comes with its units and source. Parameters of a law, which a fit determines, are marked
"parameter".

  physlib laws michaelis
  physlib laws exp temperature --field solid-state`
}

// exit is an error with the exit code of the process.
type exit struct {
	code int
	error
}

// ExitCode returns the exit code of the process.
func (e exit) ExitCode() int { return e.code }

// Run prints the laws found. Finding none is an error.
func (c *Cmd) Run() error {
	laws := corpus.Catalogue()
	var fields []string
	for _, e := range laws {
		fields = append(fields, e.Field)
	}
	fields = slices.Compact(fields)
	if c.Field != "" && !slices.Contains(fields, c.Field) {
		return exit{2, fmt.Errorf("--field %s: the fields are %s", c.Field, strings.Join(fields, ", "))}
	}
	laws = slices.DeleteFunc(laws, func(e corpus.Entry) bool { return !c.matches(e) })
	if len(laws) == 0 {
		return exit{1, fmt.Errorf("no law has %s: try fewer words", strings.Join(c.Search, " and "))}
	}
	w := bufio.NewWriter(cmp.Or(c.stdout, screen.Out))
	for i, e := range laws {
		if c.JSON {
			d := json.NewEncoder(w)
			d.SetEscapeHTML(false)
			if err := d.Encode(e); err != nil {
				return err
			}
			continue
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s (%s)\n  %s\n  %s\n  %s\n", e.Name, e.Field, e.Law, quantities(e), e.Source)
	}
	if err := w.Flush(); err != nil {
		return discover.BadInput("standard output: %w", outfile.Cause(err))
	}
	return nil
}

// matches reports whether e is in the given field and contains all given words.
func (c *Cmd) matches(e corpus.Entry) bool {
	if c.Field != "" && e.Field != c.Field {
		return false
	}
	text := strings.ToLower(e.Name + "\n" + e.Field + "\n" + e.Law)
	for _, arg := range c.Search {
		for _, word := range strings.Fields(strings.ToLower(arg)) {
			if !strings.Contains(text, word) {
				return false
			}
		}
	}
	return true
}

// quantities writes the units of e on one line.
func quantities(e corpus.Entry) string {
	parts := []string{fmt.Sprintf("%s [%s]", e.Target.Name, e.Target.Unit)}
	for _, q := range e.Quantities {
		part := fmt.Sprintf("%s [%s]", q.Name, q.Unit)
		switch q.Role {
		case corpus.Parameter:
			part += " parameter"
		case corpus.Constant:
			part += fmt.Sprintf(" = %g", q.Value)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}
