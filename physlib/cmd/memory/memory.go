// Package memory ends a command properly if memory is short. Near the limit, the garbage collector
// works harder. If that is not enough, the command ends as if by Ctrl-C, with its best result so
// far. Without this package, it would end with Go's fatal error and the stacks of all goroutines.
package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"
)

// ErrShort is the cause of a context that [Guard] ended.
var ErrShort = errors.New("memory is short")

const (
	collectAt = 0.8 // share of the limit above which garbage is collected continually
	endAt     = 0.9 // share of the limit above which the command ends
	interval  = 50 * time.Millisecond
)

// Guard returns a context that ends if the process uses nearly all its memory. Its cause then wraps
// [ErrShort]. The limit is that of the process, of its control group, or of the machine. If none is
// known, the context does not end for this reason. A limit in $GOMEMLIMIT stays in force.
func Guard(ctx context.Context) (guarded context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	limits := find()
	if len(limits) == 0 {
		return ctx, func() { cancel(nil) }
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		least := limits[0].bytes
		for _, l := range limits {
			least = min(least, l.bytes)
		}
		debug.SetMemoryLimit(int64(collectAt * float64(least)))
	}
	go watch(ctx, cancel, limits)
	return ctx, func() { cancel(nil) }
}

// limit is a limit on one kind of memory, with a function that returns how much is in use.
type limit struct {
	bytes int64
	used  func() int64
	name  string

	advice string // advice to the user; "": give fewer rows or more memory
}

// watch ends ctx when the memory in use is near a limit.
func watch(ctx context.Context, cancel context.CancelCauseFunc, limits []limit) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, l := range limits {
			if used := l.used(); float64(used) > endAt*float64(l.bytes) {
				cancel(fmt.Errorf("%w: %.1f of %.1f GiB %s are in use; %s", ErrShort,
					float64(used)/(1<<30), float64(l.bytes)/(1<<30), l.name, cmp.Or(l.advice, "give fewer rows or columns, or more memory")))
				return
			}
		}
	}
}
