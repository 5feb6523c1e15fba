package clock_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/physlib/lab/physlib/clock"
)

// A budget of processor time ends its context, and contexts derived from it, after that time and
// not before. If the context is cancelled before, its error is context.Canceled.
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
	<-other.Done()
	if !errors.Is(other.Err(), context.Canceled) {
		t.Errorf("cancelled: %v", other.Err())
	}
}

// Share takes a fraction of the remaining time on the clock of the context, also if the context is
// derived from another one.
func TestShare(t *testing.T) {
	same, stop := clock.Share(t.Context(), 0.5)
	defer stop()
	if same != t.Context() {
		t.Error("a context without a limit has a share")
	}
	wall, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	half, stop := clock.Share(wall, 0.5)
	defer stop()
	if end, ok := half.Deadline(); !ok || time.Until(end) > 31*time.Minute || time.Until(end) < 29*time.Minute {
		t.Errorf("half an hour ends in %v", time.Until(end))
	}
	budget, cancel := clock.WithCPU(t.Context(), 400*time.Millisecond)
	defer cancel()
	child, stop := context.WithCancel(budget)
	defer stop()
	part, stop := clock.Share(child, 0.1)
	defer stop()
	for before := clock.CPU(); part.Err() == nil && clock.CPU()-before < time.Minute; {
		work(1e5)
	}
	if !errors.Is(part.Err(), context.DeadlineExceeded) {
		t.Errorf("a share of processor time: %v", part.Err())
	}
}
