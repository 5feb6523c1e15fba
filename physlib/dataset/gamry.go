package dataset

import (
	"bytes"
	"regexp"
)

// gamryTable matches the beginning of a file of Gamry's potentiostats (.DTA) up to the title of its
// first table, such as CURVE1 or ZCURVE.
var gamryTable = regexp.MustCompile(`^EXPLAIN\r?\n(?:[^\n]*\n)*?\w*CURVE\w*\tTABLE\b`)

// gamry keeps the tables in a file of Gamry's potentiostats. A tab begins each of their rows. The #
// in the row of units, which would begin a comment, becomes a dash.
func (t *reader) gamry([]byte) func([]byte) []byte {
	t.warn("the tables of curves in the file of Gamry are read, the rest is left out")
	inside := false
	return func(line []byte) []byte {
		row, indented := bytes.CutPrefix(line, []byte{'\t'})
		if !inside || !indented {
			title, kind, _ := bytes.Cut(line, []byte{'\t'})
			inside = bytes.Contains(title, []byte("CURVE")) && bytes.HasPrefix(kind, []byte("TABLE"))
			return nil
		}
		if units, ok := bytes.CutPrefix(row, []byte("#\t")); ok {
			return append([]byte("-\t"), units...)
		}
		return row
	}
}
