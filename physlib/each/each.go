// Package each calls a function for many indices, on all cores.
package each

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Do calls do(0) … do(n-1) on all cores. Each core takes sixteen calls at a time. The calls must
// not depend on each other.
func Do(n int, do func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n/16+1)
	if workers <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				i := int(next.Add(16)) - 16
				if i >= n {
					return
				}
				for k := i; k < min(i+16, n); k++ {
					do(k)
				}
			}
		})
	}
	wg.Wait()
}
