package bench

import (
	"fmt"
	"io"
	"os"
)

// table writes lines of CSV to the screen, and to a file if one is named. The lines go to a
// temporary file until close. So the named file is complete or does not exist.
type table struct {
	w    io.Writer
	file *os.File // nil: none
	path string
}

// newTable starts a table with the lines of about, which begin with "#", and the names of the
// columns. An empty path means no file.
func newTable(w io.Writer, path, about, columns string) (*table, error) {
	t := &table{w: w, path: path}
	if path != "" {
		var err error
		if t.file, err = os.Create(path + ".part"); err != nil {
			return nil, fmt.Errorf("--csv: %w", err)
		}
		t.w = io.MultiWriter(w, t.file)
	}
	if _, err := fmt.Fprintf(t.w, "%s%s\n", about, columns); err != nil {
		return nil, err
	}
	return t, nil
}

// row writes a row.
func (t *table) row(format string, args ...any) error {
	_, err := fmt.Fprintf(t.w, format+"\n", args...)
	return err
}

// close closes the file and renames it to its final name.
func (t *table) close() error {
	if t.file == nil {
		return nil
	}
	if err := t.file.Close(); err != nil {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	return os.Rename(t.path+".part", t.path)
}
