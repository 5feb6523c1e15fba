package bench

import (
	"context"
	"sync"
)

// inParallel calls the function one for all items, with the given number of calls at a time. It
// calls the function keep with each outcome, never concurrently. When ctx ends or keep fails, it
// stops and returns the cause. Outcomes that are not finished by then are dropped.
func inParallel[I, O any](
	ctx context.Context, jobs int, items []I, one func(context.Context, I) O, keep func(O) error,
) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	todo := make(chan I)
	var mu sync.Mutex
	kept, failed := 0, error(nil)
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			for item := range todo {
				outcome := one(ctx, item)
				mu.Lock()
				if ctx.Err() == nil {
					if failed = keep(outcome); failed != nil {
						cancel(failed)
					}
					kept++
				}
				mu.Unlock()
			}
		})
	}
feed:
	for _, item := range items {
		select {
		case todo <- item:
		case <-ctx.Done():
			break feed
		}
	}
	close(todo)
	workers.Wait()
	if failed == nil && kept < len(items) {
		return context.Cause(ctx)
	}
	return failed
}
