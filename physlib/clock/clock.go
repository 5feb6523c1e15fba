// Package clock measures limits of time on a [Clock], which is wall time or the processor time of
// this process. It also measures the processor time and the memory of other processes. Processor
// time is a measure of the computation of a process, even if other processes run at the same time.
// It can also be read after the process has ended. A limit on processor time lets several runs use
// the same amount of computation.
package clock

import (
	"os"
	"time"
)

// Of returns the processor time of a process that has ended, in user and system mode, summed over
// all cores.
func Of(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }
