package clock

import (
	"context"
	"sync"
	"time"
)

// Clock selects how a time limit is measured. The zero Clock is Wall.
type Clock string

const (
	Wall      Clock = "wall" // wall time
	Processor Clock = "cpu"  // processor time of this process, summed over all cores
)

// Now returns the current time on the clock c. Times on different clocks cannot be compared.
func (c Clock) Now() time.Time {
	if c == Processor {
		return time.Unix(0, 0).Add(CPU())
	}
	return time.Now()
}

// Since returns the time that has passed on the clock c since t, which was returned by c.Now.
func (c Clock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// WithTimeout returns a copy of ctx that ends with [context.DeadlineExceeded] once the time limit
// has passed on the clock c.
func (c Clock) WithTimeout(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if c == Processor {
		return WithCPU(ctx, limit)
	}
	return context.WithTimeout(ctx, limit)
}

// WithDeadline returns a copy of ctx that ends with [context.DeadlineExceeded] at the time end on
// the clock c.
func (c Clock) WithDeadline(ctx context.Context, end time.Time) (context.Context, context.CancelFunc) {
	return c.WithTimeout(ctx, end.Sub(c.Now()))
}

// WithCPU returns a copy of ctx that ends with [context.DeadlineExceeded] after this process has
// used the given additional processor time, summed over all cores. The processor time is checked at
// most a hundred times per second.
func WithCPU(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	inner, cancel := context.WithCancel(ctx)
	end := CPU() + limit
	b := &budget{Context: inner, done: make(chan struct{}), deadline: end}
	go func() {
		for {
			left := end - CPU()
			if left <= 0 {
				b.end(context.DeadlineExceeded)
				cancel()
				return
			}
			select {
			case <-inner.Done():
				b.end(inner.Err())
				return
			case <-time.After(min(max(left/8, 10*time.Millisecond), time.Second)):
			}
		}
	}()
	return b, cancel
}

// Share returns a copy of ctx that ends after the given fraction of the time that ctx has left. The
// time is measured on the clock of ctx. If ctx has no limit, Share returns ctx.
func Share(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	if b, ok := ctx.Value(budgetKey{}).(*budget); ok {
		return WithCPU(ctx, time.Duration(share*float64(b.deadline-CPU())))
	}
	if end, ok := ctx.Deadline(); ok {
		return context.WithTimeout(ctx, time.Duration(share*float64(time.Until(end))))
	}
	return ctx, func() {}
}

// budgetKey is the key under which a budget is found in contexts derived from it.
type budgetKey struct{}

// budget is a context that ends after an amount of processor time. It needs a Done channel of its
// own. Otherwise, contexts derived from it would report the error of the inner context, which is
// always context.Canceled when the processor time is used up.
type budget struct {
	context.Context
	deadline time.Duration // processor time at which the context ends
	done     chan struct{}
	mu       sync.Mutex
	err      error
}

// Value returns b for budgetKey, and the value of the inner context for other keys.
func (b *budget) Value(key any) any {
	if key == (budgetKey{}) {
		return b
	}
	return b.Context.Value(key)
}

// end ends the context with err, unless it has already ended.
func (b *budget) end(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
		close(b.done)
	}
}

// Done is closed when the context ends.
func (b *budget) Done() <-chan struct{} { return b.done }

// Err is nil until the context ends.
func (b *budget) Err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}
