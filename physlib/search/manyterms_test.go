package search

import (
	"context"
	"testing"

	"github.com/physlib/lab/physlib/search/searchtest"
)

// A search that has ended samples no rows for sums of terms.
func TestManyTermsAfterEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := new(work) // sampling rows needs a problem
	if w.manyTerms(ctx, 1) {
		t.Error("an exact law without a problem")
	}
}

// Rows for sums of terms are limited in number, even if the target is the same in all rows.
func TestSpreadOfConstant(t *testing.T) {
	p := searchtest.Sampled(t, "a", "a:1:2", 4*termRows)
	for i := range p.Target.Values {
		p.Target.Values[i] = 3
	}
	w := &work{space: spaceOf(p)}
	if n := len(w.spread()); n == 0 || n > termRows {
		t.Errorf("%d rows, want at most %d", n, termRows)
	}
}
