// Package figures is the subcommand `physlib figures`. It draws the pictures in figures/ from the
// files in experiments/results only, and checks that the pictures agree with these files.
package figures

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/physlib/lab/physlib/cmd/outfile"
	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/figure"
)

// Cmd is the command line of `physlib figures`.
type Cmd struct {
	Only    []string `placeholder:"NAME" help:"Figures to draw; default: all."`
	List    bool     `help:"List the figures, whether their results exist, and the command that computes the results."`
	Check   bool     `help:"Draw nothing: check that the figures on disk agree with their data. The exit code is 1 if one does not."`
	Results string   `default:"experiments/results" placeholder:"DIR" help:"Where the results lie (default: experiments/results)."`
	Out     string   `default:"figures" placeholder:"DIR" help:"Where the pictures go (default: figures)."`
	Film    string   `placeholder:"TABLE" help:"Make results for a film instead: the shipped neural system refines laws of an embedded table, a law of the Feynman set or a CSV file, step by step."`
	Steps   int      `help:"Refinement steps of the film; 0: one for each token."`
	Backend string   `placeholder:"NAME" help:"Where the film is computed: auto, go, xla:cpu, xla:cuda or xla:PATH (default: $PHYSLIB_BACKEND or auto)."`
	PNG     string   `name:"png" placeholder:"DIR" help:"Draw PNG, light and dark, into this folder instead."`

	stdout io.Writer // nil: the standard output of the process
}

// Help returns the text that --help shows below the flags.
func (*Cmd) Help() string {
	return `Each figure is NAME.svg and NAME.pdf, with NAME.json next to them: the command, the SHA-256 of every
results file that it was drawn from, the runs named there, and versions. README.md in that folder is
the gallery. Figures whose results do not exist yet are listed there with the command that makes
them.

  physlib figures
  physlib figures --list
  physlib figures --only recovery-noise --png /tmp
  physlib figures --film kepler
  physlib figures --check`
}

// drawing is one figure.
type drawing struct {
	name    string
	caption string // one line for the gallery
	command string // command that computes the results
	draw    func(s *source) (figure.Picture, error)
}

// Run draws, lists or checks the figures, or makes a film.
func (c *Cmd) Run(ctx context.Context) error {
	if c.stdout == nil {
		c.stdout = screen.Out
	}
	if _, err := os.Stat(c.Results); err != nil {
		return fmt.Errorf("--results: %w; start physlib in the project's folder or name the results", err)
	}
	if c.Film != "" {
		return c.filming(ctx)
	}
	all, err := plan(c.Results)
	if err != nil {
		return err
	}
	chosen, err := choose(all, c.Only)
	if err != nil {
		return err
	}
	if c.List {
		return c.list(chosen)
	}
	var stale []string
	drawn := 0
	for _, d := range chosen {
		if err := ctx.Err(); err != nil {
			return err
		}
		there, err := c.one(d)
		if there {
			drawn++
		}
		switch {
		case errors.As(err, &differs{}):
			stale = append(stale, d.name+": "+err.Error())
		case err != nil:
			return fmt.Errorf("figure %s: %w", d.name, err)
		}
	}
	if c.PNG != "" {
		return nil
	}
	if len(c.Only) == 0 {
		more, err := c.gallery(all)
		if err != nil {
			return err
		}
		stale = append(stale, more...)
	}
	if len(stale) > 0 {
		return fmt.Errorf("%s. Draw again with physlib figures, and check what changed", strings.Join(stale, "; "))
	}
	if c.Check {
		fmt.Fprintf(c.stdout, "%d figures follow from %s; %d have no results yet\n", drawn, c.Results, len(chosen)-drawn)
	}
	return nil
}

// differs is the error of a figure that does not agree with its data.
type differs struct{ what string }

// Error returns a description of the difference.
func (d differs) Error() string { return d.what }

// one draws or checks a figure. there reports whether the results for the figure exist.
func (c *Cmd) one(d drawing) (there bool, err error) {
	s := &source{dir: c.Results}
	p, err := d.draw(s)
	var none missing
	switch {
	case errors.As(err, &none):
		return false, c.without(d)
	case err != nil:
		return true, err
	}
	if c.PNG != "" {
		return true, c.png(d, p)
	}
	files := map[string][]byte{}
	for _, format := range []string{"svg", "pdf"} {
		theme := figure.Light
		if format == "svg" {
			theme = figure.Auto
		}
		if files[d.name+"."+format], err = p.Draw(figure.Options{Format: format, Theme: theme}); err != nil {
			return true, err
		}
	}
	note := describe(d, s, files)
	if c.Check {
		return true, c.compare(d, note, files)
	}
	if err := os.MkdirAll(c.Out, 0o755); err != nil {
		return true, err
	}
	files[d.name+".json"] = note.bytes()
	for _, name := range sortedKeys(files) {
		if err := outfile.Write(filepath.Join(c.Out, name), files[name]); err != nil {
			return true, err
		}
	}
	fmt.Fprintln(c.stdout, filepath.Join(c.Out, d.name+".svg"))
	return true, nil
}

// png draws a figure as PNG files, light and dark.
func (c *Cmd) png(d drawing, p figure.Picture) error {
	if err := os.MkdirAll(c.PNG, 0o755); err != nil {
		return err
	}
	for theme, suffix := range map[figure.Theme]string{figure.Light: ".png", figure.Dark: "-dark.png"} {
		b, err := p.Draw(figure.Options{Format: "png", Theme: theme})
		if err != nil {
			return err
		}
		if err := outfile.Write(filepath.Join(c.PNG, d.name+suffix), b); err != nil {
			return err
		}
	}
	fmt.Fprintln(c.stdout, filepath.Join(c.PNG, d.name+".png"))
	return nil
}

// without handles a figure without results. If figures are checked and a picture of that name
// exists, it returns an error.
func (c *Cmd) without(d drawing) error {
	if c.PNG != "" || !c.Check {
		return nil
	}
	if _, err := os.Stat(filepath.Join(c.Out, d.name+".svg")); err == nil {
		return differs{"lies in " + c.Out + ", but its results do not exist"}
	}
	return nil
}

// compare returns an error if the figure on disk is not the one drawn from the data.
func (c *Cmd) compare(d drawing, note note, files map[string][]byte) error {
	kept, err := readNote(filepath.Join(c.Out, d.name+".json"))
	if os.IsNotExist(err) {
		return differs{"not drawn yet"}
	} else if err != nil {
		return err
	}
	if what := note.differs(kept); what != "" {
		return differs{what}
	}
	for _, name := range sortedKeys(files) {
		b, err := os.ReadFile(filepath.Join(c.Out, name))
		switch {
		case os.IsNotExist(err):
			return differs{name + " is missing"}
		case err != nil:
			return err
		case !bytes.Equal(b, files[name]):
			return differs{name + " is not what physlib draws from the same results"}
		}
	}
	return nil
}

// list prints a line for each figure.
func (c *Cmd) list(chosen []drawing) error {
	for _, d := range chosen {
		s := &source{dir: c.Results}
		_, err := d.draw(s)
		state := "from " + strings.Join(s.names(), ", ")
		var none missing
		if errors.As(err, &none) {
			state = "not run yet: " + d.command
		} else if err != nil {
			state = "error: " + err.Error()
		}
		fmt.Fprintf(c.stdout, "%-28s %s\n%-28s %s\n", d.name, d.caption, "", state)
	}
	return nil
}

// choose returns the figures whose names are in only, or all figures if only is empty. An unknown
// name is an error that lists the known names.
func choose(all []drawing, only []string) ([]drawing, error) {
	if len(only) == 0 {
		return all, nil
	}
	var chosen []drawing
	for _, name := range only {
		i := slices.IndexFunc(all, func(d drawing) bool { return d.name == name })
		if i < 0 {
			var names []string
			for _, d := range all {
				names = append(names, d.name)
			}
			return nil, fmt.Errorf("--only %s: there is no such figure; there are %s", name, strings.Join(names, ", "))
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}
