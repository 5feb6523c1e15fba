//go:build !unix

package motion

import "time"

var began = time.Now()

// spent is the time since the program began, where the processor's is not to be had.
func spent() time.Duration { return time.Since(began) }
