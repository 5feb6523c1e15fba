package clock

import (
	"context"
	"sync"
	"time"
)

// WithCPU returns a copy of ctx that ends with [context.DeadlineExceeded] when this process has used
// so much more processor time, on all cores together. It looks a hundred times a second at most.
func WithCPU(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	inner, cancel := context.WithCancel(ctx)
	b := &budget{Context: inner}
	end := CPU() + limit
	go func() {
		for {
			left := end - CPU()
			if left <= 0 {
				b.mu.Lock()
				if inner.Err() == nil {
					b.over = true
				}
				b.mu.Unlock()
				cancel()
				return
			}
			select {
			case <-inner.Done():
				return
			case <-time.After(min(max(left/8, 10*time.Millisecond), time.Second)):
			}
		}
	}()
	return b, cancel
}

// budget is a context that ends with the processor time.
type budget struct {
	context.Context
	mu   sync.Mutex
	over bool
}

// Err is nil until the context ends.
func (b *budget) Err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.Context.Err(); err == nil || !b.over {
		return err
	}
	return context.DeadlineExceeded
}
