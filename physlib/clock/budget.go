package clock

import (
	"context"
	"sync"
	"time"
)

// WithCPU returns a copy of ctx that ends with [context.DeadlineExceeded] when this process has
// used so much more processor time, on all cores together. It looks a hundred times a second at
// most.
func WithCPU(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	inner, cancel := context.WithCancel(ctx)
	b := &budget{Context: inner, done: make(chan struct{})}
	end := CPU() + limit
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

// budget is a context that ends with the processor time. It has a channel of its own, or else its
// children would take their error from the context inside.
type budget struct {
	context.Context
	done chan struct{}
	mu   sync.Mutex
	err  error
}

// end ends the context, once.
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
