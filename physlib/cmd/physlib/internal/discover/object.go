package discover

import (
	"fmt"
	"io"
	"time"

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

// shortDuration prints a time with two or three digits.
func shortDuration(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}
