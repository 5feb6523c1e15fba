//go:build !unix && !windows

package clock

import "time"

var started = time.Now()

// CPU returns the time since the program started: this system is not asked for processor time.
func CPU() time.Duration { return time.Since(started) }
