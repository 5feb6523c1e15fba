package timing

import (
	"context"
	"strings"
	"testing"

	"github.com/physlib/lab/physlib/backend/backendtest"
)

// TestRun: every form is measured and compared, and what needs too much memory is left out and said to be.
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
