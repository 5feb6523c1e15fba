package figures

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/physlib/lab/physlib/cmd/outfile"
)

// gallery writes README.md with all figures, or checks it. stale lists the files that do not agree
// with the data.
func (c *Cmd) gallery(all []drawing) (stale []string, err error) {
	var drawn, waiting strings.Builder
	known := map[string]bool{"README.md": true}
	for _, d := range all {
		_, err := d.draw(&source{dir: c.Results})
		if none := (missing{}); errors.As(err, &none) {
			fmt.Fprintf(&waiting, "- %s: %s\n  not run yet: `%s`\n", d.name, d.caption, d.command)
			continue
		} else if err != nil {
			return nil, fmt.Errorf("figure %s: %w", d.name, err)
		}
		for _, ending := range []string{".svg", ".pdf", ".json"} {
			known[d.name+ending] = true
		}
		fmt.Fprintf(&drawn, "## %s\n\n%s\n[PDF](%s.pdf), [data](%s.json): `%s`\n\n![%s](%s.svg)\n\n", d.name, d.caption, d.name, d.name, d.command, d.name, d.name)
	}
	page := "# Figures\n\nDrawn by `physlib figures` from `experiments/results`, none by hand; this page too. NAME.json lists the files that NAME.svg and\n" +
		"NAME.pdf were drawn from. `physlib figures --check` fails where a picture no longer follows from its data.\n\n" + drawn.String()
	if waiting.Len() > 0 {
		page += "## Without results\n\n" + waiting.String()
	}
	path := filepath.Join(c.Out, "README.md")
	if !c.Check {
		if err := os.MkdirAll(c.Out, 0o755); err != nil {
			return nil, err
		}
		if err := sweep(c.Out, known); err != nil {
			return nil, err
		}
		return nil, outfile.Write(path, []byte(page))
	}
	kept, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	if !bytes.Equal(kept, []byte(page)) {
		stale = append(stale, "README.md: not the gallery of these figures")
	}
	entries, err := os.ReadDir(c.Out)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !known[e.Name()] && !e.IsDir() && !unfinished(e.Name(), known) {
			stale = append(stale, e.Name()+": no figure of this name is drawn from the results")
		}
	}
	return stale, nil
}

// unfinished reports whether a file is a partial copy of a known file, left by a killed process.
// Such a name is a dot, the file's name and digits.
func unfinished(name string, known map[string]bool) bool {
	rest, hidden := strings.CutPrefix(name, ".")
	return hidden && known[strings.TrimRight(rest, "0123456789")]
}

// sweep removes the partial files of killed processes from dir.
func sweep(dir string, known map[string]bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if unfinished(e.Name(), known) {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
