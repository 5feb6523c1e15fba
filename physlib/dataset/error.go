package dataset

import (
	"fmt"
	"strings"
)

// Error describes what is wrong with an input, where, and what to try.
type Error struct {
	File    string
	Row     int    // line of the file, from 1; 0: not in a single row
	Column  string // number and name of the column, such as "2 (T)"; "": not in a single column
	Problem string
	Try     string // may be ""
	Err     error  // the cause, if there is one
}

// Error returns one line: "planets.csv: row 3, column 2 (T): "abc" is not a number; …".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	switch {
	case e.Row > 0 && e.Column != "":
		fmt.Fprintf(&b, ": row %d, column %s", e.Row, e.Column)
	case e.Row > 0:
		fmt.Fprintf(&b, ": row %d", e.Row)
	case e.Column != "":
		b.WriteString(": column " + e.Column)
	}
	b.WriteString(": " + e.Problem)
	if e.Try != "" {
		b.WriteString("; " + e.Try)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// place returns number and name of column i for messages. i counts from 0, the number from 1.
func place(i int, name string) string {
	if name == "" {
		return fmt.Sprint(i + 1)
	}
	return fmt.Sprintf("%d (%s)", i+1, name)
}

// quote shows a cell in a message, shortened.
func quote(cell []byte) string {
	r := []rune(string(cell))
	if len(r) > 40 {
		return fmt.Sprintf("%q…", string(r[:40]))
	}
	return fmt.Sprintf("%q", string(r))
}
