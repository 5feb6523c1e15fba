// Package clock reports how much processor time this process has used: what a computation costs
// alongside other work, and the budget of runs that shall have equal compute; and what a process
// that has ended took.
package clock

import (
	"os"
	"time"
)

// Of returns the processor time of a process that has ended, on all cores, for users and for the
// system.
func Of(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }
