// Package lock keeps other processes out of files that one is changing, such as the folder of a
// training run, or a file of results.
//
// # Design
//
// A lock is a file that stays; the open file is locked, by github.com/gofrs/flock. So a process
// loses its locks however it ends, and a file left behind locks nobody out. The file is opened for
// writing, since Linux keeps flock on NFS only then.
package lock

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// ErrHeld is wrapped by the error of [Try] for a file that another process has locked.
var ErrHeld = errors.New("another process has locked it")

// Try locks the file path, which is created where it does not exist; unlock releases it. It never
// waits. Where the operating system has no locks nothing is locked.
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

// Wait returns [Try], repeated while another process has the lock, for at most the time limit.
func Wait(path string, limit time.Duration) (unlock func(), err error) {
	const pause = 50 * time.Millisecond
	for end := time.Now().Add(limit); ; time.Sleep(pause) {
		unlock, err = Try(path)
		if !errors.Is(err, ErrHeld) || time.Now().After(end) {
			return unlock, err
		}
	}
}
