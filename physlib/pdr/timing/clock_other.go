//go:build !unix

package timing

import "time"

var started = time.Now()

// cpuTime is the time since the program started: this system is not asked for processor time.
func cpuTime() time.Duration { return time.Since(started) }
