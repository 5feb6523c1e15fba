package motion

import (
	"slices"
	"testing"
)

// A constant becomes a simple fraction only if a coincidence is unlikely. Each constant may be
// zero.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		value, stderr float64
		want          []string
	}{
		{0.34, 0.005, []string{"0"}}, // 1/3 may agree by chance
		{0.49, 0.01, []string{"0"}},  // 1/2 may agree by chance
		{1.003, 0.005, []string{"0", "1"}},
		{-0.4997, 0.0005, []string{"0", "-1/2"}},
		{0.3333, 0.0001, []string{"0", "1/3"}},
	} {
		var got []string
		for _, f := range forms(c.value, c.stderr, true) {
			got = append(got, f.text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%g ± %g: %q, want %q", c.value, c.stderr, got, c.want)
		}
	}
	if got := forms(1, 1e-9, false); len(got) != 1 {
		t.Errorf("a constant with a unit has the forms %v, want 0 alone", got)
	}
}
