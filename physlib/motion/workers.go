package motion

import (
	"context"
	"runtime"
	"sync"
)

// workers is the number of candidates scored in parallel.
var workers = runtime.GOMAXPROCS(0)

// parallel calls do(i) for i from 0 to n-1 on all cores, until ctx ends.
func parallel(ctx context.Context, n int, do func(i int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
}
