//go:build unix && !solaris && !aix

package clock

import (
	"os"
	"runtime"
	"syscall"
)

// Peak returns the largest resident set size, in bytes, of a process that has ended. It is 0 if the
// system does not report it.
func Peak(p *os.ProcessState) int64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok || u == nil {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		// Maxrss is in bytes on macOS and iOS, and in KiB on all other systems; see getrusage(2).
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) * 1024
}
