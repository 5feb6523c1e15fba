package spelling

import (
	"strings"
	"testing"
)

func TestList(t *testing.T) {
	dozen := strings.Split("abcdefghijkl", "")
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{dozen[:2], "a, b"},
		{dozen, "a, b, c, d, e, f, g, h, i, j, k, l"},
		{append(dozen[:12:12], "m", "n"), "a, b, c, d, e, f, g, h, i, j, k, l and 2 more"},
	} {
		if got := List(c.names); got != c.want {
			t.Errorf("%d names: %q, want %q", len(c.names), got, c.want)
		}
	}
}
