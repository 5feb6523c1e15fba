package clock

import (
	"syscall"
	"time"
)

// CPU returns the processor time that this process has used, in user and system mode, summed over
// all cores. It is 0 if the system does not report it.
func CPU() time.Duration {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var made, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(self, &made, &ended, &kernel, &user); err != nil {
		return 0
	}
	return ticks(kernel) + ticks(user)
}

// ticks converts f, a number of 100 ns intervals, to a duration. Filetime.Nanoseconds would
// interpret it as a date.
func ticks(f syscall.Filetime) time.Duration {
	return time.Duration(int64(f.HighDateTime)<<32|int64(f.LowDateTime)) * 100
}
