//go:build (!unix || solaris || aix) && !windows

package lock

import "os"

func open(path string) (*os.File, error) { return create(path) }
