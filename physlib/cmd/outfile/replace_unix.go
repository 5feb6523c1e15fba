//go:build !windows

package outfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/google/renameio/v2"
)

// newMode is the mode of a new file before the umask.
const newMode = 0o666

// replace writes a regular file, which need not exist.
func replace(path string, content func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	f, err := renameio.NewPendingFile(path, renameio.WithTempDir(filepath.Dir(path)),
		renameio.WithPermissions(newMode), renameio.WithExistingPermissions())
	if err != nil {
		return err
	}
	defer f.Cleanup() // does nothing once the file is renamed
	if err := content(f); err != nil {
		return err
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder syncs a folder, so that a new name in it survives a crash. It ignores file systems
// that cannot sync folders.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if errors.Is(err, os.ErrPermission) { // the folder can be written but not read
		return nil
	} else if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
