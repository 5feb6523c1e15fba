package train

import (
	"context"
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
)

// ahead is how many batches are made before they are needed.
const ahead = 4

// feed makes batches in order on a goroutine of its own, and puts them on the device there.
type feed struct {
	batches <-chan batch
	stop    context.CancelFunc
}

type batch struct {
	tensors []*tensors.Tensor
	err     error
}

// newFeed starts with batch number first.
func newFeed(ctx context.Context, backend compute.Backend, task Task, first int64) *feed {
	ctx, stop := context.WithCancel(ctx)
	out := make(chan batch, ahead)
	go func() {
		defer close(out)
		for i := first; ctx.Err() == nil; i++ {
			b := batch{}
			b.tensors, b.err = task.Batch(i)
			for _, t := range b.tensors {
				if b.err == nil {
					b.err = t.MaterializeOnDevice(backend, true, 0)
				}
			}
			if b.err != nil {
				b.err = fmt.Errorf("task %s, batch %d: %w", task.Name(), i, b.err)
			}
			select {
			case out <- b:
				if b.err != nil {
					return
				}
			case <-ctx.Done():
				b.free()
			}
		}
	}()
	return &feed{out, stop}
}

func (b batch) free() {
	for _, t := range b.tensors {
		t.FinalizeAll()
	}
}

// next waits for the next batch.
func (f *feed) next() ([]*tensors.Tensor, error) {
	b, ok := <-f.batches
	if !ok {
		return nil, context.Canceled
	}
	return b.tensors, b.err
}

// close ends the goroutine and frees what it made.
func (f *feed) close() {
	f.stop()
	for b := range f.batches {
		b.free()
	}
}
