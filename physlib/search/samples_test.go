package search

import (
	"context"
	"testing"
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
