// Package clock measures the processor time and the memory of processes. Processor time measures a
// computation even if others run at the same time, or after it has ended. It is also used as a time
// limit for runs that should use the same amount of computation.
package clock

import (
	"os"
	"time"
)

// Of returns the processor time of a process that has ended, in user and system mode, summed over
// all cores.
func Of(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }
