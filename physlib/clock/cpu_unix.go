//go:build unix

package clock

import (
	"syscall"
	"time"
)

// CPU returns the processor time that this process has used on all cores, in user and system mode.
// It is 0 where the system does not report it.
func CPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
