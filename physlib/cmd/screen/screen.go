// Package screen writes the output of commands to a terminal. Since names of files, columns and
// laws may come from untrusted files, control characters are shown as text, so that they cannot
// control the terminal.
package screen

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Out and Err are the standard output and standard error of the process, escaped.
var (
	Out = Writer(os.Stdout)
	Err = Writer(os.Stderr)
)

// Escape returns text with characters that control a terminal made visible. These are control
// characters except line feed and tab, marks that reverse the direction of text, and bytes that are
// not UTF-8. An escape character becomes the four characters \x1b. JSON stays valid: of these
// characters, it can contain only the delete character, which becomes \u007f.
func Escape(text string) string {
	if strings.IndexFunc(text, steers) < 0 && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i, size := 0, 0; i < len(text); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1, r < ' ' && steers(r):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case steers(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(text[i : i+size])
		}
	}
	return b.String()
}

// steers reports whether a terminal interprets the character r as a command instead of showing it.
func steers(r rune) bool {
	switch {
	case r == '\n', r == '\t':
		return false
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069: // embeddings, overrides, isolates
		return true
	}
	return unicode.IsControl(r)
}

// Writer returns a writer that escapes text before it writes the text to w. The escape sequences in
// allowed, such as colours, pass unchanged.
func Writer(w io.Writer, allowed ...string) io.Writer { return &writer{w: w, allowed: allowed} }

type writer struct {
	w       io.Writer
	allowed []string
	mu      sync.Mutex
	rest    []byte // first bytes of a character whose last bytes are still missing
}

// Write implements io.Writer.
func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := append(w.rest, p...)
	end := whole(all)
	w.rest = append([]byte(nil), all[end:]...)
	if _, err := io.WriteString(w.w, w.escape(string(all[:end]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// escape applies Escape to the parts of text between allowed sequences.
func (w *writer) escape(text string) string {
	for _, a := range w.allowed {
		if before, after, ok := strings.Cut(text, a); ok {
			return w.escape(before) + a + w.escape(after)
		}
	}
	return Escape(text)
}

// whole returns the length of p without an unfinished last character.
func whole(p []byte) int {
	for back := 1; back < utf8.UTFMax && back <= len(p); back++ {
		if last := p[len(p)-back:]; utf8.RuneStart(last[0]) {
			if last[0] >= utf8.RuneSelf && !utf8.FullRune(last) {
				return len(p) - back
			}
			break
		}
	}
	return len(p)
}
