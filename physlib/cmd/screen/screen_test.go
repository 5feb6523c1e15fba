package screen_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/cmd/screen"
)

func ExampleEscape() {
	fmt.Println(screen.Escape("pendulum\x1b[2J.csv"))
	// Output: pendulum\x1b[2J.csv
}

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"T = 2π√(l/g)\n\ta":      "T = 2π√(l/g)\n\ta",
		"a\r\x07\x00b":           `a\x0d\x07\x00b`,
		"\x7f\u009b31m\u202egpj": `\u007f\u009b31m\u202egpj`,
		"\x9b31m\xff":            `\x9b31m\xff`,
		"m₀ in kg, ‰":            "m₀ in kg, ‰",
		"\ufffd":                 "\ufffd",
	} {
		if got := screen.Escape(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// However text is cut into pieces, the result is the same.
func TestWriter(t *testing.T) {
	const text = "π\x1b[31m ₀\x9b\u009b \x1b[1mlaw\x1b[0m ‰\n"
	const want = "π\\x1b[31m ₀\\x9b\\u009b \x1b[1mlaw\x1b[0m ‰\n"
	var b strings.Builder
	if n, err := fmt.Fprint(screen.Writer(&b, "\x1b[1m", "\x1b[0m"), text); err != nil || n != len(text) {
		t.Error(n, err)
	}
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	// Letters may be split between writes, colour sequences are not.
	for size := 1; size < 6; size++ {
		const text, want = "π\r ₀\x9b\u009b ‰\n", "π\\x0d ₀\\x9b\\u009b ‰\n"
		var b strings.Builder
		w := screen.Writer(&b)
		for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
			w.Write([]byte(rest[:min(size, len(rest))]))
		}
		if b.String() != want {
			t.Errorf("pieces of %d bytes: %q, want %q", size, b.String(), want)
		}
	}
}
