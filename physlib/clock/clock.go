// Package clock measures the processor time and memory of processes. Processor time is a measure of
// a computation that runs alongside others, or of one that has ended. It is also a time limit for
// runs that are to use the same amount of computation.
package clock

import (
	"os"
	"time"
)

// Of returns the processor time of a process that has ended, in user and system mode, summed over
// all cores.
func Of(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }
