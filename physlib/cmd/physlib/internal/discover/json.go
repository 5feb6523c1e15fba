package discover

import (
	"io"

	"github.com/physlib/lab/physlib/lawfile"
)

func (f finding) writeJSON(w io.Writer) error { return writeFile(w, f.file()) }

// writeFile prints a law file on one line.
func writeFile(w io.Writer, f *lawfile.File) error {
	data, err := f.Encode(false)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}
