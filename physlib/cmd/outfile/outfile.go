// Package outfile writes the files of commands, either completely or not at all. A reader sees the
// old file or the new one, even while a command is writing or after it was killed. Errors name the
// path that the user gave and what to try.
//
// # Design
//
// On Unix the file is written by github.com/google/renameio: data go into a temporary file in the
// same folder, which is synced and then renamed. A replaced file keeps its mode, a new file has
// 0666 less the umask, and a symbolic link stays a link. The folder is synced so that the new name
// survives a crash.
package outfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Check returns an error if the file path cannot be written. Commands call it before long work. For
// the empty path, which means no file, it returns nil.
func Check(path string) error {
	switch path {
	case "":
		return nil
	case "-":
		return errors.New("output to - is not possible here; give the name of a file")
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
			return fmt.Errorf("%s cannot be written: %w; choose another path", path, Cause(err))
		}
		f.Close()
	}
	f, err := os.CreateTemp(filepath.Dir(path), pattern)
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w; choose another path", path, Cause(err))
	}
	f.Close()
	return os.Remove(f.Name())
}

// Kind is a kind of file that a command writes. Mark is a text near the beginning of every such
// file.
type Kind struct{ Name, Mark string }

// Kinds of files that commands overwrite without asking.
var (
	LawFile = Kind{"law file", `"physlib_law"`}
	Page    = Kind{"web page", "<!doctype html"}
)

// CheckKind is like Check, but also returns an error if the path holds a file of another kind. So a
// mistyped name does not overwrite measurements or notes.
func CheckKind(path string, k Kind) error {
	if err := Check(path); err != nil || path == "" {
		return err
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("%s exists and cannot be read: %w; choose another path", path, Cause(err))
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 512))
	if err != nil {
		return fmt.Errorf("%s exists and cannot be read: %w; choose another path", path, Cause(err))
	}
	if !bytes.Contains(head, []byte(k.Mark)) {
		return fmt.Errorf("%s exists and is not a %s; choose another path, or remove it", path, k.Name)
	}
	return nil
}

// Same reports whether two paths name one file, which need not exist. It is false for terminals and
// pipes.
func Same(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	one, err := os.Stat(a)
	two, other := os.Stat(b)
	if err == nil && other == nil {
		return one.Mode().IsRegular() && os.SameFile(one, two)
	}
	a, err = filepath.Abs(a)
	b, other = filepath.Abs(b)
	return err == nil && other == nil && a == b
}

// Write replaces the content of the file path by data.
func Write(path string, data []byte) error {
	return Replace(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Replace replaces the content of the file path by the output of content. A path that is not a
// regular file, such as a pipe, is written to directly.
func Replace(path string, content func(io.Writer) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s was not written: %w", path, Cause(err))
		}
	}()
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
		if err != nil {
			return err
		}
		return errors.Join(content(f), f.Close())
	}
	return replace(path, content)
}

// pattern is the name of temporary files. Check creates one to find out whether a folder is
// writable. On Windows, replace writes to one.
const pattern = ".physlib-*"

// Cause returns err without the path of the temporary file, which means nothing to the user.
func Cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}

// ReadJSON reads a file of JSON.
func ReadJSON[T any](path string) (v T, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return v, err
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return v, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}
