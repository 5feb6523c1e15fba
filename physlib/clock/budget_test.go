package clock_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/clock"
)

// A budget of processor time ends its context, and that of its children, after that time and not
// before. A cancelled one reports that it was cancelled.
func TestWithCPU(t *testing.T) {
	ctx, cancel := clock.WithCPU(t.Context(), 100*time.Millisecond)
	defer cancel()
	child, stop := context.WithCancel(ctx)
	defer stop()
	if err := ctx.Err(); err != nil {
		t.Fatalf("at once: %v", err)
	}
	before := clock.CPU()
	for child.Err() == nil && clock.CPU()-before < time.Minute {
		work(1e5)
	}
	if used := clock.CPU() - before; used < 50*time.Millisecond || used > 30*time.Second {
		t.Errorf("ended after %v", used)
	}
	<-child.Done()
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) || !errors.Is(child.Err(), context.DeadlineExceeded) {
		t.Errorf("%v, child %v", ctx.Err(), child.Err())
	}
	other, end := clock.WithCPU(t.Context(), time.Hour)
	end()
	if <-other.Done(); !errors.Is(other.Err(), context.Canceled) {
		t.Errorf("cancelled: %v", other.Err())
	}
}
