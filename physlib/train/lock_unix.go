//go:build unix

package train

import (
	"fmt"
	"os"
	"syscall"
)

// lock keeps a second process out of the folder of a run. The lock ends with the process, however that ends.
func lock(path string) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		file.Close()
		return nil, fmt.Errorf("another process trains in this folder (%s is locked); wait for it, or take another folder", path)
	}
	return func() { file.Close() }, nil
}
