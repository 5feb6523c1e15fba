//go:build !linux

package bench

import "time"

// pin is for Linux only.
func pin() (core int, release func()) { return -1, func() {} }

// cpuSeconds returns wall time here: the passes are on one thread.
func cpuSeconds() float64 { return float64(time.Now().UnixNano()) / 1e9 }
