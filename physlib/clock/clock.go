// Package clock reports the processor time and memory of processes. They measure a computation
// alongside other work, the budget of runs with equal compute, or a process that has ended.
package clock

import (
	"os"
	"time"
)

// Of returns the processor time of a process that has ended, on all cores, for users and for the
// system.
func Of(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }
