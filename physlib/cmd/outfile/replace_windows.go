package outfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// replace writes a regular file, which need not exist. On Windows no rename is atomic, so renameio
// does not support it. os.Rename comes closest.
func replace(path string, content func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	f, err := os.CreateTemp(filepath.Dir(path), pattern)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it is renamed
	if err := errors.Join(content(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
