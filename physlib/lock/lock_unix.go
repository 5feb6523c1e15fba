//go:build unix && !solaris && !aix

package lock

import (
	"errors"
	"os"
	"syscall"
)

func open(path string) (*os.File, error) {
	file, err := create(path)
	if err != nil {
		return nil, err
	}
	for {
		if err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrHeld
		}
		return nil, err
	}
	return file, nil
}
