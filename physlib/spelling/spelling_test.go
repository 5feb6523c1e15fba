package spelling_test

import (
	"fmt"
	"testing"

	"github.com/physlib/lab/physlib/spelling"
)

func ExampleNearest() {
	fmt.Println(spelling.Nearest("presure", []string{"pressure", "volume"}))
	// Output: pressure
}

func TestNearest(t *testing.T) {
	names := []string{"mass", "Mass", "velocity", "v", "θ"}
	for _, c := range []struct{ word, want string }{
		{"mass", "mass"}, {"MASS", "mass"}, {"velocty", "velocity"}, {"evlocity", "velocity"}, {"Velocity", "velocity"},
		// words without a near name
		{"temperature", ""}, {"", ""}, {"x", ""},
		{"θθ", "θ"}, {"V", "v"},
	} {
		if got := spelling.Nearest(c.word, names); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
	for word, want := range map[string]string{"velocty": "velocity", "temperature": "mass", "": "v", "x": "v"} {
		if got := spelling.Closest(word, names); got != want {
			t.Errorf("Closest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := spelling.Closest("a", nil); got != "" {
		t.Errorf("Closest among none = %q", got)
	}
	if got := spelling.Nearest("a", nil); got != "" {
		t.Errorf("Nearest among none = %q", got)
	}
}
