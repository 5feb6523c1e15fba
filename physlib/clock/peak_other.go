//go:build !unix || solaris || aix

package clock

import "os"

// Peak returns 0, which means unknown, since this system does not report the memory of an ended
// process.
func Peak(*os.ProcessState) int64 { return 0 }
