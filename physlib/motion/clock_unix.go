//go:build unix

package motion

import (
	"syscall"
	"time"
)

// spent is the processor time of this process: what other work on the machine takes does not count.
func spent() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
