package memory

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Memory near its limit ends the context, with a cause that states the memory in use and the limit.
func TestWatch(t *testing.T) {
	var used atomic.Int64
	ctx, cancel := context.WithCancelCause(context.Background())
	ended := make(chan struct{})
	go func() {
		watch(ctx, cancel, []limit{{1 << 30, func() int64 { return 1 << 20 }, "of one", ""}, {1 << 30, used.Load, "of another", ""}})
		close(ended)
	}()
	used.Store(1 << 29)
	time.Sleep(3 * interval)
	if ctx.Err() != nil {
		t.Fatalf("half of the memory: %v", context.Cause(ctx))
	}
	used.Store(1 << 30)
	<-ended
	if err := context.Cause(ctx); !errors.Is(err, ErrShort) || !strings.Contains(err.Error(), "1.0 of 1.0 GiB of another") {
		t.Errorf("all of the memory: %v", err)
	}
}

// The limits of this machine exceed the memory in use.
func TestFind(t *testing.T) {
	for _, l := range find() {
		if used := l.used(); used <= 0 || used >= l.bytes {
			t.Errorf("%d of %d bytes %s", used, l.bytes, l.name)
		}
	}
	ctx, stop := Guard(context.Background())
	defer stop()
	time.Sleep(2 * interval)
	if ctx.Err() != nil {
		t.Errorf("this test: %v", context.Cause(ctx))
	}
}
