package timing

import (
	"context"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/backend/backendtest"
)

// TestRun: every form is measured and compared. Forms that need too much memory are skipped and
// named.
func TestRun(t *testing.T) {
	var out strings.Builder
	err := Run(context.Background(), &out, backendtest.Go(t), Options{Seqs: []int{8, 16}, Dim: 16, Rank: 4, Reps: 1, Memory: 5e-5})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{" step 8 ", " chunk-scan 16 left out", " go 16 ", "ratio chunk attention seq=16 forward", "growth step seq=16:8"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestParse(t *testing.T) {
	for form, want := range map[string]struct {
		name  string
		chunk int
	}{"step": {"step", 0}, "chunk:128": {"chunk", 128}, "chunk-scan:32": {"chunk-scan", 32}, "jax-chunk": {"jax-chunk", 0}} {
		if name, chunk, err := Parse(form); err != nil || name != want.name || chunk != want.chunk {
			t.Errorf("%s is read as %q, %d, %v", form, name, chunk, err)
		}
	}
	for _, form := range []string{"", "steps", "step:4", "jax-chunk:8", "chunk:", "chunk:0", "chunk:x"} {
		if _, _, err := Parse(form); err == nil {
			t.Errorf("%q is read", form)
		}
	}
}
