//go:build !linux

package bench

import "time"

// pin does nothing: threads are bound to a core only on Linux.
func pin() (core int, release func()) { return -1, func() {} }

// cpuSeconds returns the wall time, which approximates the CPU time of passes on one thread.
func cpuSeconds() float64 { return float64(time.Now().UnixNano()) / 1e9 }
