// Package lock keeps other processes out of what one is changing: the folder of a training run, the tables of several jobs.
//
// # Design
//
// A lock is a file that stays; what is locked is the open file, so that a process loses its locks however it ends, and no file
// left behind locks anyone out. On Unix it is flock, which Linux also keeps on NFS where the file was opened for writing (a folder was not);
// on Windows the file is opened for one process alone. On other systems nothing is locked.
package lock

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// ErrHeld is what Try says of a file that another process has locked.
var ErrHeld = errors.New("another process has locked it")

// Try locks the file path, which is made where it is not there yet; unlock gives it back. It never waits.
func Try(path string) (unlock func(), err error) {
	file, err := open(path)
	if errors.Is(err, ErrHeld) {
		return nil, fmt.Errorf("%s: %w", path, ErrHeld)
	} else if err != nil {
		return nil, fmt.Errorf("%s cannot be locked: %w", path, err)
	}
	return func() { file.Close() }, nil
}

// Wait is Try, again and again for as long as another process has the lock, at most so long.
func Wait(path string, most time.Duration) (unlock func(), err error) {
	const pause = 50 * time.Millisecond
	for end := time.Now().Add(most); ; time.Sleep(pause) {
		unlock, err = Try(path)
		if !errors.Is(err, ErrHeld) || time.Now().After(end) {
			return unlock, err
		}
	}
}

// create opens path for reading and writing.
func create(path string) (*os.File, error) { return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644) }
