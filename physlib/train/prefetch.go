package train

import (
	"context"
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
)

// feed makes batches ahead of time in its own goroutines, which also put them on the device. It
// returns them in order.
type feed struct {
	slots <-chan chan batch // a channel for each batch, in order
	stop  context.CancelFunc
}

type batch struct {
	tensors []*tensors.Tensor
	err     error
}

// newFeed returns a feed that starts with batch number first. It makes up to twice as many batches
// ahead as there are workers, but at least four.
func newFeed(ctx context.Context, backend compute.Backend, among *devices, task Task, first int64, workers int) *feed {
	ctx, stop := context.WithCancel(ctx)
	type job struct {
		number int64
		to     chan<- batch
	}
	slots, jobs := make(chan chan batch, max(4, 2*workers)), make(chan job)
	go func() {
		defer close(slots)
		defer close(jobs)
		for i := first; ; i++ {
			to := make(chan batch, 1)
			select {
			case <-ctx.Done():
				return
			case slots <- to:
				jobs <- job{i, to}
			}
		}
	}()
	for range workers {
		go func() {
			for j := range jobs {
				j.to <- newBatch(backend, among, task, j.number)
			}
		}()
	}
	return &feed{slots, stop}
}

// newBatch returns a batch on its devices. A panic of the task becomes an error.
func newBatch(backend compute.Backend, among *devices, task Task, number int64) (b batch) {
	defer func() {
		if r := recover(); r != nil {
			b.err = fmt.Errorf("panic: %v", r)
		}
		if b.err != nil {
			b.err = fmt.Errorf("task %s, batch %d: %w", task.Name(), number, b.err)
		}
	}()
	if b.tensors, b.err = task.Batch(number); b.err == nil {
		b.tensors, b.err = among.put(backend, b.tensors)
	}
	return b
}

// next returns the next batch, and waits for it if necessary.
func (f *feed) next() ([]*tensors.Tensor, error) {
	b := <-<-f.slots
	return b.tensors, b.err
}

// close ends the goroutines and frees their batches.
func (f *feed) close() {
	if f == nil {
		return // the feed was never created
	}
	f.stop()
	for slot := range f.slots {
		for _, t := range (<-slot).tensors {
			t.FinalizeAll()
		}
	}
}
