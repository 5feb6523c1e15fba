// Package lock gives a process exclusive access to files that it changes, such as the folder of a
// training run or a file of results. It excludes other processes that use this package for the same
// file.
//
// # Design
//
// A lock is held on an open file by github.com/gofrs/flock. So a process loses its locks when it
// ends, in whatever way. The locked file is never deleted. A file that remains after a process has
// ended is not locked. The file is opened for writing, which flock needs on NFS under Linux.
package lock

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// ErrHeld is wrapped by the error of [Try] if another process holds the lock.
var ErrHeld = errors.New("another process has locked it")

// Try locks the file at path without waiting. It creates the file if needed. unlock releases the
// lock. If the operating system has no file locks, Try does nothing and returns no error.
func Try(path string) (unlock func(), err error) {
	l := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o644))
	switch locked, err := l.TryLock(); {
	case errors.Is(err, errors.ErrUnsupported):
		return func() {}, nil
	case err != nil:
		return nil, fmt.Errorf("%s cannot be locked: %w", path, err)
	case !locked:
		return nil, fmt.Errorf("%s: %w", path, ErrHeld)
	}
	return func() { l.Close() }, nil
}

// Wait repeats [Try] while another process holds the lock, for at most the time limit.
func Wait(path string, limit time.Duration) (unlock func(), err error) {
	const pause = 50 * time.Millisecond
	for end := time.Now().Add(limit); ; time.Sleep(pause) {
		unlock, err = Try(path)
		if !errors.Is(err, ErrHeld) || time.Now().After(end) {
			return unlock, err
		}
	}
}
