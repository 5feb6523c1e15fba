package discover

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// checkWritable tells before a long search whether path can be written after it. The empty path is no file.
func checkWritable(path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil {
		switch {
		case info.IsDir():
			return fmt.Errorf("%s is a directory; give the name of a file", path)
		case !info.Mode().IsRegular(): // a terminal, a pipe, /dev/null
			return nil
		}
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("%s cannot be written: %w; choose another path", path, cause(err))
		}
		f.Close()
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".physlib-*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w; choose another path", path, cause(err))
	}
	f.Close()
	return os.Remove(f.Name())
}

// writeFile replaces the file at path by data in one step: whoever reads it sees the old one or the new one.
func writeFile(path string, data []byte) (err error) {
	if info, statErr := os.Stat(path); statErr == nil && !info.Mode().IsRegular() {
		return os.WriteFile(path, data, 0o644)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s was not written: %w", path, cause(err))
		}
	}()
	f, err := os.CreateTemp(filepath.Dir(path), ".physlib-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it is renamed
	if err = f.Chmod(0o644); err == nil {
		_, err = f.Write(data)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// cause is err without the path of a temporary file that nobody asked for.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
