package discover

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/physlib/lab/physlib/cmd/screen"
	"github.com/physlib/lab/physlib/discover"
)

// progress is a line at the bottom of a terminal that is redrawn repeatedly.
type progress struct {
	mu     sync.Mutex
	to     *os.File
	width  func() int
	closed bool
	last   time.Time
}

func newProgress(to *os.File) *progress {
	return &progress{to: to, width: func() int {
		w, _, err := term.GetSize(int(to.Fd()))
		if err != nil || w <= 0 {
			return 80
		}
		return w
	}}
}

// show draws p, at most twenty times a second.
func (l *progress) show(p discover.Progress) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || time.Since(l.last) < 50*time.Millisecond {
		return
	}
	l.last = time.Now()
	fmt.Fprintf(l.to, "\r\x1b[K%s", truncate(progressLine(p), l.width()-1))
}

// clear removes the line; nothing is drawn afterwards.
func (l *progress) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	fmt.Fprint(l.to, "\r\x1b[K")
}

// progressLine formats p as text: stage, speed, time left, best law so far.
func progressLine(p discover.Progress) string {
	parts := []string{p.Stage}
	if s := p.Elapsed.Seconds(); s > 0 && p.Evaluations > 0 {
		parts = append(parts, prefixed(float64(p.Evaluations)/s)+" laws/s")
	}
	if p.Left > 0 {
		parts = append(parts, p.Left.Round(time.Second).String()+" left")
	}
	if len(p.Best.Tree.Nodes()) > 0 {
		parts = append(parts, plain(p.Best, 4))
	}
	return screen.Escape(oneLine(strings.Join(parts, " · ")))
}

// truncate cuts s to width characters.
func truncate(s string, width int) string {
	r := []rune(s)
	if len(r) <= width {
		return s
	}
	if width < 1 {
		return ""
	}
	return string(r[:width-1]) + "…"
}

// prefixed formats a rate with three digits and the prefix k, M or G.
func prefixed(v float64) string {
	for _, p := range []struct {
		unit float64
		sign string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if v >= p.unit {
			return fmt.Sprintf("%.3g %s", v/p.unit, p.sign)
		}
	}
	return fmt.Sprintf("%.3g", v)
}
