//go:build !unix && !windows

package clock

import "time"

var started = time.Now()

// CPU returns the wall time since the program started, since package clock does not support
// processor time on this system.
func CPU() time.Duration { return time.Since(started) }
