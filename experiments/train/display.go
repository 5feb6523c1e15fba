package train

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"golang.org/x/term"

	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/train"
)

// display prints the progress of a run: one line that is redrawn on a terminal, otherwise a line
// every half minute.
type display struct {
	to       *os.File
	terminal bool
	quiet    bool
	last     time.Time
	phase    string
}

// every is the time between lines if there is no terminal.
const every = 30 * time.Second

func newDisplay(to *os.File, quiet bool) *display {
	return &display{to: to, terminal: term.IsTerminal(int(to.Fd())), quiet: quiet}
}

// say prints a line that is not redrawn.
func (d *display) say(line string) {
	if d.quiet {
		return
	}
	if d.terminal {
		fmt.Fprint(d.to, "\r\x1b[K")
	}
	fmt.Fprintln(d.to, screen.Escape(line))
}

// show prints the progress p. A warning or a validation gets a line of its own, which is not
// redrawn.
func (d *display) show(p train.Progress) {
	stays := p.Warning != "" || p.Phase == "validated"
	switch {
	case stays:
		line := p.String()
		for _, v := range sorted(p.Validation) {
			if p.Warning == "" {
				line += "  " + v
			}
		}
		d.say(line)
	case d.quiet:
	case d.terminal:
		if time.Since(d.last) > 50*time.Millisecond || p.Phase != d.phase {
			fmt.Fprint(d.to, "\r\x1b[K"+cut(screen.Escape(p.String()), d.width()-1))
			d.last = time.Now()
		}
	case p.Phase != d.phase || time.Since(d.last) >= every:
		d.say(p.String())
		d.last = time.Now()
	}
	d.phase = p.Phase
}

// width returns the width of the terminal in characters, by default 80.
func (d *display) width() int {
	w, _, err := term.GetSize(int(d.to.Fd()))
	if err != nil || w <= 0 {
		return 80
	}
	return w
}

// end clears the line that is redrawn.
func (d *display) end() {
	if d.terminal && !d.quiet {
		fmt.Fprint(d.to, "\r\x1b[K")
	}
}

// cut returns the first width characters of s.
func cut(s string, width int) string {
	if r := []rune(s); len(r) > width {
		return string(r[:max(width, 0)])
	}
	return s
}

// sorted returns results as "name value", sorted by name.
func sorted(results map[string]float64) (words []string) {
	for _, name := range slices.Sorted(maps.Keys(results)) {
		words = append(words, fmt.Sprintf("%s %.4g", name, results[name]))
	}
	return words
}
