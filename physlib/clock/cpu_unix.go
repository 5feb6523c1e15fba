//go:build unix

package clock

import (
	"syscall"
	"time"
)

// CPU returns the processor time that this process has used, in user and system mode, summed over
// all cores. It is 0 if the system does not report it.
func CPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
